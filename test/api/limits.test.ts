import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { openRateLimiter } from '../../store/rateLimit.ts'
import { createDatabase, redisPrefix } from '../support/servers.ts'
import { expectError } from './answers.ts'
import {
  type Answer,
  type ApiRig,
  openRig,
  prepareLedger,
  type RigOptions,
  readConfig,
} from './rig.ts'

const opened: ApiRig[] = []
let databaseUrl: string
beforeAll(async () => {
  databaseUrl = (await createDatabase(prepareLedger)).url
})
afterEach(async () => {
  for (const rig of opened.splice(0)) await rig.close()
})

async function open(
  variables: Readonly<Record<string, string>>,
  options: RigOptions = {},
): Promise<ApiRig> {
  const rig = await openRig({ databaseUrl, ...options, variables })
  opened.push(rig)
  return rig
}

const limitOf = (answer: Answer) => answer.headers.get('x-ratelimit-limit')
const remainingOf = (answer: Answer) => answer.headers.get('x-ratelimit-remaining')
const LIST = ['GET', '/v1/invoices'] as const
const CHAINS = ['GET', '/v1/utils/chains'] as const
const NOBODYS = '019a0000-0000-7000-8000-000000000000'

describe('by default', () => {
  test('authenticated endpoints have 120 and utility endpoints 60 requests a minute', () => {
    const plain = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' }
    const { limits } = readConfig({
      ...plain,
      RATE_LIMIT_AUTHENTICATED: '',
      RATE_LIMIT_UTILITY: '',
    })
    expect(limits).toMatchObject({ authenticated: 120, utility: 60 })
  })

  test('X-RateLimit-Limit says 120 to a merchant and 60 on utility endpoints', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '', RATE_LIMIT_UTILITY: '' })
    expect(limitOf(await rig.call(...LIST))).toBe('120')
    expect(limitOf(await rig.call(...CHAINS))).toBe('60')
    expect(limitOf(await rig.call('GET', '/v1/utils/tokens'))).toBe('60')
  })

  test('the 121st request of a merchant within a minute is refused', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '' })
    const answers = await Promise.all(Array.from({ length: 121 }, () => rig.call(...LIST)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('the 61st request to utility endpoints within a minute is refused', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '' })
    const answers = await Promise.all(Array.from({ length: 61 }, () => rig.call(...CHAINS)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('X-RateLimit-Remaining', () => {
  test('counts down to 0 and stays 0 while requests are refused', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '3' })
    const seen: (string | null)[] = []
    for (let i = 0; i < 5; i++) seen.push(remainingOf(await rig.call(...LIST)))
    expect(seen).toEqual(['2', '1', '0', '0', '0'])
  })

  test.each([
    ['400', 'POST', '/v1/invoices'],
    ['400', 'GET', '/v1/invoices?limit=x'],
    ['400', 'GET', '/v1/invoices/7'],
    ['404', 'GET', `/v1/invoices/${NOBODYS}`],
    ['404', 'GET', `/v1/invoices/${NOBODYS}/transactions`],
    ['404', 'POST', `/v1/invoices/${NOBODYS}/expire`],
  ])('is on a %s of %s %s as well', async (status, method, path) => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '9' })
    const answer = await rig.call(method, path)
    expect([String(answer.status), limitOf(answer), remainingOf(answer)]).toEqual([
      status,
      '9',
      '8',
    ])
  })

  test('is on a 401, a 409 and a 413 as well', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '9' })
    const stranger = await rig.call(...LIST, { key: null })
    expect([stranger.status, limitOf(stranger), remainingOf(stranger)]).toEqual([401, '9', '8'])
    await rig.create({ externalRef: 'a' })
    const body = { tokenSymbol: 'USDC', amountExpected: 1, externalRef: 'a' }
    const conflict = await rig.call('POST', '/v1/invoices', { body })
    expect([conflict.status, limitOf(conflict), remainingOf(conflict)]).toEqual([409, '9', '7'])
    const large = await rig.call('POST', '/v1/invoices', { body: 'x'.repeat(300_000) })
    expect([large.status, limitOf(large), remainingOf(large)]).toEqual([413, '9', '6'])
  })

  test('is on a 201 and a 200', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '9' })
    const body = { tokenSymbol: 'USDC', amountExpected: 1 }
    const created = await rig.call('POST', '/v1/invoices', { body })
    expect([created.status, remainingOf(created)]).toEqual([201, '8'])
    expect(remainingOf(await rig.call(...LIST))).toBe('7')
  })

  test('is not on /health, which nobody limits', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1' })
    for (let i = 0; i < 3; i++) {
      const answer = await rig.call('GET', '/health', { key: null })
      expect([answer.status, remainingOf(answer)]).toEqual([200, null])
    }
  })
})

