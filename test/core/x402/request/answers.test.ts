import { describe, expect, test } from 'bun:test'
import { SettleResponseSchema, VerifyResponseSchema } from 'x402/types'
import { asX402PaymentId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import {
  presentStatus,
  presentX402Payment,
  type X402Payment,
} from '../../../../core/x402/presentPayment.ts'
import { explainReason, REASONS } from '../../../../core/x402/reasons.ts'
import {
  settleAnswer,
  verifyAnswer,
  withExtensions,
} from '../../../../core/x402/request/answers.ts'
import { presentRequirements } from '../../../../core/x402/requirements.ts'
import {
  AUTHORIZATION,
  BASE_SEPOLIA,
  ENDPOINT_ID,
  MERCHANT_ID,
  NONCE,
  PAY_TO,
  PAYER,
  SEPOLIA,
  USDC,
} from '../../../support/core/x402Requests.ts'

const USDC_CHECKSUMMED = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const PAY_TO_CHECKSUMMED = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const HASH = `0x${'cd'.repeat(32)}` as const
const PAYMENT_ID = asX402PaymentId('0198c1e0-0000-7000-8000-000000000001')
const SETTLED_AT = new Date('2026-06-01T12:00:00.5Z')

const SUCCESS = {
  success: true,
  paymentId: PAYMENT_ID,
  network: 'base-sepolia',
  payer: PAYER,
  asset: USDC,
  amount: 10_000n,
  transaction: HASH,
  settledAt: SETTLED_AT,
} as const

describe('the answer of verify', () => {
  test('names the payer of a good payment, and nothing else', () => {
    expect(verifyAnswer({ isValid: true, payer: PAYER })).toEqual({ isValid: true, payer: PAYER })
  })

  test('names the reason, a sentence, and the payer as far as he is known', () => {
    const outcome = { isValid: false, reason: 'payment_expired', payer: PAYER } as const
    expect(verifyAnswer(outcome)).toEqual({
      isValid: false,
      invalidReason: 'payment_expired',
      invalidMessage: 'the authorization has expired',
      payer: PAYER,
    })
    const unknown = verifyAnswer({ ...outcome, payer: null, message: 'it ended at noon' })
    expect(unknown).not.toHaveProperty('payer')
    expect(unknown.invalidMessage).toBe('it ended at noon')
    expect(VerifyResponseSchema.safeParse(unknown).success).toBe(true)
  })
})

describe('the answer of settle', () => {
  test('has for the client of version 2 what stock servers would drop', () => {
    const answer = settleAnswer(SUCCESS)
    const { paymentId, asset, settledAt } = answer
    const remit = { paymentId, asset, settledAt }
    const shown = withExtensions(answer, null)
    expect<unknown>(shown).toEqual({ ...answer, extensions: { remit } })
    const bazaar = { status: 'success' }
    expect<unknown>(withExtensions(answer, bazaar)).toEqual({
      ...answer,
      extensions: { bazaar, remit },
    })
    const { paymentId: _, ...unclaimed } = answer
    expect<unknown>(withExtensions(unclaimed, null)).toEqual(unclaimed)
  })

  test('has the field names of the caller’s dialect', () => {
    const answer = settleAnswer(SUCCESS)
    expect<unknown>(answer).toEqual({
      success: true,
      transaction: HASH,
      network: 'base-sepolia',
      payer: PAYER,
      amount: '10000',
      asset: USDC_CHECKSUMMED,
      paymentId: PAYMENT_ID,
      settledAt: '2026-06-01T12:00:00.500Z',
    })
    expect(SettleResponseSchema.safeParse(answer).success).toBe(true)
  })

  test('names the reason under every name that a client looks for', () => {
    const answer = settleAnswer({
      success: false,
      reason: 'insufficient_funds',
      network: 'eip155:84532',
      payer: null,
    })
    expect(answer).toEqual({
      success: false,
      transaction: '',
      network: 'eip155:84532',
      settledAt: null,
      error: 'insufficient_funds',
      errorReason: 'insufficient_funds',
      error_reason: 'insufficient_funds',
      errorMessage: explainReason('insufficient_funds'),
    })
  })

  test('of a payment that was answered before still tells where it is', () => {
    const duplicate = { ...SUCCESS, success: false, reason: 'duplicate_settlement' } as const
    expect(settleAnswer(duplicate)).toMatchObject({
      success: false,
      error: 'duplicate_settlement',
      transaction: HASH,
      paymentId: PAYMENT_ID,
      settledAt: '2026-06-01T12:00:00.500Z',
    })
  })

  test('of one that is under way has the newest hash, or none', () => {
    const pending = { success: false, reason: 'settlement_pending', payer: PAYER } as const
    const network = 'eip155:84532'
    expect(settleAnswer({ ...pending, network, transaction: null }).transaction).toBe('')
    expect(settleAnswer({ ...pending, network, transaction: HASH }).transaction).toBe(HASH)
  })
})

test('every reason has a sentence of its own', () => {
  const sentences = REASONS.map(explainReason)
  expect(new Set(sentences).size).toBe(REASONS.length)
})

describe('the requirements of an endpoint', () => {
  const price = {
    id: ENDPOINT_ID,
    merchantId: MERCHANT_ID,
    asset: USDC,
    amount: baseUnits(10_000n),
    description: 'a report',
  } as const

  test('are the payment option of a 402 response', () => {
    expect<unknown>(presentRequirements(price, PAY_TO, BASE_SEPOLIA)).toEqual({
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: USDC_CHECKSUMMED,
      payTo: PAY_TO_CHECKSUMMED,
      maxTimeoutSeconds: 300,
      extra: { name: 'USDC', version: '2', merchantId: MERCHANT_ID, endpointId: ENDPOINT_ID },
      description: 'a report',
    })
  })

  test('are a fault for an asset that takes no authorizations', () => {
    expect(() => presentRequirements(price, PAY_TO, SEPOLIA)).toThrow(
      'takes no authorizations on sepolia',
    )
  })
})

describe('a payment', () => {
  const payment: X402Payment = {
    id: PAYMENT_ID,
    merchantId: MERCHANT_ID,
    endpointId: ENDPOINT_ID,
    networkId: 'base-sepolia',
    asset: USDC,
    payer: PAYER,
    authorizationNonce: NONCE,
    payTo: PAY_TO,
    amount: baseUnits(1_000_000n),
    refunded: baseUnits(0n),
    refunding: baseUnits(0n),
    validAfter: AUTHORIZATION.validAfter,
    validBefore: AUTHORIZATION.validBefore,
    status: 'settled',
    reason: null,
    txHash: HASH,
    logIndex: 7,
    blockNumber: 100n,
    distributionId: null,
    fee: null,
    scheme: 'exact',
    permitNonce: null,
    permitted: null,
    direct: false,
    feeOwed: baseUnits(0n),
    version: 1,
    createdAt: SETTLED_AT,
    settledAt: SETTLED_AT,
    confirmedAt: null,
  }

  test('is shown with all that is known of it', () => {
    expect<unknown>(presentX402Payment(payment, BASE_SEPOLIA)).toEqual({
      id: PAYMENT_ID,
      merchantId: MERCHANT_ID,
      endpointId: ENDPOINT_ID,
      status: 'settled',
      error: null,
      network: 'eip155:84532',
      networkId: 'base-sepolia',
      asset: USDC_CHECKSUMMED,
      tokenSymbol: 'USDC',
      payer: PAYER,
      payTo: PAY_TO_CHECKSUMMED,
      amount: '1.00',
      scheme: 'exact',
      permitted: null,
      nonce: NONCE,
      transaction: HASH,
      logIndex: 7,
      blockNumber: 100,
      distributionId: null,
      fee: null,
      direct: false,
      feeOwed: '0.00',
      merchantAmount: null,
      refundedAmount: '0.00',
      refundingAmount: '0.00',
      validAfter: '0',
      validBefore: '1900000000',
      createdAt: '2026-06-01T12:00:00.500Z',
      settledAt: '2026-06-01T12:00:00.500Z',
      confirmedAt: null,
    })
  })

  test('shows its fee and what is left of it once it is distributed', () => {
    const shown = presentX402Payment({ ...payment, fee: baseUnits(5_001n) }, BASE_SEPOLIA)
    expect([shown.fee, shown.merchantAmount]).toEqual(['0.005001', '0.994999'])
  })

  test('has a public status', () => {
    const small = { ...payment, amount: baseUnits(10_000n) }
    expect<unknown>(presentStatus(small, BASE_SEPOLIA)).toEqual({
      nonce: NONCE,
      status: 'settled',
      paymentId: PAYMENT_ID,
      transaction: HASH,
      network: 'eip155:84532',
      payer: PAYER,
      amount: '0.01',
      asset: USDC_CHECKSUMMED,
      payTo: PAY_TO_CHECKSUMMED,
      endpointId: ENDPOINT_ID,
      error: null,
      settledAt: '2026-06-01T12:00:00.500Z',
    })
  })

  test('in a token that the registry does not know is a fault', () => {
    expect(() => presentStatus(payment, SEPOLIA)).toThrow('has no token')
  })
})
