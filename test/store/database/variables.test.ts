import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readVariables } from '../../../store/database/variables.ts'

let folder = ''
let made = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remit-variables-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(content: string): string {
  made += 1
  const path = join(folder, `secret-${made}`)
  writeFileSync(path, content)
  return path
}

function directory(files: Readonly<Record<string, string>>): string {
  made += 1
  const path = join(folder, `secrets-${made}`)
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

test.each([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_PASSWORD_API',
  'DATABASE_PASSWORD_INDEXER',
  'REDIS_URL',
  'SMTP_URL',
  'RATE_URL',
  'RPC_URL_BASE_SEPOLIA',
  'WS_URL_BASE',
  'OPERATOR_TOKEN',
  'DASHBOARD_SECRET',
  'ENCRYPTION_KEYS',
  'RELAYER_KEYS',
  'RELAYER_KEYS_BASE',
  'CONFIG_SIGNER_KEY',
  'HUB_OWNER_KEY',
])('%s may be a file', async (name) => {
  expect(await readVariables({ [`${name}_FILE`]: file('a secret\n') })).toEqual({
    [name]: 'a secret',
  })
})

test('what is no secret is never read from a file', async () => {
  const own = { HUB_ADDRESS_FILE: '/etc/hostname', RELAYER_BATCH_MAX: '3' }
  expect(await readVariables(own)).toEqual(own)
})

test('a folder of files is read by their names, as Kubernetes mounts a secret', async () => {
  const path = directory({ REDIS_URL: 'redis://one', RELAYER_KEYS_BASE: '0x01\n0x02\n' })
  mkdirSync(join(path, '..2026_11_23'))
  symlinkSync('..2026_11_23', join(path, '..data'))
  expect(await readVariables({ PORT: '1', SECRETS_DIRECTORY: path })).toEqual({
    PORT: '1',
    REDIS_URL: 'redis://one',
    RELAYER_KEYS_BASE: '0x01,0x02',
  })
})

test.each([
  [
    'a folder that is not there',
    { SECRETS_DIRECTORY: '/nowhere' },
    'SECRETS_DIRECTORY names /nowhere',
  ],
  ['a file that is not there', { REDIS_URL_FILE: '/nowhere' }, "which can't be read (ENOENT)"],
  ['an empty file', { REDIS_URL_FILE: '/dev/null' }, 'which is empty'],
])('%s is named', async (_, own, sentence) => {
  expect(readVariables(own)).rejects.toThrow(sentence)
})

test('a file that stands for nothing is named, so that no slip of the pen goes unnoticed', async () => {
  const path = directory({ CONFIG_SIGNER: 'a key' })
  expect(readVariables({ SECRETS_DIRECTORY: path })).rejects.toThrow('holds CONFIG_SIGNER, which')
})

test('a variable that is set twice is refused, without its value', async () => {
  const path = directory({ REDIS_URL: 'redis://:hidden@one' })
  const twice = readVariables({ REDIS_URL: 'redis://:other@two', SECRETS_DIRECTORY: path })
  expect(twice).rejects.toThrow('REDIS_URL and SECRETS_DIRECTORY are both set: unset one of them')
})

test('a password of its own goes into the URL of the database, regardless of what it is made of', async () => {
  const path = directory({ DATABASE_PASSWORD: 'p@ss/w:rd?#%' })
  const { DATABASE_URL, DATABASE_PASSWORD } = await readVariables({
    DATABASE_URL: 'postgres://remit_api@db:5432/remit',
    SECRETS_DIRECTORY: path,
  })
  const url = new URL(DATABASE_URL ?? '')
  expect([url.username, decodeURIComponent(url.password)]).toEqual(['remit_api', 'p@ss/w:rd?#%'])
  expect(DATABASE_PASSWORD).toBeUndefined()
})

test('so does a password of Redis', async () => {
  const path = directory({ REDIS_PASSWORD: 'p@ss/w:rd?#%' })
  const { REDIS_URL, REDIS_PASSWORD } = await readVariables({
    REDIS_URL: 'redis://redis:6379/2',
    SECRETS_DIRECTORY: path,
  })
  const url = new URL(REDIS_URL ?? '')
  expect([url.host, url.pathname, url.username]).toEqual(['redis:6379', '/2', ''])
  expect(decodeURIComponent(url.password)).toBe('p@ss/w:rd?#%')
  expect(REDIS_PASSWORD).toBeUndefined()
  const both = { REDIS_URL: 'redis://:a@redis:6379', REDIS_PASSWORD: 'b' }
  expect(readVariables(both)).rejects.toThrow('REDIS_URL holds a password')
})

test('two passwords of one URL are refused', async () => {
  const own = { DATABASE_URL: 'postgres://a:b@db/remit', DATABASE_PASSWORD: 'c' }
  expect(readVariables(own)).rejects.toThrow('DATABASE_URL holds a password')
})
