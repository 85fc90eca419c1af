import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stopOnParentDeath } from '../../dev/processes/child.ts'
import { type PostgresServer, startPostgres } from '../../dev/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../dev/servers/redis.ts'
import { closeRedis, openRedis, waitForRedis } from '../../store/redis/connection.ts'
import { eventually } from '../support/servers/devStack.ts'
import { type ApiRig, openRig, prepareLedger } from './rig.ts'

/** Servers of this file's own are really stopped, frozen and started again. */

const home = mkdtempSync('/tmp/remit-outage-')
let rig: ApiRig
let postgres: PostgresServer
let redis: RedisServer
const releases: (() => void)[] = []

async function bringPostgres(port: number): Promise<void> {
  postgres = await startPostgres({ dataDir: join(home, 'postgres'), port, durable: false })
  releases.push(stopOnParentDeath(postgres.pid, 'SIGINT'))
}

async function bringRedis(port: number): Promise<void> {
  redis = await startRedis({ dataDir: join(home, 'redis'), port })
  releases.push(stopOnParentDeath(redis.pid, 'SIGTERM'))
}

beforeAll(async () => {
  await bringPostgres(0)
  await bringRedis(0)
  await prepareLedger(postgres.url)
  rig = await openRig({ databaseUrl: postgres.url, redisUrl: redis.url })
}, 120_000)

afterAll(async () => {
  await rig.close()
  await redis.stop()
  await postgres.stop()
  for (const release of releases) release()
  rmSync(home, { recursive: true, force: true })
}, 120_000)

const BODY = { tokenSymbol: 'USDC', amountExpected: '10' }
const said = (message: string) => rig.log.filter((line) => line.msg === message).length

afterEach(() => {
  rig.log.splice(0)
})

describe('while Postgres is away', () => {
  test('every endpoint that needs it answers 503 at once, and works again without a restart', async () => {
    const { id } = await rig.create({ externalRef: 'before' })
    await postgres.stop()
    const started = performance.now()
    const answers = await Promise.all([
      rig.call('POST', '/v1/invoices', { body: BODY }),
      rig.call('GET', '/v1/invoices'),
      rig.call('GET', `/v1/invoices/${id}`),
      rig.call('GET', `/v1/invoices/${id}/transactions`),
      rig.call('POST', `/v1/invoices/${id}/expire`),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(answer.json).toMatchObject({ success: false, error: 'service unavailable' })
      expect(answer.json.traceId).toBe(answer.headers.get('x-trace-id') ?? '')
      expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000')
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1/)
    }
    expect(performance.now() - started).toBeLessThan(3_000)
    expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    expect((await rig.call('GET', '/health')).status).toBe(200)
    const ready = await rig.call('GET', '/ready')
    expect([ready.status, ready.json.problems]).toEqual([503, ['the database does not answer']])
    expect(said('database away')).toBe(1)

    await bringPostgres(postgres.port)
    const back = await eventually(
      () => rig.call('GET', `/v1/invoices/${id}`),
      (answer) => answer.status === 200,
    )
    expect(back.json.data.id).toBe(id)
    expect((await rig.create()).status).toBe('pending')
    expect(said('database back')).toBe(1)
  }, 120_000)

  test('a crowd of requests neither waits nor is carried out afterwards', async () => {
    await postgres.stop()
    await rig.call('GET', '/v1/invoices')
    const started = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => rig.call('POST', '/v1/invoices', { body: BODY })),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([503]))
    expect(performance.now() - started).toBeLessThan(1_000)
    await bringPostgres(postgres.port)
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      (answer) => answer.status === 200,
    )
    const [row] = await rig.database`select count(*)::int as invoices from invoice`
    expect(row).toEqual({ invoices: 2 })
  }, 120_000)
})

describe('while Redis is away', () => {
  test('requests are answered without a limit and without waiting, and the log says so once', async () => {
    await redis.stop()
    const started = performance.now()
    const answers = []
    for (let i = 0; i < 20; i++) answers.push(await rig.call('GET', '/v1/invoices'))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(performance.now() - started).toBeLessThan(1_000)
    const [first] = answers
    expect(first?.headers.get('x-ratelimit-limit')).toBe('1000000')
    expect(first?.headers.get('x-ratelimit-remaining')).toBe('1000000')
    expect((await rig.create()).status).toBe('pending')
    expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    const ready = await rig.call('GET', '/ready')
    expect(ready.json.problems?.[0]).toContain('Redis does not answer')
    expect(said('redis away')).toBe(1)

    await bringRedis(redis.port)
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      (answer) => Number(answer.headers.get('x-ratelimit-remaining')) < 1_000_000,
    )
    expect([said('redis away'), said('redis back')]).toEqual([1, 1])
  }, 120_000)

  test('a Redis that hangs costs a quarter of a second now and then, and no request', async () => {
    process.kill(redis.pid, 'SIGSTOP')
    try {
      const times: number[] = []
      for (let i = 0; i < 20; i++) {
        const started = performance.now()
        expect((await rig.call('GET', '/v1/invoices')).status).toBe(200)
        times.push(performance.now() - started)
      }
      expect(Math.max(...times)).toBeLessThan(1_000)
      expect(times.filter((ms) => ms > 150).length).toBeLessThanOrEqual(2)
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      (answer) => Number(answer.headers.get('x-ratelimit-remaining')) < 1_000_000,
    )
  }, 120_000)

  test('a connection that a full Redis turned away is made as soon as there is room', async () => {
    await rig.redis.send('CONFIG', 'SET', 'maxclients', '1')
    const turnedAway: Error[] = []
    const second = openRedis(redis.url, {
      name: 'test-second',
      onError: (error) => turnedAway.push(error),
    })
    await eventually(
      async () => turnedAway.length,
      (times) => times > 1,
    )
    await rig.redis.send('CONFIG', 'SET', 'maxclients', '100')
    await waitForRedis(second, 10_000)
    expect(await second.ping()).toBe('PONG')
    closeRedis(second)
  }, 120_000)
})
