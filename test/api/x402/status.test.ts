import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { EndpointJson } from '../../../core/x402/endpoint.ts'
import { expectDetail } from '../../support/api/answers.ts'
import { randomHash } from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import {
  insertPayment,
  PAYER,
  register,
  statusOf,
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

describe('the status of a nonce', () => {
  function ask(query: string, key: string | null = null): Promise<Answer> {
    return rig.call('GET', `/v1/x402/payments/status?${query}`, { key })
  }

  test('is told without a key, regardless of the capitals', async () => {
    const nonce = randomHash()
    const paymentId = await insertPayment(rig, endpoint, { nonce, status: 'settled' })
    const answer = await ask(`nonce=0x${nonce.slice(2).toUpperCase()}`)
    expect(answer.status).toBe(200)
    expect<object>(statusOf(answer)).toEqual({
      nonce,
      status: 'settled',
      paymentId,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'eip155:84532',
      payer: PAYER,
      amount: '0.01',
      asset: USDC,
      payTo: endpoint.payTo,
      endpointId: endpoint.id,
      error: null,
      settledAt: '2026-08-01T12:00:02.000Z',
    })
  })

  test.each([
    ['pending', null],
    ['failed', 'payment_expired'],
  ] as const)('may be %s', async (status, error) => {
    const nonce = randomHash()
    await insertPayment(rig, endpoint, { nonce, status })
    const found = statusOf(await ask(`nonce=${nonce}`))
    expect(found).toMatchObject({ status, error, transaction: null, settledAt: null })
  })

  test('is not_found of an unknown one, and no error', async () => {
    const nonce = randomHash()
    const answer = await ask(`nonce=${nonce}`)
    expect([answer.status, answer.text]).toEqual([
      200,
      JSON.stringify({ success: true, data: { nonce, status: 'not_found' } }),
    ])
  })

  test('is narrowed by payer, network, endpoint and amount; of several the newest is shown', async () => {
    const nonce = randomHash()
    const other = await register(rig, { amountUsd: 1 })
    const first = await insertPayment(rig, endpoint, {
      nonce,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    })
    const second = await insertPayment(rig, other, {
      nonce,
      payer: OTHER_PAYER,
      createdAt: new Date('2026-01-02T00:00:00Z'),
    })
    const found = async (query: string) =>
      statusOf(await ask(`nonce=${nonce}${query}`)).paymentId ?? null
    expect(await found('')).toBe(second)
    expect(await found(`&payer=${checksumAddress(PAYER)}`)).toBe(first)
    expect(await found(`&payer=${OTHER_PAYER}`)).toBe(second)
    expect(await found(`&endpointId=${endpoint.id}`)).toBe(first)
    expect(await found('&amount=0.010')).toBe(first)
    expect(await found('&amount=1.00')).toBe(second)
    expect(await found('&network=base-sepolia')).toBe(second)
    expect(await found('&network=eip155:11155111')).toBeNull()
    expect(await found(`&payer=${PAYER}&amount=1`)).toBeNull()
    expect(await found(`&endpointId=${UNKNOWN_ID}`)).toBeNull()
  })

  test('is not_found with the key of a merchant whom the payment does not pay', async () => {
    const nonce = randomHash()
    await insertPayment(rig, endpoint, { nonce, status: 'settled' })
    const { secretKey } = await rig.newMerchant()
    expect(statusOf(await ask(`nonce=${nonce}`, secretKey)).status).toBe('not_found')
    expect(statusOf(await ask(`nonce=${nonce}`, rig.merchant.secretKey)).status).toBe('settled')
  })

  test.each([
    ['without a nonce', '', 'nonce'],
    ['for a short nonce', 'nonce=0x12', 'nonce'],
    ['for a nonce without 0x', `nonce=${'00'.repeat(32)}`, 'nonce'],
    ['for a nonce that is no number', `nonce=0x${'zz'.repeat(32)}`, 'nonce'],
    ['for a payer that is none', 'payer=me', 'payer'],
    ['for an unknown network', 'network=eip155:1', 'network'],
    ['for an endpoint that is no UUID', 'endpointId=1', 'endpointId'],
    ['for an amount of zero', 'amount=0', 'amount'],
    ['for an amount with an exponent', 'amount=1e3', 'amount'],
    ['for an unknown parameter', 'id=1', 'id'],
  ])('400 invalid query parameters, %s', async (_what, query, path) => {
    expectDetail(await ask(query), 'invalid query parameters', path)
  })
})
