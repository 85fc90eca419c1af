import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { type Database, isDatabaseDown, openDatabase } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { listenWithRetries } from '../../../store/database/listen.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { createDatabase, type TestDatabase } from '../../support/servers/run.ts'
import { type SilentProxy, startSilentProxyFor } from '../../support/servers/silentProxy.ts'

/** Connections to a Postgres that falls silent and is not gone, as behind a proxy that acknowledges everything. */

const SILENCE_MS = 400

let real: TestDatabase
let proxy: SilentProxy
let observer: Database
const open: Database[] = []

beforeAll(async () => {
  real = await createDatabase()
  observer = openDatabase(real.url, { name: 'test-observer', poolSize: 1 })
  proxy = startSilentProxyFor(real.url)
}, 120_000)

afterEach(async () => {
  proxy.speak()
  for (const database of open.splice(0)) await database.end({ timeout: 1 })
})

afterAll(async () => {
  proxy.stop()
  await observer.end({ timeout: 1 })
  await real.drop()
})

function through(name: string, poolSize: number, isPooled = false): Database {
  const options = { name, poolSize, silenceMs: SILENCE_MS, statementTimeoutMs: 1_500, isPooled }
  const database = openDatabase(proxy.through(real.url), options)
  open.push(database)
  return database
}

/** As those do who have others to try again for them. */
const answers = (database: Database) =>
  eventually(
    () => database`select 1 as one`.then((rows) => rows.length).catch(() => 0),
    (count) => count === 1,
  )

test.each([false, true])(
  'what is under way fails as a broken connection does, and the next is made (pooled: %p)',
  async (isPooled) => {
    const database = through('test-under-way', 2, isPooled)
    await database`select 1`
    const asking = () => database`select pg_sleep(0.2)`.catch((error: unknown) => error)
    const asked = asking()
    proxy.silence()
    expect(isDatabaseDown(await asked)).toBe(true)
    expect(isDatabaseDown(await asking())).toBe(true)
    proxy.speak()
    await answers(database)
  },
)

test('a transaction fails with its connection, and releases what it holds on the server', async () => {
  const database = through('test-transaction', 1)
  await observer`create table held (id integer primary key)`
  const failed = database
    .begin(async (sql) => {
      await sql`insert into held values (1)`
      proxy.silence()
      await sql`insert into held values (2)`
    })
    .catch((error: unknown) => error)
  expect(isDatabaseDown(await failed)).toBe(true)
  // It would wait for the transaction whose end the server has not heard of.
  await observer`insert into held values (1)`
  expect(await observer`select id from held`).toHaveLength(1)
})

test('idle connections are found out before anyone needs them', async () => {
  const database = through('test-idle', 3)
  await Promise.all([1, 2, 3].map(() => database`select pg_sleep(0.1)`))
  proxy.silence()
  const before = proxy.connections
  await eventually(
    async () => sessions('test-idle'),
    (count) => count === 0,
  )
  proxy.speak()
  await database`select 1`
  expect(proxy.connections).toBeGreaterThan(before)
})

test('a subscription is made again, and hears what is said afterwards', async () => {
  const database = through('test-listen', 1)
  const heard: string[] = []
  let begun = 0
  const log = { warn() {} }
  const stop = listenWithRetries(database, {
    channel: 'news',
    hear: (payload) => heard.push(payload),
    begin: () => {
      begun += 1
    },
    log,
  })
  await eventually(
    async () => begun,
    (times) => times === 1,
  )
  proxy.silence()
  await eventually(
    async () => sessions('test-listen'),
    (count) => count === 0,
  )
  proxy.speak()
  await eventually(
    async () => begun,
    (times) => times > 1,
  )
  await observer`select pg_notify('news', 'again')`
  await eventually(
    async () => heard,
    (all) => all.includes('again'),
  )
  await stop()
})

test('a leader that fell silent is followed, also by itself', async () => {
  const leader = chainLeadership(proxy.through(real.url), 7, SILENCE_MS)
  const other = chainLeadership(real.url, 7, SILENCE_MS)
  expect(await leader.hold()).toBe(true)
  proxy.silence()
  await eventually(
    () => other.hold(),
    (isLeading) => isLeading,
  )
  await other.release()
  proxy.speak()
  await eventually(
    () => leader.hold().catch(() => false),
    (isLeading) => isLeading,
  )
  await leader.release()
})

test('a leader whose connection fell silent leads on, on its next one', async () => {
  const leader = chainLeadership(proxy.through(real.url), 8, SILENCE_MS)
  expect(await leader.hold()).toBe(true)
  proxy.silence()
  const held = leader.hold().catch(() => 'silence')
  proxy.speak()
  expect(await held).toBe('silence')
  // The server still has the session that is gone.
  expect(await sessions('remit-leader')).toBe(1)
  expect(await leader.hold()).toBe(true)
  await leader.release()
})

test('a statement that takes its time is left alone, and so is a reader that does', async () => {
  const database = through('test-slow', 1)
  const [row] = await database`select 7 as seven, pg_sleep(${(3 * SILENCE_MS) / 1_000})`
  expect(row?.seven).toBe(7)
  const read: number[] = []
  await database<{ n: number }[]>`select n from generate_series(1, 3) n`.cursor(
    1,
    async ([one]) => {
      await Bun.sleep(SILENCE_MS)
      read.push(one?.n ?? 0)
    },
  )
  expect(read).toEqual([1, 2, 3])
  expect(await sessions('test-slow')).toBe(1)
})

test('a session that has nothing to do lives on, and so does one that is reserved', async () => {
  const database = through('test-quiet', 2)
  const reserved = await database.reserve()
  const pid = async (sql: Pick<Database, 'unsafe'>) =>
    (await sql.unsafe('select pg_backend_pid() as pid'))[0]?.pid
  const [held, idle] = [await pid(reserved), await pid(database)]
  // Longer than the server lets a session live that says nothing.
  await Bun.sleep(6 * SILENCE_MS)
  expect([await pid(reserved), await pid(database)]).toEqual([held, idle])
  reserved.release()
})

test('what is said is heard once, also by a subscription that failed before', async () => {
  const database = through('test-twice', 1)
  const counts = { begun: 0, heard: 0, failed: 0 }
  const count = (what: keyof typeof counts) => () => {
    counts[what] += 1
  }
  proxy.silence()
  const [hear, begin, warn] = [count('heard'), count('begun'), count('failed')]
  const stop = listenWithRetries(database, { channel: 'once', hear, begin, log: { warn } })
  await eventually(
    async () => counts.failed,
    (times) => times >= 1,
  )
  proxy.speak()
  // By the driver, and by the next try.
  await eventually(
    async () => counts.begun,
    (times) => times >= 2,
  )
  await observer`select pg_notify('once', '')`
  await eventually(
    async () => counts.heard,
    (times) => times >= 1,
  )
  await Bun.sleep(100)
  expect(counts.heard).toBe(1)
  await stop()
})

test('a subscription that hears much and says nothing lives on', async () => {
  const database = through('test-hearing', 1)
  let begun = 0
  const stop = listenWithRetries(database, {
    channel: 'much',
    hear() {},
    begin: () => {
      begun += 1
    },
    log: { warn() {} },
  })
  for (let i = 0; i < 60; i += 1) {
    await observer`select pg_notify('much', ${String(i)})`
    await Bun.sleep(SILENCE_MS / 10)
  }
  expect(begun).toBe(1)
  await stop()
})

async function sessions(name: string): Promise<number> {
  const [row] = await observer<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity where application_name = ${name}`
  return row?.count ?? 0
}
