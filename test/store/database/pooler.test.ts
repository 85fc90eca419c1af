import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, isDatabaseDown, openDatabase } from '../../../store/database/database.ts'
import { chainLeadership, type Leadership } from '../../../store/database/leadership.ts'
import { PoolerError, poolerProblems } from '../../../store/database/pooler.ts'
import { type GreetingProxy, startGreetingProxy } from '../../support/servers/greetingProxy.ts'
import { createDatabase, type TestDatabase } from '../../support/servers/run.ts'

/** PgBouncer itself is tried by `bun run check:long`. */

const CHAIN = 84_532
let database: TestDatabase
let proxy: GreetingProxy
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await createDatabase()
  proxy = startGreetingProxy(database.url)
}, 120_000)

afterAll(async () => {
  for (const end of ends) await end()
  proxy.stop()
  await database.drop()
})

function leader(url: string): Leadership {
  const leadership = chainLeadership(url, CHAIN)
  ends.push(() => leadership.release())
  return leadership
}

function open(url: string): Database {
  const opened = openDatabase(url, { name: 'test-pooler', poolSize: 1 })
  ends.push(() => opened.end({ timeout: 1 }))
  return opened
}

async function pidOf(sql: Database): Promise<unknown> {
  const [row] = await sql`select pg_backend_pid() as pid`
  return row?.pid
}

async function faultOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('a pooler is found by how it greets, and a server is none', async () => {
  expect(await poolerProblems(database.url)).toEqual([])
  expect((await poolerProblems(proxy.url)).join()).toContain('set DATABASE_DIRECT_URL')
  expect(await poolerProblems('postgres://remit@127.0.0.1:1/none')).toEqual([])
})

test('no one leads through a pooler, and no lock is left with it', async () => {
  const [one, other] = [leader(proxy.url), leader(proxy.url)]
  expect(await faultOf(one.hold())).toBeInstanceOf(PoolerError)
  expect(await faultOf(other.hold())).toBeInstanceOf(PoolerError)
  const direct = leader(database.url)
  expect(await direct.hold()).toBe(true)
  expect(await direct.hold()).toBe(true)
  expect(await leader(database.url).hold()).toBe(false)
})

test('a server that takes no writes counts as down, and its connection is given up', async () => {
  const sql = open(database.url)
  const before = await pidOf(sql)
  // As a server is that was a primary until a moment ago.
  await sql`set default_transaction_read_only = on`
  const refused = await faultOf(sql`create table never (id integer)`)
  expect(refused).toMatchObject({ code: '25006' })
  expect(isDatabaseDown(refused)).toBe(true)
  expect(await faultOf(pidOf(sql)).then(() => pidOf(sql))).not.toBe(before)
})

test('of several servers the one that answers is taken, and none is waited for without end', async () => {
  const { host } = new URL(database.url)
  const both = open(database.url.replace(host, `127.0.0.1:1,${host}`))
  expect(await pidOf(both)).toBeNumber()
  const none = open('postgres://remit@127.0.0.1:1,127.0.0.1:2/none')
  expect(isDatabaseDown(await faultOf(none`select 1`))).toBe(true)
})
