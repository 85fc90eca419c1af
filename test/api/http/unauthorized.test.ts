import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectError } from '../../support/api/answers.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

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
  ['POST', `/v1/invoices/${ID}/accept-partial`],
  ['POST', `/v1/invoices/${ID}/transactions`],
  ['POST', `/v1/invoices/${ID}/transactions/${ID}/accept`],
  ['POST', `/v1/invoices/${ID}/refunds`],
  ['GET', `/v1/invoices/${ID}/refunds`],
  ['GET', '/v1/recoveries'],
  ['GET', '/v1/reports/transactions.csv'],
  ['GET', '/v1/reports/daily'],
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

test('utility endpoints need no key', async () => {
  for (const path of ['/v1/utils/chains', '/v1/utils/tokens']) {
    expect((await rig.call('GET', path, { key: null })).status).toBe(200)
  }
})
