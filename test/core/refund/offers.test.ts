import { describe, expect, test } from 'bun:test'
import { baseUnits, formatAmount, tokenDecimals } from '../../../core/base/money.ts'
import {
  type Address,
  checksumAddress,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { presentRecovery, type Recovery } from '../../../core/invoice/recovery.ts'
import type { Invoice, Payment } from '../../../core/invoice/state.ts'
import { type OfferScene, offersOf } from '../../../core/refund/offers.ts'
import { planRefund } from '../../../core/refund/refund.ts'
import {
  anInvoice,
  aPayment,
  aRefund,
  aSettlement,
  NOW,
  TOKEN,
} from '../../support/core/invoiceRows.ts'

const CHAINS = chainsOf('sandbox')
const PAYER = lowerCaseAddress('0x00000000000000000000000000000000000000dd')
const OTHER = lowerCaseAddress('0x00000000000000000000000000000000000000ee')
const UNLISTED = lowerCaseAddress('0x00000000000000000000000000000000000000f1')

function sceneOf(
  invoice: Partial<Invoice>,
  payments: readonly Payment[],
  change: Partial<OfferScene> = {},
): OfferScene {
  const rows = { settlements: [], refunds: [], externalRefunds: [] }
  return {
    ...{ invoice: anInvoice(invoice), payments, ...rows },
    ...{ refundsAny: false, isByMember: true, chains: CHAINS, now: NOW },
    isRecipientChanging: false,
    ...change,
  }
}

/** What is held of a payment, or of on-time money where none is named. */
function heldOf(
  payment: Payment | null,
  amount: bigint,
  reason: Recovery['reason'] = 'late',
): Recovery {
  return {
    ...{ invoiceId: anInvoice().id, invoiceRef: 'ABCDEFGH23', externalRef: null },
    ...{ networkId: payment?.networkId ?? 'sepolia', token: payment?.token ?? TOKEN },
    ...{ amount: baseUnits(amount), paymentId: payment?.id ?? null, reason },
    ...{ sender: payment?.sender ?? null, error: null, expiresAt: null },
    ...{ hasOwnRecipient: false, since: NOW },
  }
}

/** What is shown of it, after holding every target against the rules that carry refunds out. */
function shown(recovery: Recovery, scene: OfferScene, watched: readonly Address[] = []) {
  const offers = offersOf(recovery, scene, new Set(watched))
  const { paymentId } = recovery
  for (const { address, amount } of offers.refundTo) {
    const text = formatAmount(amount, tokenDecimals(6))
    expect(planRefund(scene, { address, amount: text, paymentId }).ok).toBe(true)
    const more = formatAmount(baseUnits(amount + 1n), tokenDecimals(6))
    expect(planRefund(scene, { address, amount: more, paymentId }).ok).toBe(false)
  }
  const { actions, refundTo, refused } = presentRecovery(recovery, CHAINS, offers)
  return {
    actions,
    refundTo: refundTo.map(({ address, amount }) => `${address.toLowerCase()} ${amount}`),
    refused: refused.map(({ action, code }) => `${action} ${code}`),
    reasons: refused.map(({ about }) => about),
  }
}

const late = (change: Partial<Payment> = {}) => aPayment(500_000n, { kind: 'late', ...change })

describe('of a late payment', () => {
  test('all is offered to its sender', () => {
    const payment = late()
    expect(shown(heldOf(payment, 500_000n), sceneOf({}, [payment]))).toMatchObject({
      actions: ['accept_transaction', 'refund'],
      refundTo: [`${PAYER} 0.5`],
      refused: [],
    })
  })

  test.each([
    ['the zero address, as of what a bridge mints,', ZERO_ADDRESS, 'is the zero address'],
    ['the hub', anInvoice().hub, 'is the settlement contract'],
    ['a token', TOKEN, 'is a token contract'],
  ])('no refund is offered to %s', (_, sender, why) => {
    const payment = late({ sender })
    const found = shown(heldOf(payment, 500_000n), sceneOf({}, [payment]))
    expect(found).toMatchObject({
      actions: ['accept_transaction'],
      refundTo: [],
      refused: ['refund invalid_recipient'],
    })
    expect(found.reasons[0]).toContain(checksumAddress(sender))
    expect(found.reasons[0]).toContain(why)
  })

  test('no refund is offered to an address of the service’s own', () => {
    const payment = late({ sender: OTHER })
    const found = shown(heldOf(payment, 500_000n), sceneOf({}, [payment]), [OTHER])
    expect(found).toMatchObject({
      actions: ['accept_transaction'],
      refused: ['refund invalid_recipient'],
    })
  })

  test('it is offered where the merchant may name another address', () => {
    const payment = late({ sender: ZERO_ADDRESS })
    const scene = sceneOf({}, [payment], { refundsAny: true })
    expect(shown(heldOf(payment, 500_000n), scene)).toMatchObject({
      actions: ['accept_transaction', 'refund'],
      refundTo: [],
      refused: [],
    })
  })

  test('what the payer left on the page is offered to people, where others may be paid at all', () => {
    const payment = late({ sender: ZERO_ADDRESS })
    const targets = (change: Partial<OfferScene>) =>
      shown(heldOf(payment, 500_000n), sceneOf({ payerRefundAddress: OTHER }, [payment], change))
        .refundTo
    expect(targets({ refundsAny: true })).toEqual([`${OTHER} 0.5`])
    expect(targets({ refundsAny: true, isByMember: false })).toEqual([])
    expect(targets({ refundsAny: false })).toEqual([])
  })

  test('it can’t be accepted once a part of it went back', () => {
    const payment = late({ refunded: baseUnits(100_000n) })
    expect(shown(heldOf(payment, 400_000n), sceneOf({}, [payment]))).toMatchObject({
      actions: ['refund'],
      refundTo: [`${PAYER} 0.4`],
      refused: ['accept_transaction transaction_refunded'],
    })
  })

  test('no refund is offered of less than what is worth its gas', () => {
    const payment = late()
    const chains = CHAINS.map((chain) => ({
      ...chain,
      minRefund: { ...chain.minRefund, USDC: baseUnits(500_001n) },
    }))
    const found = shown(heldOf(payment, 500_000n), sceneOf({}, [payment], { chains }))
    expect(found).toMatchObject({
      actions: ['accept_transaction'],
      refused: ['refund refund_not_possible'],
    })
    expect(found.reasons[0]).toContain('must be at least 0.500001 on sepolia')
  })
})

describe('of money that counts for nothing', () => {
  const foreign = (change: Partial<Payment> = {}) => late({ kind: 'foreign', ...change })

  test('no refund is offered in a token that is not listed any more, nor on a chain that is off', () => {
    const unlisted = foreign({ token: UNLISTED })
    const scene = sceneOf({}, [unlisted])
    expect(shown(heldOf(unlisted, 500_000n, 'wrong_token'), scene)).toMatchObject({
      actions: [],
      refused: ['refund refund_not_possible'],
    })
    const payment = foreign()
    const off = sceneOf({}, [payment], { chains: CHAINS.filter((c) => c.networkId !== 'sepolia') })
    expect(shown(heldOf(payment, 500_000n, 'wrong_chain'), off).actions).toEqual([])
  })

  test('no refund is offered after the parts of a day', () => {
    const coin = foreign({ token: ZERO_ADDRESS })
    const refunds = Array.from({ length: 5 }, () => aRefund(1n, { paymentId: coin.id }))
    const recovery = heldOf(coin, 500_000n, 'wrong_token')
    const offered = offersOf(recovery, sceneOf({}, [coin]), new Set())
    expect(offered).toEqual({
      refundTo: [{ address: PAYER, amount: baseUnits(500_000n) }],
      refused: [],
    })
    expect(shown(recovery, sceneOf({}, [coin], { refunds }))).toMatchObject({
      actions: [],
      refused: ['refund refund_not_possible'],
    })
  })
})

describe('of on-time money', () => {
  test('each payer is offered what came from there', () => {
    const payments = [aPayment(100_000n), aPayment(300_000n, { sender: OTHER })]
    expect(shown(heldOf(null, 400_000n, 'underpaid'), sceneOf({}, payments))).toMatchObject({
      actions: ['accept_partial', 'refund'],
      refundTo: [`${PAYER} 0.1`, `${OTHER} 0.3`],
    })
  })

  test('nothing is offered back of what an invoice needs to stay paid', () => {
    const payments = [aPayment(900_000n), aPayment(100_000n, { networkId: 'base-sepolia' })]
    const settlements = [aSettlement(900_000n, 5_000n)]
    const scene = sceneOf({ status: 'paid' }, payments, { settlements })
    const recovery = {
      ...heldOf(null, 100_000n, 'below_gas_threshold'),
      networkId: 'base-sepolia',
    }
    expect(shown(recovery, scene)).toMatchObject({ actions: ['wait'], refundTo: [] })
  })

  test('no other address is offered while a change of it waits', () => {
    const scene = (isRecipientChanging: boolean) =>
      sceneOf({ status: 'paid' }, [aPayment(1_000_000n)], { isRecipientChanging })
    const recovery = heldOf(null, 1_000_000n, 'no_recipient')
    expect(shown(recovery, scene(false)).actions).toEqual(['set_recipient', 'refund'])
    expect(shown(recovery, scene(true))).toMatchObject({
      actions: ['refund'],
      refused: ['set_recipient recipient_change_open'],
    })
  })

  test('nothing is left to accept once a payment has made up for it', () => {
    const payments = [aPayment(400_000n), aPayment(600_000n)]
    expect(shown(heldOf(null, 400_000n, 'partial'), sceneOf({}, payments))).toMatchObject({
      actions: ['wait', 'refund'],
      refused: ['accept_partial invoice_already_paid'],
    })
  })
})
