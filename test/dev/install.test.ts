import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)

/** Three install by themselves; the others are the processes of an operator, who has installed what they need. */
const BY_THEMSELVES = ['dev', 'check', 'check:long', 'api', 'indexer', 'worker']

test('every script installs what it needs', () => {
  const others = Object.entries(scripts).filter(([name]) => !BY_THEMSELVES.includes(name))
  expect(others.length).toBeGreaterThan(15)
  const lacking = others.filter(([, command]) => !/^(\w+=\w+ )*bun dev\/install\.ts /.test(command))
  expect(lacking).toEqual([])
})

test('what was installed for runs in the same process, with its arguments, signals and exit code', async () => {
  const script =
    'console.log(process.pid, process.argv.slice(-1)); process.kill(process.pid, "SIGUSR2")'
  const child = Bun.spawn(
    [process.execPath, 'dev/install.ts', '--if-missing', '-e', script, 'last'],
    {
      cwd: ROOT,
      stdin: 'ignore',
      stderr: 'inherit',
    },
  )
  expect(await new Response(child.stdout).text()).toContain(`${child.pid} [ "last" ]`)
  await child.exited
  expect(child.signalCode).toBe('SIGUSR2')
})
