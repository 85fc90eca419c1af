import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import net from 'node:net'
import { type Database, isDatabaseDown, openDatabase } from '../../../store/database/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { createDatabase } from '../../support/servers/run.ts'

const ROUNDS = 20

const { connect } = net.Socket.prototype

/** Transactions without end, until `isOver`. Returns the errors of those that failed. */
async function transact(database: Database, isOver: () => boolean): Promise<unknown[]> {
  const errors: unknown[] = []
  while (!isOver()) {
    try {
      await database.begin(async (sql) => {
        await Promise.all([sql`select 1`, sql`set local synchronous_commit = off`])
        await sql`select pg_sleep(0.002)`
        await sql`select 2`
      })
    } catch (error) {
      errors.push(error)
      await Bun.sleep(5)
    }
  }
  return errors
}

/** An answer over whichever session is still there; those that were cut just now fail once. */
async function ask(database: Database): Promise<unknown> {
  try {
    const [row] = await database`select 3 as answer`
    return row?.answer
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
    return ask(database)
  }
}

test('arrays of known types and of the schema arrive as arrays, without asking for types at each connection', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url, { name: 'arrays', poolSize: 1 })
  const known =
    await database`select oid::integer, typarray::integer from pg_type where typarray <> 0 and oid < 16384`
  const pairs = known.map(({ oid, typarray }) => [oid, typarray])
  expect(pairs).toEqual(expect.arrayContaining(Object.values(database.options.fetch_types)))
  await database`create domain short as text check (length(value) < 4)`
  const [row] = await database`
    select array['a', 'b,c'] as texts, array[1, 2]::bigint[] as bigs, array[true] as flags,
      array['x', 'y']::short[] as own, '{}'::short[] as none, array[3]::numeric[] as amounts,
      ${['p', '"q"']}::text[] as given, ${[1, 2]}::integer[] as counts,
      ${['s', '"']}::short[]::text[] as sent, 'pg_class'::regclass = any(${['pg_class']}::regclass[]) as found`
  expect(row).toMatchObject({
    ...{
      texts: ['a', 'b,c'],
      bigs: [1n, 2n],
      flags: [true],
      own: ['x', 'y'],
      none: [],
      amounts: [3n],
    },
    ...{ given: ['p', '"q"'], counts: [1, 2], sent: ['s', '"'], found: true },
  })
  await database.end()
  await drop()
})

test('a pool prefers the session that was used last, which has the statements prepared', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url, { name: 'preferred', poolSize: 4 })
  const sessionOf = async () => {
    const [row] = await database<{ pid: number }[]>`select pg_backend_pid() as pid`
    return row?.pid
  }
  await Promise.all(Array.from({ length: 4 }, () => database`select pg_sleep(0.1)`))
  const used = new Set<number | undefined>()
  for (let i = 0; i < 8; i += 1) used.add(await sessionOf())
  expect(used.size).toBe(1)
  await database.end()
  await drop()
})

test('sessions that are cut fail their transactions, and never the process', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url, { name: 'test-cut', poolSize: 8 })
  const operator = openDatabase(url, { name: 'test-operator', poolSize: 1 })
  let isOver = false
  const working = Array.from({ length: 8 }, () => transact(database, () => isOver))
  for (let i = 0; i < ROUNDS; i += 1) {
    await Bun.sleep(50)
    await operator`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-cut'`
  }
  isOver = true
  const errors = (await Promise.all(working)).flat()
  expect(errors.length).toBeGreaterThan(0)
  expect(errors.filter((error) => !isDatabaseDown(error))).toEqual([])
  expect(await ask(database)).toBe(3)
  await Promise.all([database.end({ timeout: 1 }), operator.end({ timeout: 1 })])
  await drop()
}, 120_000)

