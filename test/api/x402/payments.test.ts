import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import { expectDetail, expectError, ISO_TIME } from '../../support/api/answers.ts'
import { randomHash } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import {
  insertPayment,
  PAYER,
  type PaymentChange,
  paymentOf,
  paymentsOf,
  register,
  SEPOLIA_USDC,
  UNKNOWN_ID,
  USDC,
} from '../../support/api/x402Calls.ts'

const OTHER_PAYER = lowerCaseAddress('0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc')

let rig: ApiRig
let endpoint: EndpointJson

beforeAll(async () => {
  rig = await openRig()
  endpoint = await register(rig)
}, 120_000)

afterAll(() => rig.close())

describe('a payment', () => {
  test('is read by its id, with all that is known of it', async () => {
    const nonce = randomHash()
    const id = await insertPayment(rig, endpoint, { nonce, status: 'settled' })
    const answer = await rig.call('GET', `/v1/x402/payments/${id.toUpperCase()}`)
    expect(answer.status).toBe(200)
    expect<object>(paymentOf(answer)).toEqual({
      id,
      merchantId: endpoint.merchantId,
      endpointId: endpoint.id,
      status: 'settled',
      scheme: 'exact',
      permitted: null,
      error: null,
      network: 'eip155:84532',
      networkId: 'base-sepolia',
      asset: USDC,
      tokenSymbol: 'USDC',
      payer: PAYER,
      payTo: endpoint.payTo,
      amount: '0.01',
      nonce,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      logIndex: 3,
      blockNumber: 7,
      refundedAmount: '0.00',
      refundingAmount: '0.00',
      direct: false,
      distributionId: null,
      fee: null,
      feeOwed: '0.00',
      merchantAmount: null,
      validAfter: '0',
      validBefore: '1790000000',
      createdAt: expect.stringMatching(ISO_TIME),
      settledAt: '2026-08-01T12:00:02.000Z',
      confirmedAt: null,
    })
  })

  test('shows the share of its payout, once there was one', async () => {
    const id = await insertPayment(rig, endpoint, { status: 'settled' })
    await rig.database`
      update x402_payment set distribution_id = ${UNKNOWN_ID}, fee = 50 where id = ${id}`
    const payment = paymentOf(await rig.call('GET', `/v1/x402/payments/${id}`))
    expect(payment).toMatchObject({
      distributionId: UNKNOWN_ID,
      fee: '0.00005',
      merchantAmount: '0.00995',
    })
  })

  test('that failed says why', async () => {
    const id = await insertPayment(rig, endpoint, { status: 'failed' })
    const payment = paymentOf(await rig.call('GET', `/v1/x402/payments/${id}`))
    expect(payment).toMatchObject({ status: 'failed', error: 'payment_expired', transaction: null })
  })

  test('is not found when it is unknown or another merchant’s', async () => {
    const { secretKey: key } = await rig.newMerchant()
    const theirs = await insertPayment(rig, await register(rig, {}, { key }))
    for (const id of [UNKNOWN_ID, theirs]) {
      expectError(await rig.call('GET', `/v1/x402/payments/${id}`), 404, 'payment not found')
    }
  })

  test('needs an id that is a UUID', async () => {
    for (const id of ['7', '%zz', `${UNKNOWN_ID}0`]) {
      const answer = await rig.call('GET', `/v1/x402/payments/${id}`)
      expectDetail(answer, 'invalid payment id', 'id')
    }
  })
})

describe('the list of payments', () => {
  /** The newest first. */
  const ids: string[] = []
  let key: string
  let other: EndpointJson

  beforeAll(async () => {
    key = (await rig.newMerchant()).secretKey
    const mine = await register(rig, {}, { key })
    other = await register(rig, {}, { key })
    const changes: [EndpointJson, PaymentChange][] = [
      [mine, {}],
      [mine, { status: 'settled' }],
      [other, { status: 'settled', payer: OTHER_PAYER }],
      [other, { status: 'failed', network: 'sepolia', asset: SEPOLIA_USDC.toLowerCase() }],
    ]
    for (const [i, [of, change]] of changes.entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, i))
      ids.unshift(await insertPayment(rig, of, { ...change, createdAt }))
    }
  })

  async function listed(query: string): Promise<readonly string[]> {
    const answer = await rig.call('GET', `/v1/x402/payments${query}`, { key })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    return paymentsOf(answer).data.map(({ id }) => id)
  }

  function chosen(...places: number[]): string[] {
    return places.map((place) => ids[place] ?? '')
  }

  test('has the newest first, of this merchant alone', async () => {
    expect(await listed('')).toEqual(chosen(0, 1, 2, 3))
  })

  test('is paged like every list', async () => {
    expect(await listed('?limit=3&page=2')).toEqual(chosen(3))
    expect(await listed('?limit=2&offset=1')).toEqual(chosen(1, 2))
    const answer = await rig.call('GET', '/v1/x402/payments?limit=3', { key })
    const pagination = { page: 1, limit: 3, total: 4, totalPages: 2 }
    expect(paymentsOf(answer).metadata).toEqual({ pagination })
  })

  async function nonceOf(id = ''): Promise<string> {
    const answer = await rig.call('GET', '/v1/x402/payments', { key })
    return paymentsOf(answer).data.find((payment) => payment.id === id)?.nonce ?? ''
  }

  test('is filtered by status, endpoint, payer, nonce, network and time', async () => {
    expect(await listed('?status=settled')).toEqual(chosen(1, 2))
    expect(await listed(`?endpointId=${other.id.toUpperCase()}`)).toEqual(chosen(0, 1))
    const payer = checksumAddress(OTHER_PAYER)
    expect(await listed(`?payer=${payer}`)).toEqual(chosen(1))
    const nonce = await nonceOf(ids[2])
    expect(await listed(`?nonce=${nonce}`)).toEqual(chosen(2))
    expect(await listed('?network=sepolia')).toEqual(chosen(0))
    expect(await listed('?network=eip155:84532')).toEqual(chosen(1, 2, 3))
    expect(await listed('?createdFrom=2026-01-01T00:02:00Z')).toEqual(chosen(0, 1))
    expect(await listed('?createdTo=2026-01-01T00:01:00Z')).toEqual(chosen(2, 3))
    expect(await listed(`?status=settled&endpointId=${other.id}`)).toEqual(chosen(1))
  })

  test.each([
    ['status', 'not_found'],
    ['endpointId', '7'],
    ['payer', '0x15d3'],
    ['payer', PAYER.slice(2)],
    ['network', 'ethereum'],
    ['createdFrom', 'yesterday'],
    ['limit', '0'],
    ['nonce', `0x${'00'.repeat(31)}`],
  ])('400 invalid query parameters, for %s=%s', async (name, value) => {
    const answer = await rig.call('GET', `/v1/x402/payments?${name}=${value}`)
    expectDetail(answer, 'invalid query parameters', name)
  })
})
