/** The dependencies, installed from the lock file when they are not there or not those it names. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackError } from './processes/child.ts'
import type { Say } from './processes/terminal.ts'

/** Installs when needed; true when it did. @throws StackError with the installer's output. */
export async function installDependencies(root: string, say: Say): Promise<boolean> {
  const lock = new Bun.CryptoHasher('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .update(readFileSync(join(root, 'package.json')))
    .digest('hex')
  // What was installed is recorded inside the folder, so that the record disappears together with it.
  const record = join(root, 'node_modules/.remit-installed')
  if (existsSync(record) && readFileSync(record, 'utf8') === lock) return false
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
  writeFileSync(record, lock)
  return true
}
