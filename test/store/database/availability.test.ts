import { afterEach, describe, expect, test } from 'bun:test'
import {
  type Availability,
  DatabaseUnavailable,
  watchAvailability,
} from '../../../store/database/availability.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { forThisFile } from '../../support/store/database.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

let availability: Availability
afterEach(() => availability.stop())

const DOWN = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
const fail = (error: Error) => () => Promise.reject(error)

/** Watches a database; what was told of it, in order. */
function watch(database: Database) {
  const told: string[] = []
  availability = watchAvailability(database, {
    onOutage: () => told.push('outage'),
    onRecovery: () => told.push('recovery'),
  })
  return told
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5)
}

describe('work', () => {
  test('is done while the database is there, and its own faults are its own', async () => {
    const told = watch(sql)
    expect(await availability.guard(async () => 7)).toBe(7)
    await expect(availability.guard(fail(new Error('mine')))).rejects.toThrow('mine')
    await Bun.sleep(20)
    expect(told).toEqual([])
    expect(await availability.guard(async () => 8)).toBe(8)
  })

  test('that finds the database away is refused, until a probe finds it again', async () => {
    const told = watch(sql)
    const refused = availability.guard(fail(DOWN)).catch((error: unknown) => error)
    expect(await refused).toBeInstanceOf(DatabaseUnavailable)
    expect(told[0]).toBe('outage')
    await until(() => told.length === 2)
    expect(told).toEqual(['outage', 'recovery'])
    expect(await availability.guard(async () => 7)).toBe(7)
  })

  test('is not even begun while the database is away, which is told once', async () => {
    const away = openDatabase('postgres://remit@127.0.0.1:1/none', { name: 'away' })
    const told = watch(away)
    let begun = 0
    for (let i = 0; i < 3; i++) {
      const work = async () => {
        begun += 1
        throw DOWN
      }
      await expect(availability.guard(work)).rejects.toBeInstanceOf(DatabaseUnavailable)
    }
    expect(begun).toBe(1)
    expect(told).toEqual(['outage'])
    availability.stop()
    await away.end({ timeout: 0 })
  })

  test('that is merely slow is refused, and says nothing of the database', async () => {
    const told = watch(sql)
    const slow = availability.guard(() => Bun.sleep(500), 10).catch((error: unknown) => error)
    expect(await slow).toBeInstanceOf(DatabaseUnavailable)
    expect(await availability.guard(async () => 7)).toBe(7)
    await Bun.sleep(50)
    expect(told).toEqual([])
  })

  test('is reported neither away nor back once no one watches any more', async () => {
    const told = watch(sql)
    availability.stop()
    await expect(availability.guard(fail(DOWN))).rejects.toBeInstanceOf(DatabaseUnavailable)
    await Bun.sleep(50)
    expect(told).toEqual([])
  })
})
