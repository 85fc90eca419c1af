import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOnParentDeath } from '../../../dev/processes/child.ts'
import { type PostgresServer, startPostgres } from '../../../dev/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../../dev/servers/redis.ts'
import { DEADLINE_MS } from '../../../store/database/availability.ts'
import { closeRedis, openRedis, waitForRedis } from '../../../store/redis/connection.ts'
import { openRateLimiter } from '../../../store/redis/rateLimit.ts'
import { newMember } from '../../support/api/people.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Servers of this file's own are really stopped, frozen and started again. */

const ORIGIN = 'http://localhost:3000'
const home = mkdtempSync(join(tmpdir(), 'remit-outage-'))
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
  rig = await openRig({
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    variables: {
      DASHBOARD_SECRET: 'a secret of thirty-two characters',
      DASHBOARD_URL: ORIGIN,
      RATE_LIMIT_SIGN_IN: '1000000',
    },
  })
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
      rig.call('POST', '/dashboard/auth/sign-in/email', {
        key: null,
        body: { email: 'ada@example.com', password: 'a password that nobody has' },
        headers: { origin: ORIGIN },
      }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(answer.json).toMatchObject({ success: false, error: 'service unavailable' })
      expect(answer.json.traceId).toBe(answer.headers.get('x-trace-id') ?? '')
      expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000')
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1/)
    }
    const accept = 'text/html,*/*;q=0.8'
    const page = await rig.call('GET', `/checkout/cs_${'A'.repeat(22)}`, { headers: { accept } })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ])
    expect(page.text).toContain('This page is unavailable right now')
    expect(page.text).not.toMatch(/ECONN|127\.0\.0\.1/)
    // Without the circuit breaker each waits until its deadline.
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS)
    expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    expect((await rig.call('GET', '/health')).status).toBe(200)
    const ready = await rig.call('GET', '/ready')
    expect([ready.status, ready.json.problems]).toEqual([503, ['the database does not respond']])
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
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS)
    await bringPostgres(postgres.port)
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      (answer) => answer.status === 200,
    )
    const [row] = await rig.database`select count(*)::int as invoices from invoice`
    expect(row).toEqual({ invoices: 2 })
  }, 120_000)

  test('a crowd of signed-in requests is refused in time, and answered after it is back', async () => {
    const { browser } = await newMember(rig, 'owner')
    const me = () => browser.send('GET', '/dashboard/api/me')
    expect((await me()).status).toBe(200)
    await postgres.stop()
    const started = performance.now()
    const statuses = async (requests: number) =>
      new Set((await Promise.all(Array.from({ length: requests }, me))).map(({ status }) => status))
    expect(await statuses(300)).toEqual(new Set([503]))
    expect(performance.now() - started).toBeLessThan(DEADLINE_MS + 1_000)
    const known = performance.now()
    expect(await statuses(300)).toEqual(new Set([503]))
    expect(performance.now() - known).toBeLessThan(DEADLINE_MS)
    await bringPostgres(postgres.port)
    await eventually(me, ({ status }) => status === 200)
  }, 120_000)
})

