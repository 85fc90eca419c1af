import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '../../dev/processes/command.ts'
import { identify } from '../../dev/processes/inspect.ts'
import { withoutCluster } from '../../dev/servers/systemPostgres.ts'
import { eventually } from '../support/servers/devStack.ts'

test("a machine's packages make no cluster while one is installed, and what they do later stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remit-cluster-'))
  const settings = join(folder, 'createcluster.conf')
  const before = '# Create a main cluster?\ncreate_main_cluster = true'
  writeFileSync(settings, before)
  let meanwhile = ''
  const failing = withoutCluster(settings, async () => {
    meanwhile = readFileSync(settings, 'utf8')
    throw new Error('the repository is away')
  })
  await expect(failing).rejects.toThrow('the repository is away')
  expect(meanwhile.trim().split('\n').at(-1)).toBe('create_main_cluster = false')
  expect(readFileSync(settings, 'utf8')).toBe(before)
  rmSync(folder, { recursive: true })
})

test('a package manager ends when the check does, and the settings are as before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remit-cluster-'))
  const settings = join(folder, 'createcluster.conf')
  writeFileSync(settings, 'before')
  const pidFile = join(folder, 'pid')
  const stopping = new AbortController()
  const command = [
    'sh',
    '-c',
    `echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 600`,
  ]
  const installing = withoutCluster(settings, () => runToEnd(command, { signal: stopping.signal }))
  await eventually(async () => existsSync(pidFile), Boolean)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(identify(pid)).toBeDefined()
  stopping.abort()
  await installing
  expect(identify(pid)).toBeUndefined()
  expect(readFileSync(settings, 'utf8')).toBe('before')
  expect(await runToEnd(['touch', `${pidFile}2`], { signal: stopping.signal })).toBe('interrupted')
  expect(existsSync(`${pidFile}2`)).toBe(false)
  rmSync(folder, { recursive: true })
})