describe('Retry-After', () => {
  test('is only on a 429, in whole seconds until a request is admitted again', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '1' })
    const admitted = await rig.call(...LIST)
    expect(admitted.headers.get('retry-after')).toBeNull()
    const refused = await rig.call(...LIST)
    expectError(refused, 429, 'too many requests')
    expect([limitOf(refused), remainingOf(refused)]).toEqual(['1', '0'])
    const seconds = refused.headers.get('retry-after')
    expect(seconds).toMatch(/^[0-9]+$/)
    expect(Number(seconds)).toBeGreaterThan(55)
    expect(Number(seconds)).toBeLessThanOrEqual(60)
  })

  test('is kept: whoever waits for it is admitted', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '1' }, { windowMs: 900 })
    await rig.call(...LIST)
    const refused = await rig.call(...LIST)
    expect(refused.headers.get('retry-after')).toBe('1')
    await Bun.sleep(1_000)
    expect((await rig.call(...LIST)).status).toBe(200)
  })
})

describe('the window slides', () => {
  test('and frees one place when the oldest request leaves it, not all at once', async () => {
    const windowMs = 1_500
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '2' }, { windowMs })
    await rig.call(...LIST)
    await Bun.sleep(windowMs / 2)
    await rig.call(...LIST)
    while ((await rig.call(...LIST)).status === 429) await Bun.sleep(20)
    expect((await rig.call(...LIST)).status).toBe(429)
  })

  test('and refused requests do not lengthen the wait', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '1' }, { windowMs: 600 })
    const start = performance.now()
    await rig.call(...LIST)
    while ((await rig.call(...LIST)).status === 429) await Bun.sleep(10)
    expect(performance.now() - start).toBeLessThan(1_100)
  })

  test('for requests of one and the same moment too', async () => {
    const rig = await open({})
    const limiter = openRateLimiter(rig.redis, redisPrefix(), { onOutage() {}, onRecovery() {} })
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.take('me', 20)))
    expect(verdicts.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(20)
  })
})

describe('requests are counted', () => {
  test('by merchant: one at its limit holds up nobody else', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '1' })
    const other = await rig.newMerchant()
    await rig.call(...LIST)
    expect((await rig.call(...LIST)).status).toBe(429)
    expect((await rig.call(...LIST, { key: other.secretKey })).status).toBe(200)
  })

  test('by merchant, whatever address it calls from and whichever endpoint it calls', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '1' })
    await rig.call(...LIST)
    rig.setPeer('198.51.100.99')
    expect((await rig.call('GET', `/v1/invoices/${NOBODYS}`)).status).toBe(429)
  })

  test('by address without a valid key, so that guessing keys ends in 429', async () => {
    const rig = await open({ RATE_LIMIT_AUTHENTICATED: '2' })
    const guess = { key: `sk_test_${'A'.repeat(43)}` }
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await rig.call(...LIST, guess)).status)
    expect(statuses).toEqual([401, 401, 429])
    expect((await rig.call(...LIST)).status).toBe(200)
    rig.setPeer('198.51.100.99')
    expect((await rig.call(...LIST, guess)).status).toBe(401)
  })

  test('by address on utility endpoints, chains and tokens together', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '2' })
    await rig.call(...CHAINS)
    await rig.call('GET', '/v1/utils/tokens')
    expectError(await rig.call(...CHAINS), 429, 'too many requests')
    rig.setPeer('198.51.100.99')
    expect((await rig.call(...CHAINS)).status).toBe(200)
  })

  test('by /64 for IPv6: all addresses of one customer are one client', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1' })
    rig.setPeer('2001:db8:1:2::1')
    expect((await rig.call(...CHAINS)).status).toBe(200)
    rig.setPeer('2001:db8:1:2:ffff:ffff:ffff:9')
    expect((await rig.call(...CHAINS)).status).toBe(429)
    rig.setPeer('2001:db8:1:3::1')
    expect((await rig.call(...CHAINS)).status).toBe(200)
  })

  test('by IPv4 address, also when the socket writes it as an IPv6 one', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1' })
    rig.setPeer('::ffff:203.0.113.7')
    await rig.call(...CHAINS)
    rig.setPeer('203.0.113.7')
    expect((await rig.call(...CHAINS)).status).toBe(429)
    rig.setPeer('203.0.113.8')
    expect((await rig.call(...CHAINS)).status).toBe(200)
  })
})

describe('X-Forwarded-For', () => {
  function from(rig: ApiRig, forwarded: string) {
    return rig.call(...CHAINS, { headers: { 'x-forwarded-for': forwarded } })
  }

  test('is ignored from anybody who is no trusted proxy', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1' })
    expect((await from(rig, '198.51.100.1')).status).toBe(200)
    expect((await from(rig, '198.51.100.2')).status).toBe(429)
  })

  test('names the client when it comes through TRUSTED_PROXIES', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1', TRUSTED_PROXIES: '10.0.0.0/8' })
    rig.setPeer('10.1.2.3')
    expect((await from(rig, '198.51.100.1')).status).toBe(200)
    expect((await from(rig, '198.51.100.2')).status).toBe(200)
    expect((await from(rig, '198.51.100.1')).status).toBe(429)
  })

  test('is believed from its end only: what the client itself wrote changes nothing', async () => {
    const rig = await open({ RATE_LIMIT_UTILITY: '1', TRUSTED_PROXIES: '10.0.0.0/8,fd00::/8' })
    rig.setPeer('fd00::1')
    expect((await from(rig, '192.0.2.1, 198.51.100.1, 10.9.9.9')).status).toBe(200)
    expect((await from(rig, '192.0.2.2, 198.51.100.1, 10.9.9.9')).status).toBe(429)
  })
})
