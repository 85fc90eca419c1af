import { expect, test } from 'bun:test'
import { asMerchantId, asX402PaymentId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { chainNamed, chainsOf } from '../../../core/chain/registry.ts'
import {
  offerX402Refund,
  planX402Refund,
  presentX402Offer,
  type X402RefundScene,
} from '../../../core/refund/x402Refund.ts'
import type { X402Payment } from '../../../core/x402/presentPayment.ts'
import { uuidOf } from '../../support/ids.ts'

const CHAINS = chainsOf('sandbox')
const CHAIN = chainNamed('base-sepolia', CHAINS)
const USDC = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const PAYER = lowerCaseAddress('0x00000000000000000000000000000000000000dd')
const HASH = `0x${'ab'.repeat(32)}` as const
const AT = new Date('2026-06-01T12:00:00Z')

function scene(
  payment: Partial<X402Payment> = {},
  change: Partial<Omit<X402RefundScene, 'payment'>> = {},
): X402RefundScene {
  return {
    payment: {
      ...{ id: asX402PaymentId(uuidOf('payment')), merchantId: asMerchantId(uuidOf('merchant')) },
      ...{ endpointId: null, networkId: 'base-sepolia', asset: USDC, payer: PAYER },
      ...{ authorizationNonce: HASH, payTo: lowerCaseAddress(`0x${'12'.repeat(20)}`) },
      ...{ amount: baseUnits(10_000n), scheme: 'exact', permitNonce: null, permitted: null },
      ...{ validAfter: 0n, validBefore: 1n, status: 'settled', reason: null, txHash: HASH },
      ...{ logIndex: 1, blockNumber: 1n, distributionId: null, fee: null, direct: false },
      ...{ refunded: baseUnits(0n), refunding: baseUnits(0n), feeOwed: baseUnits(0n), version: 1 },
      ...{ createdAt: AT, settledAt: AT, confirmedAt: AT },
      ...payment,
    },
    ...{ isFromChannels: false, isPaidOut: false, refundsAny: false, chains: CHAINS },
    hub: lowerCaseAddress('0x00000000000000000000000000000000000000bb'),
    ...change,
  }
}

const shown = (of: X402RefundScene) => presentX402Offer(offerX402Refund(of), of.payment, CHAIN)

test('what the forwarder still holds of a payment is offered, and no more', () => {
  const of = scene({ refunded: baseUnits(1_000n), refunding: baseUnits(2_000n) })
  expect(shown(of)).toEqual({ refundableAmount: '0.007', refundRefused: null })
  expect(planX402Refund(of, { amount: '0.007', address: null }).ok).toBe(true)
  expect(planX402Refund(of, { amount: '0.007001', address: null }).ok).toBe(false)
})

test.each([
  ['it was paid out', scene({}, { isPaidOut: true }), 'refund_settled'],
  ['it went to an own address', scene({ direct: true }), 'refund_settled'],
  ['it came out of channels', scene({}, { isFromChannels: true }), 'refund_not_possible'],
  ['its forwarder was replaced', scene({}, { isElsewhere: true }), 'refund_not_possible'],
  ['it is not confirmed', scene({ confirmedAt: null }), 'refund_not_possible'],
  ['it failed', scene({ status: 'failed', confirmedAt: null }), 'refund_not_possible'],
  ['all of it went back', scene({ refunded: baseUnits(10_000n) }), 'refund_not_possible'],
  ['its chain is off', scene({}, { chains: [] }), 'refund_not_possible'],
  ['no one has sent it', scene({ payer: ZERO_ADDRESS }), 'invalid_recipient'],
  ['we have sent it', scene({}, { isPayerWatched: true }), 'invalid_recipient'],
] as const)('nothing is offered, with the reason, when %s', (_, of, code) => {
  const { refundableAmount, refundRefused } = shown(of)
  expect(refundableAmount).toBeNull()
  expect(refundRefused).toMatchObject({ code })
  expect(refundRefused?.about).toContain(' ')
})

test('a payer who can’t be paid is no obstacle where the merchant may name another', () => {
  const of = scene({ payer: ZERO_ADDRESS }, { refundsAny: true })
  expect(shown(of)).toMatchObject({ refundableAmount: '0.01', refundRefused: null })
})
