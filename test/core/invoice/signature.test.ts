import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { ALL_CHAINS, chainNamed } from '../../../core/chain/registry.ts'
import {
  amountToSign,
  authorizationState,
  costOfSignature,
  findSignatureProblem,
  isWorthGas,
  latestEnd,
  signableToken,
} from '../../../core/invoice/signature.ts'
import { anInvoice, NOW } from '../../support/core/invoiceRows.ts'

const seconds = BigInt(NOW.getTime() / 1000)
const after = (s: number) => new Date(NOW.getTime() + s * 1000)
const on = (networkId: string) => chainNamed(networkId, ALL_CHAINS)

describe('what may be signed', () => {
  test('is what was neither received, seen nor claimed', () => {
    const invoice = anInvoice({ receivedAmount: baseUnits(100n), pendingAmount: baseUnits(20n) })
    expect(amountToSign(invoice, 3n, NOW)).toBe(baseUnits(999_877n))
    expect(amountToSign(invoice, 999_880n, NOW)).toBe(baseUnits(0n))
    expect(amountToSign(invoice, 2_000_000n, NOW)).toBe(baseUnits(0n))
  })

  test('is nothing once the rest is tolerated, or the payment window has ended', () => {
    const tolerant = anInvoice({
      underpaymentTolerance: baseUnits(10n),
      receivedAmount: baseUnits(999_990n),
    })
    expect(amountToSign(tolerant, 0n, NOW)).toBe(baseUnits(0n))
    expect(amountToSign(anInvoice({ expiresAt: NOW }), 0n, NOW)).toBe(baseUnits(0n))
    expect(amountToSign(anInvoice({ closedAt: NOW }), 0n, NOW)).toBe(baseUnits(0n))
    expect(amountToSign(anInvoice({ expiresAt: after(1) }), 0n, NOW)).toBe(baseUnits(1_000_000n))
  })

  test('names its token where it has EIP-3009 and the chain is offered', () => {
    const invoice = anInvoice({ chains: ['base', 'ethereum'] })
    expect(signableToken(on('base'), invoice)?.eip712).toEqual({ name: 'USD Coin', version: '2' })
    expect(signableToken(on('polygon'), invoice)).toBeNull()
    expect(signableToken(on('base'), { ...invoice, tokenSymbol: 'USDT' })).toBeNull()
    // A transfer there costs dollars: the operator has to enable it.
    expect(signableToken(on('ethereum'), invoice)).toBeNull()
  })

  test('is at least what is worth its gas', () => {
    expect(isWorthGas(on('base'), 100_000n, 6)).toBe(true)
    expect(isWorthGas(on('base'), 99_999n, 6)).toBe(false)
    expect(isWorthGas(on('base'), 100_000n, 18)).toBe(false)
    expect(isWorthGas(on('ethereum'), 1_000_000_000n, 6)).toBe(false)
    expect(isWorthGas(on('base-sepolia'), 1n, 6)).toBe(true)
  })

  test('ends within minutes, and with the payment window', () => {
    expect(latestEnd(anInvoice(), NOW)).toBe(seconds + 360n)
    expect(latestEnd(anInvoice({ expiresAt: after(90) }), NOW)).toBe(seconds + 91n)
    expect(latestEnd(anInvoice({ expiresAt: after(9_000) }), NOW)).toBe(seconds + 360n)
  })
})

describe('an authorization is refused', () => {
  const signed = { value: 1_000_000n, validBefore: seconds + 300n }
  const problem = (change = {}, terms = {}, claimed = 0n) =>
    findSignatureProblem(anInvoice(change), claimed, { ...signed, ...terms }, NOW)

  test('for an amount that is not due, a validity that is too long, and what is paid', () => {
    expect(problem()).toBeNull()
    expect(problem({}, { value: 999_999n })).toBe('amount_not_due')
    expect(problem({}, { value: 1_000_001n })).toBe('amount_not_due')
    expect(problem({}, { validBefore: seconds + 361n })).toBe('valid_too_long')
    expect(problem({ expiresAt: after(100) }, {})).toBe('valid_too_long')
    expect(problem({ status: 'paid' })).toBe('not_payable')
    expect(problem({ status: 'completed' })).toBe('not_payable')
  })

  test('while another one is on its way, and for less than the rest beside it', () => {
    expect(problem({}, {}, 1_000_000n)).toBe('in_flight')
    expect(problem({ status: 'paid' }, {}, 1_000_000n)).toBe('not_payable')
    expect(problem({}, {}, 400_000n)).toBe('amount_not_due')
    expect(problem({}, { value: 600_000n }, 400_000n)).toBeNull()
  })
})

test('what is booked for gas is the chain’s usual price, more for a wallet, and never nothing', () => {
  expect(costOfSignature(on('base'), 'key')).toBe(baseUnits(8_818n))
  expect(costOfSignature(on('base'), 'wallet')).toBe(baseUnits(44_092n))
  expect(costOfSignature(on('base'), 'new_wallet')).toBeGreaterThan(4n * 44_092n)
  expect(costOfSignature(on('base-sepolia'), 'key')).toBe(baseUnits(1_000n))
})

test('a state says whether anything was sent', () => {
  const of = (
    status: 'pending' | 'failed' | 'settled' | 'replaced',
    reason: string | null = null,
  ) => authorizationState({ status, reason, transaction: null })
  expect(of('pending')).toBe('received')
  const sent = { status: 'pending', reason: null, transaction: '0x01' } as const
  expect(authorizationState(sent)).toBe('sent')
  expect(of('failed', 'payment_expired')).toBe('expired')
  expect(of('failed', 'insufficient_funds')).toBe('failed')
  expect(of('settled')).toBe('settled')
  expect(of('replaced')).toBe('replaced')
})
