import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectError } from '../../support/api/answers.ts'
import { newPrice, newSession } from '../../support/api/checkoutCalls.ts'
import { type NamedOperation, operationsOf, readDocument } from '../../support/api/document.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** What a browser has is worth a session of a price, and nothing else. */

let rig: ApiRig
let operations: readonly NamedOperation[]
beforeAll(async () => {
  rig = await openRig({
    variables: {
      RATE_LIMIT_SESSIONS: '4',
      CHECKOUT_UNPAID_PER_DAY: '3',
      CHECKOUT_UNPAID_PER_CLIENT: '2',
    },
  })
  operations = operationsOf(await readDocument(rig))
}, 120_000)
afterAll(() => rig.close())

/** What anyone may call, with a key or without. */
const PUBLIC = [
  'GET /health',
  'GET /ready',
  'GET /v1/checkout/sessions/{id}',
  'GET /v1/checkout/sessions/{id}/events',
  'GET /v1/utils/chains',
  'GET /v1/utils/tokens',
  'GET /v1/x402/discovery/resources',
  'GET /v1/x402/discovery/search',
  'POST /v1/checkout/sessions/{id}/authorizations',
  'POST /v1/checkout/sessions/{id}/choice',
  'POST /v1/checkout/sessions/{id}/refund-address',
  'POST /v1/checkout/sessions/{id}/transactions',
]
const SESSIONS = 'POST /v1/checkout/sessions'

test('the publishable key is refused by every route but the one that makes sessions', async () => {
  const isPublic = ({ operation }: NamedOperation) => (operation.security ?? []).length === 0
  expect(operations.filter(isPublic).map(({ name }) => name)).toEqual(
    expect.arrayContaining(PUBLIC),
  )
  expect(operations.filter(isPublic)).toHaveLength(PUBLIC.length)
  const guarded = operations.filter((one) => !isPublic(one) && one.name !== SESSIONS)
  expect(guarded.length).toBeGreaterThan(40)
  for (const { name } of guarded) {
    const [method = '', path = ''] = name.split(' ')
    const filled = path.replace(/\{\w+\}/g, '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4')
    const answer = await rig.call(method, filled, { key: rig.merchant.publishableKey })
    expect({ name, status: answer.status }).toEqual({ name, status: 401 })
  }
})

test('it makes so many sessions a minute from one address', async () => {
  const { id: price } = await newPrice(rig)
  for (let i = 0; i < 4; i += 1) await newSession(rig, { price })
  const call = () =>
    rig.call('POST', '/v1/checkout/sessions', {
      key: rig.merchant.publishableKey,
      body: { price },
    })
  const refused = await call()
  expectError(refused, 429, 'too many requests')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  rig.setPeer('198.51.100.9')
  expect((await call()).status).toBe(201)
})

test('payers of one merchant have so many unpaid invoices made within a day', async () => {
  const other = await rig.newMerchant()
  const { id: price } = await newPrice(rig, {}, other.secretKey)
  const session = async () => (await newSession(rig, { price }, other.publishableKey)).id
  const choice = async (id: string) =>
    rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDC' },
    })
  const ids = [await session(), await session(), await session(), await session()]
  for (const id of ids.slice(0, 2)) expect((await choice(id)).status).toBe(200)
  // One address alone never has all others refused.
  expectError(await choice(ids[2] ?? ''), 429, 'too many unpaid invoices')
  rig.setPeer('198.51.100.77')
  expect((await choice(ids[2] ?? '')).status).toBe(200)
  const last = ids[3] ?? ''
  expectError(await choice(last), 429, 'too many unpaid invoices')
  await rig.database`
    update checkout_session_invoice set paid_at = now() where session_id = ${ids[0] ?? ''}`
  expect((await choice(last)).status).toBe(200)
})
