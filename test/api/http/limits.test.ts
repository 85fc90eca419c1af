import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createGuards } from '../../../api/http/guards.ts'
import { createLimits } from '../../../api/http/rateLimit.ts'
import { openRateLimiter } from '../../../store/redis/rateLimit.ts'
import { exchangeWith } from '../../support/api/people.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig({
    variables: {
      RATE_LIMIT_AUTHENTICATED: '10',
      RATE_LIMIT_UTILITY: '5',
      TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
    },
  })
}, 120_000)

afterAll(() => rig.close())

function headersOf(answer: Answer): (string | null)[] {
  return ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'].map((name) =>
    answer.headers.get(name),
  )
}

describe('X-RateLimit-Limit and X-RateLimit-Remaining', () => {
  test('are on every response of an authenticated endpoint, errors included', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const long = 'x'.repeat(300_000)
    const answers = [
      await rig.call('POST', '/v1/invoices', {
        key,
        body: { tokenSymbol: 'USDC', amountExpected: 1 },
      }),
      await rig.call('GET', '/v1/invoices', { key }),
      await rig.call('GET', '/v1/invoices?limit=0', { key }),
      await rig.call('GET', '/v1/invoices/7', { key }),
      await rig.call('GET', `/v1/invoices/${Bun.randomUUIDv7()}/transactions`, { key }),
      await rig.call('POST', '/v1/invoices', { key, body: long }),
      await rig.call('POST', `/v1/invoices/${Bun.randomUUIDv7()}/expire`, { key }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([201, 200, 400, 400, 404, 413, 404])
    expect(answers.map(headersOf)).toEqual(
      ['9', '8', '7', '6', '5', '4', '3'].map((left) => ['10', left, null]),
    )
  })

  test('are on every response of a utility endpoint, counted by client address', async () => {
    rig.setPeer('198.51.100.20')
    const first = await rig.call('GET', '/v1/utils/chains', { key: null })
    const second = await rig.call('GET', '/v1/utils/tokens', { key: null })
    expect([first, second].map(headersOf)).toEqual([
      ['5', '4', null],
      ['5', '3', null],
    ])
  })

  test('are on 401, counted by client address and not by merchant', async () => {
    rig.setPeer('198.51.100.21')
    const first = await rig.call('GET', '/v1/invoices', { key: null })
    const second = await rig.call('GET', '/v1/invoices', { key: 'sk_test_wrong' })
    expect([first, second].map(headersOf)).toEqual([
      ['10', '9', null],
      ['10', '8', null],
    ])
  })

  test('are not on endpoints without a limit', async () => {
    for (const path of ['/health', '/ready', '/nowhere']) {
      expect(headersOf(await rig.call('GET', path))).toEqual([null, null, null])
    }
  })
})

describe('429 too many requests', () => {
  test('comes with Retry-After and nothing remaining when a merchant is over its limit', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const started = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => rig.call('GET', '/v1/invoices', { key })),
    )
    const passed = Math.ceil((performance.now() - started) / 1_000)
    const admitted = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status === 429)
    expect([admitted.length, refused.length]).toEqual([10, 4])
    for (const answer of refused) {
      expect(answer.json.error).toBe('too many requests')
      expect(answer.json.success).toBe(false)
      const [limit, remaining, retryAfter] = headersOf(answer)
      expect([limit, remaining]).toEqual(['10', '0'])
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(60 - passed)
      expect(Number(retryAfter)).toBeLessThanOrEqual(60)
    }
    const other = await rig.newMerchant()
    expect((await rig.call('GET', '/v1/invoices', { key: other.secretKey })).status).toBe(200)
  })

  test('comes before whatever is wrong with a request, without waiting for it, and nothing is done', async () => {
    const { secretKey: key, merchant } = await rig.newMerchant()
    for (let i = 0; i < 10; i++) await rig.call('GET', '/v1/invoices', { key })
    const unending = new ReadableStream<Uint8Array>()
    const bodies = [{ tokenSymbol: 'USDC', amountExpected: 1 }, '{', 'x'.repeat(300_000), unending]
    const answers = await Promise.all(
      bodies.map((body) => rig.call('POST', '/v1/invoices', { key, body })),
    )
    expect(answers.map((answer) => answer.status)).toEqual([429, 429, 429, 429])
    const rows = await rig.database`select from invoice where merchant_id = ${merchant.id}`
    expect(rows).toHaveLength(0)
    const headers = { 'idempotency-key': '' }
    expect((await rig.call('POST', '/v1/invoices', { key, headers, body: {} })).status).toBe(429)
  })

  test('is no fault of the process where a request fails before it asks for it', async () => {
    const { secretKey: key } = await rig.newMerchant()
    for (let i = 0; i < 10; i++) await rig.call('GET', '/v1/invoices', { key })
    const guards = createGuards(rig.deps, createLimits(rig.deps))
    const request = new Request('http://localhost:3000/', { headers: { 'x-service-key': key } })
    const exchange = { ...exchangeWith(null), request, operationId: 'createInvoice' }
    const { admission } = await guards.merchantEarly(exchange)
    // Meanwhile it is refused; `bun test` fails for a rejection that nothing handles.
    await Bun.sleep(500)
    await expect(admission).rejects.toThrow('too many requests')
  })

  test('stops a client that guesses keys, but not a merchant at the same address', async () => {
    rig.setPeer('198.51.100.30')
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      statuses.push((await rig.call('GET', '/v1/invoices', { key: `guess-${i}` })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    const { secretKey: key } = await rig.newMerchant()
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(200)
  })

  test('stops a client of the utility endpoints, both together', async () => {
    rig.setPeer('198.51.100.31')
    const statuses: number[] = []
    for (const path of ['chains', 'tokens', 'chains', 'tokens', 'chains', 'tokens']) {
      statuses.push((await rig.call('GET', `/v1/utils/${path}`, { key: null })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('a client', () => {
  async function remaining(peer: string, forwardedFor?: string): Promise<string | null> {
    rig.setPeer(peer)
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const answer = await rig.call('GET', '/v1/utils/chains', { key: null, headers })
    return answer.headers.get('x-ratelimit-remaining')
  }

  test('is an IPv4 address, or an IPv6 network of 64 bits', async () => {
    expect(await remaining('2001:db8:1:1::1')).toBe('4')
    expect(await remaining('2001:db8:1:1:ffff::2')).toBe('3')
    expect(await remaining('2001:db8:1:2::1')).toBe('4')
    expect(await remaining('192.0.2.1')).toBe('4')
    expect(await remaining('::ffff:192.0.2.1')).toBe('3')
    expect(await remaining('192.0.2.2')).toBe('4')
  })

  test('cannot make itself another party by X-Forwarded-For', async () => {
    expect(await remaining('192.0.2.40', '192.0.2.41')).toBe('4')
    expect(await remaining('192.0.2.40', '192.0.2.42')).toBe('3')
  })

  test('is read from X-Forwarded-For as far as the hops are trusted proxies', async () => {
    expect(await remaining('10.1.2.3', '192.0.2.50')).toBe('4')
    expect(await remaining('10.9.9.9', '203.0.113.99, 192.0.2.50')).toBe('3')
    expect(await remaining('fd00::1', 'nonsense, 192.0.2.50:4711, 10.1.1.1')).toBe('2')
    expect(await remaining('10.1.2.3', '[2001:db8:9::1]:80')).toBe('4')
    expect(await remaining('10.1.2.3')).toBe('4')
    expect(await remaining('10.1.2.3', 'nonsense')).toBe('3')
  })
})

describe('the sliding window', () => {
  test('admits exactly the limit in every window, and the next as soon as one leaves it', async () => {
    const events: string[] = []
    const limiter = openRateLimiter(
      rig.redis,
      `${rig.config.redisPrefix}-window`,
      { onOutage: () => events.push('outage'), onRecovery: () => events.push('recovery') },
      500,
    )
    const admissions: { readonly before: number; readonly after: number }[] = []
    while (admissions.length < 31) {
      const before = performance.now()
      const { isAdmitted } = await limiter.take('subject', 10)
      if (isAdmitted) admissions.push({ before, after: performance.now() })
      await Bun.sleep(3)
    }
    // Any eleven admissions span more than a window: each was counted between its question and its answer.
    const spans = admissions.slice(10).map(({ after }, i) => after - (admissions[i]?.before ?? 0))
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(500)
    expect(events).toEqual([])
  })

  test('admits exactly 120 of 130 that come together', async () => {
    const limiter = openRateLimiter(rig.redis, `${rig.config.redisPrefix}-burst`, {
      onOutage: () => {},
      onRecovery: () => {},
    })
    const verdicts = await Promise.all(Array.from({ length: 130 }, () => limiter.take('all', 120)))
    expect(verdicts.filter((verdict) => verdict.isAdmitted)).toHaveLength(120)
    expect(verdicts.filter((verdict) => verdict.remaining === 0)).toHaveLength(11)
    expect(await limiter.peek('all', 120)).toMatchObject({ isAdmitted: false, remaining: 0 })
    expect(await limiter.peek('other', 120)).toMatchObject({ isAdmitted: true, remaining: 120 })
  })

  test('is one for all processes, however many requests of theirs are counted together', async () => {
    const open = () => {
      const events = { onOutage: () => {}, onRecovery: () => {} }
      return openRateLimiter(rig.redis, `${rig.config.redisPrefix}-processes`, events)
    }
    const [one, another, third] = [open(), open(), open()]
    const admitted: number[] = []
    for (const [size, limiter] of [
      [7, one],
      [1, another],
      [12, one],
      [40, another],
      [5, third],
    ] as const) {
      const all = Array.from({ length: size }, () => limiter.take('all', 25))
      admitted.push((await Promise.all(all)).filter(({ isAdmitted }) => isAdmitted).length)
      // So that seconds tell which of them would have to leave the window.
      if (size === 7) await Bun.sleep(1_500)
    }
    expect(admitted).toEqual([7, 1, 12, 5, 0])
    const full = await third.peek('all', 25)
    const lowered = await third.peek('all', 18)
    expect(lowered).toMatchObject({ isAdmitted: false, remaining: 0, retryAfter: 60 })
    expect(full.retryAfter).toBeLessThan(60)
  })

  test('goes on when Redis has forgotten the script', async () => {
    await rig.redis.send('SCRIPT', 'FLUSH')
    const { secretKey: key } = await rig.newMerchant()
    const answer = await rig.call('GET', '/v1/invoices', { key })
    expect(headersOf(answer)).toEqual(['10', '9', null])
  })
})
