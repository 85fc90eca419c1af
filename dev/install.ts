/**
 * The dependencies, installed from the lock file when they are not there or not those it names.
 *
 *   bun dev/install.ts FILE ...               installs, and then runs the file with what follows
 *   bun dev/install.ts --if-missing FILE ...  likewise, but leaves those alone that are installed
 *
 * Only Bun's own modules are imported here, as by all that runs before there are dependencies.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackError } from './processes/child.ts'
import type { Say } from './processes/terminal.ts'

const ROOT = join(import.meta.dirname, '..')

/** Installs when needed; true when it did. @throws StackError with the installer's output. */
export async function installDependencies(root: string, say: Say): Promise<boolean> {
  const lock = new Bun.CryptoHasher('sha256')
  for (const file of ['bun.lock', 'package.json', ...patchesOf(root)]) {
    lock.update(readFileSync(join(root, file)))
  }
  const wanted = lock.digest('hex')
  // What was installed is recorded inside the folder, so that the record disappears together with it.
  const record = join(root, 'node_modules/.remit-installed')
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return false
  say('installing the locked dependencies (once) …')
  // This very executable and not `bun`, which is not on PATH when npx runs it.
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

/** The lock file names them, but says nothing about what is in them. */
function patchesOf(root: string): string[] {
  const folder = join(root, 'patches')
  return existsSync(folder)
    ? readdirSync(folder)
        .map((name) => join('patches', name))
        .sort()
    : []
}

/**
 * This process becomes another of Bun, with its id, terminal and signals. What has found a folder missing
 * needs this: Bun remembers that as long as it runs.
 * @throws StackError where processes can't do that.
 */
export function continueAs(args: readonly string[], env: NodeJS.ProcessEnv = process.env): never {
  if (process.execve === undefined) throw new StackError('Installed. Now start it once more.')
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