describe('a session that is cut', () => {
  let url: string
  let drop: () => Promise<void>
  let operator: Database

  beforeAll(async () => {
    const database = await createDatabase()
    url = database.url
    drop = database.drop
    operator = openDatabase(url, { name: 'test-operator', poolSize: 1 })
    await operator`create table entry (word text)`
  })

  afterAll(async () => {
    await operator.end({ timeout: 1 })
    await drop()
  })

  async function words(): Promise<string[]> {
    const rows = await operator<{ word: string }[]>`delete from entry returning word`
    return rows.map(({ word }) => word)
  }

  const cut = (name: string) => operator`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`

  test('in a transaction has no more of it carried out, neither alone nor in another one', async () => {
    const database = openDatabase(url, { name: 'test-transaction', poolSize: 1 })
    const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late: unknown[] = []
    const first = database.begin(async (sql) => {
      await sql`insert into entry values ('first, before')`
      begun.resolve()
      // Something else than the database is waited for when the session ends.
      await gone.promise
      await sql`insert into entry values ('first, after')`.catch((error) => late.push(error))
    })
    const failed = first.catch((error: unknown) => error)
    await begun.promise
    await cut('test-transaction')
    expect(isDatabaseDown(await failed)).toBe(true)
    const second = database.begin(async (sql) => {
      await sql`insert into entry values ('second')`
      gone.resolve()
      await Bun.sleep(100)
      throw new Error('the second one fails, too')
    })
    await expect(second).rejects.toThrow('the second one fails, too')
    expect(late.map(isDatabaseDown)).toEqual([true])
    expect(await words()).toEqual([])
    await database.end({ timeout: 1 })
  })

  test('while it is reserved carries nothing out any more, and leaves no one waiting', async () => {
    const database = openDatabase(url, { name: 'test-reserved', poolSize: 1 })
    const session = await database.reserve()
    // The second one waits in line for the first, whose types the server is asked for.
    const asked = [1, 2].map((n) => session`select ${n}::int, pg_sleep(60)`)
    const answers = Promise.all(asked.map((one) => one.catch((error: unknown) => error)))
    await eventually(
      () => operator`
        select from pg_stat_activity where application_name = 'test-reserved' and state = 'active'`,
      ({ length }) => length === 1,
    )
    await cut('test-reserved')
    expect((await answers).map(isDatabaseDown)).toEqual([true, true])
    expect(await ask(database)).toBe(3)
    const late = session`insert into entry values ('late')`.catch((error: unknown) => error)
    expect(isDatabaseDown(await late)).toBe(true)
    session.release()
    expect(await ask(database)).toBe(3)
    expect(await words()).toEqual([])
    await database.end({ timeout: 1 })
  })

  /** A pool of one, and the socket of its only connection, whose end a test tells it of. */
  async function poolOfOne(name: string) {
    const sockets: net.Socket[] = []
    const made = spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
      this: net.Socket,
      ...given
    ) {
      sockets.push(this)
      return Reflect.apply(connect, this, given)
    })
    const database = openDatabase(url, { name, poolSize: 1 })
    await database`select 1`
    made.mockRestore()
    const [socket] = sockets
    if (socket === undefined) throw new Error('there is no connection')
    return { database, socket }
  }

  const begin = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)

  /** Until a statement has begun, which is written at the end of this turn of the event loop only. */
  async function turns(): Promise<void> {
    for (let i = 0; i < 5; i += 1) await null
  }

  test('as something is about to be sent is made again at once', async () => {
    const { database, socket } = await poolOfOne('test-sending')
    const asked = begin(database`select 2`)
    await turns()
    socket.emit('close', false)
    expect(isDatabaseDown(await asked)).toBe(true)
    // What was not sent would go out before the greeting of the next connection, which hung on it.
    const [row] = await database`select 3 as answer`
    expect(row?.answer).toBe(3)
    await database.end({ timeout: 1 })
  })

  test('and is asked before that is known answers nothing, and not that it is done', async () => {
    const { database, socket } = await poolOfOne('test-reset')
    socket.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    const asked = begin(database`insert into entry values ('reset')`)
    await turns()
    socket.emit('close', true)
    expect(isDatabaseDown(await asked)).toBe(true)
    const [row] = await database`select 3 as answer`
    expect(row?.answer).toBe(3)
    expect(await words()).toEqual([])
    await database.end({ timeout: 1 })
  })
})