describe('while Redis is away', () => {
  test('requests are answered without waiting, the process counts them, and the log says so once', async () => {
    await redis.stop()
    const started = performance.now()
    const answers = []
    for (let i = 0; i < 20; i++) answers.push(await rig.call('GET', '/v1/invoices'))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    // A quarter of a second for each, if each of them asked Redis.
    expect(performance.now() - started).toBeLessThan(5_000)
    const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('1000000')
    expect(remaining).toEqual(remaining.map((_, i) => (remaining[0] ?? 0) - i))
    expect(remaining[0]).toBeLessThan(999_999)
    expect((await rig.create()).status).toBe('pending')
    expect((await rig.call('GET', '/v1/utils/chains')).status).toBe(200)
    const ready = await rig.call('GET', '/ready')
    expect(ready.json.problems?.[0]).toContain('Redis does not respond')
    expect(said('redis away')).toBe(1)

    await bringRedis(redis.port)
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      () => said('redis back') > 0,
    )
    expect([said('redis away'), said('redis back')]).toEqual([1, 1])
  }, 120_000)

  test('no one gets more than the limit, not in the minute when it goes nor when it comes back', async () => {
    const WINDOW_MS = 8_000
    const limiter = openRateLimiter(
      rig.redis,
      `${rig.config.redisPrefix}-away`,
      { onOutage: () => {}, onRecovery: () => {} },
      WINDOW_MS,
    )
    const count = async (requests: number) => {
      const verdicts = await Promise.all(
        Array.from({ length: requests }, () => limiter.take('subject', 10)),
      )
      return verdicts.filter(({ isAdmitted }) => isAdmitted).length
    }
    const started = performance.now()
    const before = await count(4)
    process.kill(redis.pid, 'SIGSTOP')
    let during: number
    try {
      during = await count(20)
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
    // The limiter leaves a Redis that failed alone for a second.
    await Bun.sleep(1_100)
    const after = await count(20)
    expect(performance.now() - started).toBeLessThan(WINDOW_MS)
    expect([before, during, after]).toEqual([4, 6, 0])
    // Redis knows of four only, and of those that it counted too late to be heard.
    const refused = await limiter.take('subject', 10)
    expect(refused).toMatchObject({ isAdmitted: false, remaining: 0 })
    await Bun.sleep(refused.retryAfter * 1_000)
    expect(await count(20)).toBeGreaterThan(0)
  }, 120_000)

  test('no one gets more than the limit when it was flushed and no one noticed', async () => {
    const limiter = openRateLimiter(rig.redis, `${rig.config.redisPrefix}-flushed`, {
      onOutage: () => {},
      onRecovery: () => {},
    })
    const admitted = async (requests: number) => {
      const verdicts = await Promise.all(
        Array.from({ length: requests }, () => limiter.take('subject', 10)),
      )
      return verdicts.filter(({ isAdmitted }) => isAdmitted).length
    }
    expect(await admitted(6)).toBe(6)
    expect((await limiter.spend(['subject'], 60, 100)).isAdmitted).toBe(true)
    await rig.redis.send('FLUSHALL')
    expect(await admitted(20)).toBe(4)
    expect((await limiter.spend(['subject'], 60, 100)).isAdmitted).toBe(false)
  })

  test('a process that was blocked does not take it for away', async () => {
    const outages: unknown[] = []
    const limiter = openRateLimiter(rig.redis, `${rig.config.redisPrefix}-blocked`, {
      onOutage: (error) => outages.push(error),
      onRecovery: () => {},
    })
    for (let i = 0; i < 3; i += 1) {
      const verdict = limiter.take('subject', 2)
      const end = performance.now() + 600
      while (performance.now() < end);
      expect((await verdict).isAdmitted).toBe(i < 2)
    }
    expect(outages).toEqual([])
  }, 120_000)

  test('a Redis that hangs costs a quarter of a second now and then, and no request', async () => {
    const scriptsRun = async () => {
      const text = String(await rig.redis.send('INFO', 'commandstats'))
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0)
    }
    const before = await scriptsRun()
    const started = performance.now()
    process.kill(redis.pid, 'SIGSTOP')
    try {
      for (let i = 0; i < 20; i++) {
        expect((await rig.call('GET', '/v1/invoices')).status).toBe(200)
      }
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
    // It is left alone for a second after each time that it was asked in vain.
    const seconds = Math.ceil((performance.now() - started) / 1_000)
    const after = await eventually(() => scriptsRun().catch(() => Number.NaN), Number.isInteger)
    expect(after - before).toBeLessThanOrEqual(1 + seconds)
    await eventually(
      () => rig.call('GET', '/v1/invoices'),
      () => said('redis back') > 0,
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
