import { describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import type { Facts } from '../../../../core/x402/facts.ts'
import type { Reason } from '../../../../core/x402/reasons.ts'
import {
  checkFacts,
  checkTime,
  findTermsProblem,
  type KnownTerms,
  reasonOfRevert,
  timingOf,
} from '../../../../core/x402/request/checks.ts'
import type { PaymentRequest, Requirements } from '../../../../core/x402/terms.ts'
import {
  AUTHORIZATION,
  aRequest,
  ENDPOINT_ID,
  MERCHANT_ID,
  PAY_TO,
  PAYER,
  SEPOLIA,
  someFacts,
  USDC,
} from '../../../support/core/x402Requests.ts'

/** Each check by itself: what passes, what does not, and the reason. */

const VALID_AFTER = 'invalid_exact_evm_payload_authorization_valid_after'
const VALID_BEFORE = 'invalid_exact_evm_payload_authorization_valid_before'
const OTHER_ID = asMerchantId('0198c1df-0000-7000-8000-000000000000')

function known(change: Partial<KnownTerms> = {}): KnownTerms {
  return {
    payee: { merchantId: MERCHANT_ID },
    endpoint: anEndpoint(),
    keyMerchantId: null,
    minAmount: baseUnits(1n),
    hub: PAY_TO,
    purpose: 'verify',
    ...change,
  }
}

function anEndpoint(change: Partial<NonNullable<KnownTerms['endpoint']>> = {}) {
  return {
    id: ENDPOINT_ID,
    merchantId: MERCHANT_ID,
    networkId: 'base-sepolia',
    asset: USDC,
    amount: baseUnits(10_000n),
    active: true,
    isFormerPrice: false,
    ...change,
  }
}

function asking(change: Partial<Requirements>): PaymentRequest {
  const request = aRequest()
  return { ...request, requirements: { ...request.requirements, ...change } }
}

function paying(change: Partial<PaymentRequest['authorization']>): PaymentRequest {
  return aRequest({ authorization: { ...AUTHORIZATION, ...change } })
}

function expectProblem(
  request: PaymentRequest,
  terms: KnownTerms,
  reason: Reason,
  message: string,
): void {
  const problem = findTermsProblem(request, terms)
  expect(problem?.reason).toBe(reason)
  expect(problem?.message).toContain(message)
}

describe('the terms of a payment', () => {
  test('are in order when they are those of the endpoint', () => {
    expect(findTermsProblem(aRequest(), known())).toBeNull()
    expect(findTermsProblem(aRequest(), known({ keyMerchantId: MERCHANT_ID }))).toBeNull()
  })

  test('need neither endpoint nor merchant nor domain, as stock middleware sends none', () => {
    const bare = asking({ endpointId: null, merchantId: null, name: null, version: null })
    expect(findTermsProblem(bare, known({ endpoint: null }))).toBeNull()
  })

  test.each([
    ['the asset is no USDC', asking({ asset: PAYER }), known(), 'is not the USDC of base-sepolia'],
    [
      'the asset is the USDC of another chain',
      aRequest({ chain: SEPOLIA }),
      known(),
      'is not the USDC of sepolia',
    ],
    ['the domain has another name', asking({ name: 'USD Coin' }), known(), 'extra.name must be'],
    ['the domain has another version', asking({ version: '1' }), known(), 'extra.version must be'],
    ['the merchant is another one', asking({ merchantId: OTHER_ID }), known(), 'extra.merchantId'],
    [
      'the key is of another merchant',
      aRequest(),
      known({ keyMerchantId: OTHER_ID }),
      'whose key was sent',
    ],
    ['the endpoint is unknown', aRequest(), known({ endpoint: null }), 'names no endpoint'],
    [
      'the endpoint is of another merchant',
      aRequest(),
      known({ endpoint: anEndpoint({ merchantId: OTHER_ID }) }),
      'of the merchant of extra.endpointId',
    ],
    [
      'the endpoint is not active',
      aRequest(),
      known({ endpoint: anEndpoint({ active: false }) }),
      'is not active',
    ],
    [
      'the endpoint is on another network',
      aRequest(),
      known({ endpoint: anEndpoint({ networkId: 'sepolia' }) }),
      'requires a payment on sepolia',
    ],
    [
      'the endpoint takes another asset',
      aRequest(),
      known({ endpoint: anEndpoint({ asset: PAYER }) }),
      `requires a payment in ${PAYER}`,
    ],
    [
      'the endpoint has another price',
      aRequest(),
      known({ endpoint: anEndpoint({ amount: baseUnits(20_000n) }) }),
      'requires 20000 base units',
    ],
    [
      'the amount is not worth settling',
      aRequest(),
      known({ minAmount: baseUnits(10_001n) }),
      'the least payment on base-sepolia is 10001 base units',
    ],
  ])('are refused when %s', (_, request, terms, message) => {
    expectProblem(request, terms, 'invalid_payment_requirements', message)
  })

  test('are refused when no one has registered payTo, by a reason of its own', () => {
    const message = `register it by POST /v1/x402/addresses/${aRequest().requirements.payTo}`
    expectProblem(aRequest(), known({ payee: null }), 'pay_to_not_registered', message)
  })

  test('are in order at a price that was replaced a moment ago, while the endpoint is active', () => {
    const replaced = { amount: baseUnits(20_000n), isFormerPrice: true }
    expect(findTermsProblem(aRequest(), known({ endpoint: anEndpoint(replaced) }))).toBeNull()
    const off = known({ endpoint: anEndpoint({ ...replaced, active: false }) })
    expectProblem(aRequest(), off, 'invalid_payment_requirements', 'is not active')
  })

  test('are refused when the authorization pays another party', () => {
    const reason = 'invalid_exact_evm_payload_recipient_mismatch'
    expectProblem(paying({ to: PAYER }), known(), reason, PAYER)
  })

  test.each([0n, 9_999n, 10_001n])('are refused when the authorization is over %p', (value) => {
    const reason = 'invalid_exact_evm_payload_authorization_value_mismatch'
    expectProblem(paying({ value }), known(), reason, `over ${value} base units`)
  })
})

describe('the time of an authorization', () => {
  const within = (validAfter: bigint, validBefore: bigint) => ({
    ...AUTHORIZATION,
    validAfter,
    validBefore,
  })

  test.each([
    ['is right between the bounds', 101n, 107n, null],
    ['is too early at validAfter itself', 102n, 200n, VALID_AFTER],
    ['is too early before validAfter', 150n, 200n, VALID_AFTER],
    ['is over at validBefore itself', 0n, 102n, 'payment_expired'],
    ['is over after validBefore', 0n, 50n, 'payment_expired'],
    ['is too short with less than the margin', 0n, 106n, VALID_BEFORE],
    ['is long enough with just the margin', 0n, 107n, null],
  ] satisfies [string, bigint, bigint, Reason | null][])(
    '%s',
    (_, validAfter, validBefore, outcome) => {
      expect(checkTime(within(validAfter, validBefore), 102n, 90n, 5n)).toBe(outcome)
    },
  )

  test('is the later one of chain and clock', () => {
    const authorization = within(100n, 200n)
    expect(checkTime(authorization, 50n, 101n, 5n)).toBeNull()
    expect(checkTime(authorization, 101n, 50n, 5n)).toBeNull()
    expect(checkTime(authorization, 101n, 200n, 5n)).toBe('payment_expired')
    expect(checkTime(authorization, 200n, 101n, 5n)).toBe('payment_expired')
  })
})

describe('the earliest block that can carry a payment', () => {
  test.each([
    ['is the next one of the chain', 100n, 90n, 12_000, 112n],
    ['is a second later at least', 100n, 90n, 250, 101n],
    ['is not made before the next second, on a chain that was idle', 50n, 100n, 2_000, 101n],
  ] as const)('%s', (_, blockTime, now, blockTimeMs, earliest) => {
    expect(timingOf(blockTime, now, blockTimeMs).earliest).toBe(earliest)
  })

  test('is later than validAfter, and what is left counts from now', () => {
    const authorization = { ...AUTHORIZATION, validAfter: 111n, validBefore: 118n }
    expect(checkTime(authorization, 100n, 90n, 18n, 112n)).toBeNull()
    expect(checkTime({ ...authorization, validBefore: 117n }, 100n, 90n, 18n, 112n)).toBe(
      VALID_BEFORE,
    )
    expect(checkTime({ ...authorization, validAfter: 112n }, 100n, 90n, 18n, 112n)).toBe(
      VALID_AFTER,
    )
  })
})

describe('what the chain says', () => {
  const CODE_HASH = '0xc0dec0dec0dec0de'
  const SIGNATURE_REASON = 'invalid_exact_evm_payload_signature'
  const failing = (error: string): Partial<Facts> => ({ trial: { ok: false, error } })

  test('lets a payment pass that is covered to the unit', () => {
    expect(checkFacts(aRequest(), someFacts(), 0n)).toBeNull()
  })

  test('lets a token pass that has neither list nor pause', () => {
    const facts = someFacts({ isPayerBlacklisted: null, isPayeeBlacklisted: null, isPaused: null })
    expect(checkFacts(aRequest(), facts, 0n)).toBeNull()
  })

  test.each([
    ['the asset is no contract', { tokenHasCode: false, isUsed: true }, 'asset_not_deployed'],
    ['the authorization was used', { isUsed: true, balance: 0n }, 'authorization_used'],
    ['the token is paused', { isPaused: true }, 'token_paused'],
    ['the payer is blocked', { isPayerBlacklisted: true }, 'payer_blacklisted'],
    ['the payee is blocked', { isPayeeBlacklisted: true }, 'payee_blacklisted'],
    ['a unit is missing', { balance: 9_999n }, 'insufficient_funds'],
    ['a key signed wrongly', failing('FiatTokenV2: invalid signature'), SIGNATURE_REASON],
    ['a transfer fails without a reason', failing(''), 'invalid_transaction_state'],
    [
      'a wallet refuses',
      { payerCodeHash: CODE_HASH, ...failing('WalletError()') },
      SIGNATURE_REASON,
    ],
    [
      "a wallet's payment is too early",
      { payerCodeHash: CODE_HASH, ...failing('FiatTokenV2: authorization is not yet valid') },
      VALID_AFTER,
    ],
  ] satisfies [string, Partial<Facts>, Reason][])('refuses when %s', (_, change, reason) => {
    expect(checkFacts(aRequest(), someFacts(change), 0n)).toBe(reason)
  })

  test('counts what is promised of the balance already', () => {
    expect(checkFacts(aRequest(), someFacts({ balance: 10_005n }), 5n)).toBeNull()
    expect(checkFacts(aRequest(), someFacts({ balance: 10_005n }), 6n)).toBe('insufficient_funds')
    expect(checkFacts(aRequest(), someFacts({ balance: 5n }), 6n)).toBe('insufficient_funds')
  })

  test("does not hold the old block of a quiet chain against a key's authorization", () => {
    const facts = someFacts(failing('FiatTokenV2: authorization is not yet valid'))
    expect(checkFacts(aRequest(), facts, 0n)).toBeNull()
  })
})

describe('the words with which the token reverts', () => {
  test.each([
    ['FiatTokenV2: authorization is used or canceled', 'authorization_used'],
    ['FiatTokenV2: authorization is expired', 'payment_expired'],
    ["ECRecover: invalid signature 's' value", 'invalid_exact_evm_payload_signature'],
    ['execution reverted: Blacklistable: account is blacklisted', 'payer_blacklisted'],
    ['Pausable: paused', 'token_paused'],
    ['ERC20: transfer amount exceeds balance', 'insufficient_funds'],
  ] satisfies [string, Reason][])('%p mean %s', (text, reason) => {
    expect(reasonOfRevert(text)).toBe(reason)
  })

  test('mean nothing when they are not its own', () => {
    expect(reasonOfRevert('')).toBeNull()
    expect(reasonOfRevert('NotEnoughGas()')).toBeNull()
  })
})
