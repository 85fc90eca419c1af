/**
 * Installs the dependencies from the lock file if they are missing or outdated.
 *
 *   bun dev/install.ts FILE ...               installs, and then runs the file with the arguments
 *   bun dev/install.ts --if-missing FILE ...  the same, but keeps installed dependencies
 *
 * Only imports Bun's own modules, because it runs before dependencies are installed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackError } from './processes/child.ts'
import type { Say } from './processes/terminal.ts'

const ROOT = join(import.meta.dirname, '..')

/** Installs if needed; returns whether it did. @throws StackError with the installer's output. */
export async function installDependencies(root: string, say: Say): Promise<boolean> {
  const lock = new Bun.CryptoHasher('sha256')
  for (const file of ['bun.lock', 'package.json', ...patchesOf(root)]) {
    lock.update(readFileSync(join(root, file)))
  }
  const wanted = lock.digest('hex')
  // The record is inside the folder, so that it is deleted together with it.
  const record = join(root, 'node_modules/.remit-installed')
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return false
  say('installing the locked dependencies (once) …')
  // This executable, because `bun` is not on PATH when npx runs it.
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) {
    throw new StackError(`The dependencies could not be installed:\n${words}${out}`.trim())
  }
  writeFileSync(record, wanted)
  return true
}

/** The lock file lists packages, but not the content of patches. */
function patchesOf(root: string): string[] {
  const folder = join(root, 'patches')
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => join('patches', name))
        .sort()
    : []
}

/**
 * Replaces this process by another Bun process with the same id, terminal and signals: Bun caches that a
 * folder is missing for as long as it runs.
 * @throws StackError if the system can't do that.
 */
export function continueAs(args: readonly string[], env: NodeJS.ProcessEnv = process.env): never {
  if (process.execve === undefined)
    throw new StackError('The dependencies are installed. Start it again.')
  return process.execve(process.execPath, [process.execPath, ...args], env)
}

async function main([first, ...rest]: readonly string[]): Promise<never> {
  const isLenient = first === '--if-missing'
  if (!isLenient || !existsSync(join(ROOT, 'node_modules'))) {
    await installDependencies(ROOT, console.error)
  }
  const args = isLenient || first === undefined ? rest : [first, ...rest]
  return args.length === 0 ? process.exit(0) : continueAs(args)
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof StackError ? error.message : error)
    process.exit(1)
  })
}
