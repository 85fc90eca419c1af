import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import {
  type Availability,
  DatabaseUnavailable,
  watchAvailability,
} from '../../../store/database/availability.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  LONG_READ_CONNECTIONS,
  type LongReadLimits,
  openLongReads,
} from '../../../store/database/longReads.ts'
import { forThisFile } from '../../support/store/database.ts'

/** Whose turn it is to read for long. */

let sql: Database
let availability: Availability
forThisFile((database) => {
  sql = database
})
beforeAll(() => {
  availability = watchAvailability(sql, { onOutage: () => {}, onRecovery: () => {} })
})
afterAll(() => availability.stop())

const LIMITS: LongReadLimits = { timeoutMs: 60, idleMs: 60, partMs: 20_000 }
const open = (limits: Partial<LongReadLimits> = {}) =>
  openLongReads(sql, availability, { ...LIMITS, ...limits })
const newMerchant = (): MerchantId => asMerchantId(Bun.randomUUIDv7())

test('a read of a merchant waits for the one before it, and is refused when that takes too long', async () => {
  const reads = open({ idleMs: 5_000 })
  const [merchant, another] = [newMerchant(), newMerchant()]
  const first = await reads.begin(merchant)
  expect(first).not.toBeNull()
  expect(await reads.begin(another)).not.toBeNull()
  expect(await reads.begin(merchant)).toBeNull()
  const second = reads.begin(merchant)
  first?.end()
  expect(await second).not.toBeNull()
})

test('so many reads of a merchant wait, in their order, and more are refused at once', async () => {
  const reads = open({ timeoutMs: 60_000, idleMs: 60_000 })
  const merchant = newMerchant()
  const first = await reads.begin(merchant)
  const order: number[] = []
  const waiting = Array.from({ length: 10 }, async (_, i) => {
    const read = await reads.begin(merchant)
    order.push(i)
    read?.end()
  })
  const refused = reads.begin(merchant)
  // The party that waits gets a turn only when the first one ends.
  expect(await Promise.race([refused, Promise.all(waiting)])).toBeNull()
  first?.end()
  await Promise.all(waiting)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

describe('a read whose caller takes nothing of it', () => {
  test('gives its turn to the next one, and goes on after that', async () => {
    const reads = open({ timeoutMs: 60_000 })
    const merchant = newMerchant()
    const slow = await reads.begin(merchant)
    expect(await slow?.read(async () => 1)).toBe(1)
    const next = await reads.begin(merchant)
    expect(next).not.toBeNull()
    const resumed = slow?.read(async () => 2)
    await Bun.sleep(20)
    next?.end()
    expect(await resumed).toBe(2)
    slow?.end()
  })

  test('keeps it while it reads', async () => {
    const reads = open({ idleMs: 10 })
    const merchant = newMerchant()
    const long = await reads.begin(merchant)
    const done = Promise.withResolvers<void>()
    const reading = long?.read(() => done.promise)
    expect(await reads.begin(merchant)).toBeNull()
    done.resolve()
    await reading
    expect(await reads.begin(merchant)).not.toBeNull()
  })
})

test('a read that is ended keeps its turn until its statement is over', async () => {
  const reads = open({ idleMs: 5_000 })
  const merchant = newMerchant()
  const read = await reads.begin(merchant)
  const done = Promise.withResolvers<void>()
  const reading = read?.read(() => done.promise)
  read?.end()
  expect(await reads.begin(merchant)).toBeNull()
  done.resolve()
  await reading
  expect(await reads.begin(merchant)).not.toBeNull()
})

test('a read that was given up keeps its turn until its statement is over', async () => {
  const reads = open({ idleMs: 5_000, partMs: 50 })
  const merchant = newMerchant()
  const read = await reads.begin(merchant)
  const slept = Promise.withResolvers<void>()
  const reading = read?.read((database) => {
    const sleep = database`select pg_sleep(1)`
    sleep.then(() => slept.resolve(), slept.reject)
    return sleep
  })
  await expect(reading).rejects.toThrow(DatabaseUnavailable)
  read?.end()
  expect(await reads.begin(merchant)).toBeNull()
  await slept.promise
  expect(await reads.begin(merchant)).not.toBeNull()
})

test('a read that found no connection in time is not carried out, and its turn is free', async () => {
  const reads = open({ idleMs: 5_000, partMs: 50 })
  const done = Promise.withResolvers<void>()
  for (let i = 0; i < LONG_READ_CONNECTIONS; i += 1) {
    const read = await reads.begin(newMerchant())
    await expect(read?.read(() => done.promise)).rejects.toThrow(DatabaseUnavailable)
  }
  const merchant = newMerchant()
  const late = await reads.begin(merchant)
  let isBegun = false
  const begin = async () => {
    isBegun = true
  }
  await expect(late?.read(begin)).rejects.toThrow(DatabaseUnavailable)
  late?.end()
  done.resolve()
  const next = await reads.begin(merchant)
  expect(await next?.read(async () => 1)).toBe(1)
  expect(isBegun).toBe(false)
})
