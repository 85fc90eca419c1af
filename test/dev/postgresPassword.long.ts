import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type PostgresServer, startPostgres } from '../../dev/servers/postgres.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'remit-password-'))
  chmodSync(dir, 0o711)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const start = (change: { passwordFile?: string } = {}) =>
  startPostgres({ dataDir: join(dir, 'data'), port: 0, ...change })

async function marks(url: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return (await sql`select mark from kept`).map(({ mark }) => mark)
  } finally {
    await sql.end()
  }
}

function withPassword({ url }: PostgresServer, password: string): string {
  const other = new URL(url)
  other.password = password
  return other.href
}

test('a home that trusted everyone is given a password, and keeps its data', async () => {
  const passwordFile = join(dir, 'password')
  const before = await start()
  const sql = postgres(before.url, { max: 1 })
  await sql`create table kept as select 7 as mark`
  await sql.end()
  await before.stop()

  const first = await start({ passwordFile })
  expect(await marks(first.url)).toEqual([7])
  expect(statSync(passwordFile).mode & 0o777).toBe(0o600)
  for (const password of ['', 'guessed']) {
    await expect(marks(withPassword(first, password))).rejects.toThrow()
  }
  await first.stop()

  const again = await start({ passwordFile })
  expect(new URL(again.url).password).toBe(new URL(first.url).password)
  expect(await marks(again.url)).toEqual([7])
  await again.stop()

  rmSync(passwordFile)
  const renewed = await start({ passwordFile })
  expect(new URL(renewed.url).password).not.toBe(new URL(first.url).password)
  expect(await marks(renewed.url)).toEqual([7])
  await renewed.stop()
}, 120_000)
