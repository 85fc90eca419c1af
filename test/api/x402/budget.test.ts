import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

/** What a caller's requests may cost beyond their number. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ variables: { REQUEST_BUDGET: '20' } })
})
afterAll(() => rig.close())

const LARGE = { junk: 'x'.repeat(250_000) }

function post(action: 'verify' | 'settle', body: unknown, key: string | null): Promise<Answer> {
  return rig.call('POST', `/v1/x402/${action}`, { key, body })
}

describe.each(['verify', 'settle'] as const)('%s', (action) => {
  test('of large bodies spends the budget of the address, whoever calls; small ones cost nothing', async () => {
    rig.setPeer(action === 'verify' ? '198.51.100.1' : '198.51.100.2')
    const keys = [null, rig.merchant.secretKey, null]
    const answers = []
    // 250 KB are 15 units.
    for (const key of keys) answers.push(await post(action, LARGE, key))
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429])
    const [, refused] = answers
    expect(refused?.json).toMatchObject({ success: false, error: 'request budget exceeded' })
    expect(refused?.json.traceId).toBe(refused?.headers.get('x-trace-id') ?? '')
    // Ten units are missing, and twenty come back in a minute.
    const retryAfter = Number(refused?.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(25)
    expect(retryAfter).toBeLessThanOrEqual(30)
    expect(refused?.headers.get('x-ratelimit-limit')).toBe('300000')
    for (let i = 0; i < 30; i += 1) expect((await post(action, {}, null)).status).toBe(200)
    rig.setPeer('198.51.100.3')
    expect((await post(action, {}, null)).status).toBe(200)
  })
})

test('a body that does not say its length costs the same', async () => {
  rig.setPeer('198.51.101.1')
  const statuses = []
  for (let i = 0; i < 2; i += 1) {
    const body = new Blob([JSON.stringify(LARGE)]).stream()
    statuses.push((await rig.call('POST', '/v1/x402/verify', { key: null, body })).status)
  }
  expect(statuses).toEqual([200, 429])
})

test('the /64s of a /56 have the budget of one client together, and those of a /48 of two', async () => {
  const from = async (peer: string) => {
    rig.setPeer(peer)
    return (await post('verify', LARGE, null)).status
  }
  expect(await from('2001:db8:1:100::1')).toBe(200)
  expect(await from('2001:db8:1:101::1')).toBe(429)
  expect(await from('2001:db8:1:200::1')).toBe(200)
  expect(await from('2001:db8:1:300::1')).toBe(429)
  expect(await from('2001:db8:2:300::1')).toBe(200)
})
