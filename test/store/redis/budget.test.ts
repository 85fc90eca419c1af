import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openBudget } from '../../../store/redis/budget.ts'
import {
  closeRedis,
  openRedis,
  type RedisConnection,
  waitForRedis,
} from '../../../store/redis/connection.ts'
import { type Outage, watchOutage } from '../../../store/redis/outage.ts'
import { redisPrefix, redisUrl } from '../../support/servers/run.ts'

/** Budgets: how much may be spent within a minute, and how soon again. */

const MINUTE = 60_000

let redis: RedisConnection
beforeAll(async () => {
  redis = openRedis(await redisUrl(), { name: 'test-budget', onError: () => {} })
  await waitForRedis(redis, 2_000)
})
afterAll(() => closeRedis(redis))

const SILENT = { onOutage: () => {}, onRecovery: () => {} }
/** Redis as it is, and a process that has to do without it. */
const WITH_REDIS = () => watchOutage(SILENT)
const ALONE = (): Outage => ({ decide: async (_, alone) => alone() })

describe.each([
  ['in Redis', WITH_REDIS],
  ['in the process alone', ALONE],
])('a budget %s', (_, outage) => {
  const open = (windowMs = MINUTE, kept?: number) =>
    openBudget(redis, redisPrefix(), outage(), windowMs, kept)

  test('is spent to its last unit and not beyond, and the refusal says when there is more', async () => {
    const budget = open()
    const spent = []
    for (let i = 0; i < 12; i += 1) spent.push(await budget.spend(['client'], 10, 100))
    expect(spent.map(({ isAdmitted }) => isAdmitted)).toEqual([
      ...Array(10).fill(true),
      false,
      false,
    ])
    // Ten units of a hundred come back in six seconds, some of which are over.
    for (const { retryAfter } of spent.slice(10)) expect(retryAfter).toBeWithin(3, 7)
    expect(await budget.spend(['another'], 100, 100)).toEqual({ isAdmitted: true, retryAfter: 0 })
    expect((await budget.spend(['another'], 1, 100)).isAdmitted).toBe(false)
  })

  test('admits exactly what it holds to requests that come together', async () => {
    const budget = open()
    const all = Array.from({ length: 50 }, () => budget.spend(['together'], 5, 100))
    const admitted = (await Promise.all(all)).filter(({ isAdmitted }) => isAdmitted)
    expect(admitted).toHaveLength(20)
  })

  test('fills again while time passes, and what was refused has cost nothing', async () => {
    const budget = open(4_000)
    expect((await budget.spend(['client'], 100, 100)).isAdmitted).toBe(true)
    for (let i = 0; i < 5; i += 1) await budget.spend(['client'], 50, 100)
    await Bun.sleep(2_100)
    expect((await budget.spend(['client'], 50, 100)).isAdmitted).toBe(true)
    expect((await budget.spend(['client'], 50, 100)).isAdmitted).toBe(false)
  })

  test('pays for what is dearer than all of it, when it is full', async () => {
    const budget = open()
    expect((await budget.spend(['client'], 500, 100)).isAdmitted).toBe(true)
    const { isAdmitted, retryAfter } = await budget.spend(['client'], 1, 100)
    expect(isAdmitted).toBe(false)
    expect(retryAfter).toBeWithin(235, 242)
  })

  test('of networks is as low as the lowest of them, and the widest has that of two clients', async () => {
    const budget = open()
    const spend = async (client: string, units: number) =>
      (await budget.spend([client, 'site'], units, 100)).isAdmitted
    expect([await spend('a', 100), await spend('b', 60)]).toEqual([true, true])
    // What the site refuses costs the client nothing.
    expect([await spend('c', 80), await spend('c', 39)]).toEqual([false, true])
    expect((await budget.spend(['c', 'another site'], 60, 100)).isAdmitted).toBe(true)
    expect((await budget.spend(['c', 'another site'], 10, 100)).isAdmitted).toBe(false)
  })
})

test('what another process took out of any of the networks counts', async () => {
  const prefix = redisPrefix()
  const spend = async (...networks: string[]) => {
    const budget = openBudget(redis, prefix, WITH_REDIS(), MINUTE)
    return (await budget.spend(networks, 70, 100)).isAdmitted
  }
  expect([await spend('a', '/56', '/48'), await spend('b', '/56', '/48')]).toEqual([true, false])
  expect([await spend('b', 'c', '/48'), await spend('d', 'e', '/48')]).toEqual([true, false])
})

test('a process remembers so many spenders, and forgets who spent least recently', async () => {
  const budget = openBudget(redis, redisPrefix(), ALONE(), MINUTE, 2)
  for (const client of ['a', 'b', 'c']) await budget.spend([client], 100, 100)
  const again = []
  for (const client of ['c', 'b']) again.push((await budget.spend([client], 1, 100)).isAdmitted)
  expect(again).toEqual([false, false])
  expect((await budget.spend(['a'], 1, 100)).isAdmitted).toBe(true)
})

test('what was spent before Redis went away counts while it is away, and what is spent then, after', async () => {
  let isAway = false
  const events: string[] = []
  const shaky: RedisConnection = {
    ...redis,
    send: (command, ...args) =>
      isAway ? Promise.reject(new Error('away')) : redis.send(command, ...args),
  }
  const outage = watchOutage({
    onOutage: () => events.push('away'),
    onRecovery: () => events.push('back'),
  })
  const budget = openBudget(shaky, redisPrefix(), outage, MINUTE)
  expect((await budget.spend(['client'], 40, 100)).isAdmitted).toBe(true)
  isAway = true
  expect((await budget.spend(['client'], 70, 100)).isAdmitted).toBe(false)
  expect((await budget.spend(['client'], 60, 100)).isAdmitted).toBe(true)
  isAway = false
  await Bun.sleep(1_050)
  // Redis knows of 40 only.
  expect((await budget.spend(['client'], 30, 100)).isAdmitted).toBe(false)
  await budget.spend(['nobody'], 1, 100)
  expect((await budget.spend(['client'], 30, 100)).isAdmitted).toBe(false)
  expect(events).toEqual(['away', 'back'])
})
