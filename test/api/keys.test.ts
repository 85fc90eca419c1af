import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../api/app.ts'
import { rotateKey } from '../../store/apiKeys.ts'
import { expectError } from './answers.ts'
import { type ApiRig, openRig } from './rig.ts'

let rig: ApiRig
let live: ApiRig
beforeAll(async () => {
  rig = await openRig()
  live = await openRig({
    variables: { REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' },
  })
})
afterAll(async () => {
  await rig.close()
  await live.close()
})

const ID = '019a0000-0000-7000-8000-000000000000'
const ENDPOINTS = [
  ['POST', '/v1/invoices'],
  ['GET', '/v1/invoices'],
  ['GET', `/v1/invoices/${ID}`],
  ['GET', `/v1/invoices/${ID}/transactions`],
  ['POST', `/v1/invoices/${ID}/expire`],
] as const

describe.each([...ENDPOINTS])('%s %s answers 401 "unauthorized"', (method, path) => {
  test('without a key', async () => {
    expectError(await rig.call(method, path, { key: null }), 401, 'unauthorized')
  })

  test.each([
    ['an empty key', ''],
    ['a key that nobody has', `sk_test_${'A'.repeat(43)}`],
    ['something that is no key at all', 'Bearer token'],
    ['a key of a thousand letters', `sk_test_${'A'.repeat(1000)}`],
  ])('to %s', async (_what, key) => {
    const headers = { 'x-service-key': key }
    expectError(await rig.call(method, path, { key: null, headers }), 401, 'unauthorized')
  })

  test('to a publishable key, which is no secret', async () => {
    const { publishableKey } = rig.merchant
    expectError(await rig.call(method, path, { key: publishableKey }), 401, 'unauthorized')
  })

  test('to a key of the other environment', async () => {
    const answer = await rig.call(method, path, { key: live.merchant.secretKey })
    expectError(answer, 401, 'unauthorized')
    const other = await live.call(method, path, { key: rig.merchant.secretKey })
    expectError(other, 401, 'unauthorized')
  })
})

describe('a key', () => {
  test('has the prefix of its kind and environment, and 32 random bytes', () => {
    expect(rig.merchant.secretKey).toMatch(/^sk_test_[\w-]{43}$/)
    expect(rig.merchant.publishableKey).toMatch(/^pk_test_[\w-]{43}$/)
    expect(live.merchant.secretKey).toMatch(/^sk_live_[\w-]{43}$/)
    expect(live.merchant.publishableKey).toMatch(/^pk_live_[\w-]{43}$/)
  })

  test('is stored only as its SHA-256', async () => {
    const { secretKey, merchant } = rig.merchant
    const rows = await rig.database`select * from api_key where merchant_id = ${merchant.id}`
    const hash = new Bun.CryptoHasher('sha256').update(secretKey).digest('hex')
    expect(rows.map((row) => row.hash.toString('hex'))).toContain(hash)
    expect(JSON.stringify(rows)).not.toContain(secretKey.slice(8, -4))
  })

  test('is refused at once by every process when it was rotated, and the new one works', async () => {
    const { merchant, secretKey } = await rig.newMerchant()
    const second = createApp(rig.deps)
    const ask = async (key: string) => {
      const headers = { 'x-service-key': key }
      const request = () => new Request('http://localhost/v1/invoices', { headers })
      const other = await second.handle(request())
      return [(await rig.call('GET', '/v1/invoices', { key })).status, other.status]
    }
    expect(await ask(secretKey)).toEqual([200, 200])
    const fresh = await rotateKey(rig.database, 'sandbox', merchant.id, 'secret')
    expect(await ask(secretKey)).toEqual([401, 401])
    expect(await ask(fresh ?? '')).toEqual([200, 200])
  })

  test('rotated many times at once leaves exactly one that works', async () => {
    const { merchant } = await rig.newMerchant()
    const keys = await Promise.all(
      [1, 2, 3].map(() => rotateKey(rig.database, 'sandbox', merchant.id, 'secret')),
    )
    const statuses = await Promise.all(
      keys.map(async (key) => (await rig.call('GET', '/v1/invoices', { key })).status),
    )
    expect(statuses.sort()).toEqual([200, 401, 401])
  })

  test('is not needed on utility endpoints', async () => {
    for (const path of ['/v1/utils/chains', '/v1/utils/tokens']) {
      expect((await rig.call('GET', path, { key: null })).status).toBe(200)
    }
  })
})
