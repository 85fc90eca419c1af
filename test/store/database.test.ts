import { expect, test } from 'bun:test'
import { type Database, isDatabaseDown, openDatabase } from '../../store/database.ts'
import { createDatabase } from '../support/servers/run.ts'

const ROUNDS = 20

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
