import { describe, expect, test } from 'bun:test'
import type { PaymentId } from '../../../core/base/ids.ts'
import { baseUnits, tokenDecimals } from '../../../core/base/money.ts'
import { checksumAddress, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { perToken } from '../../../core/chain/tokens.ts'
import { overpaidAmount } from '../../../core/invoice/amounts.ts'
import { planSettlement } from '../../../core/invoice/settlement.ts'
import { deriveFees, deriveFigures, type Refund } from '../../../core/invoice/state.ts'
import { MAX_REFUND_PARTS, planRefund, type RefundScene } from '../../../core/refund/refund.ts'
import {
  anInvoice,
  aPayment,
  aRefund,
  aSettlement,
  NOW,
  RECIPIENT,
  TOKEN,
} from '../../support/core/invoiceRows.ts'

const PAYER = lowerCaseAddress('0x00000000000000000000000000000000000000dd')
const STRANGER = lowerCaseAddress('0x00000000000000000000000000000000000000ee')
const BASE_TOKEN = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const CHAINS = chainsOf('sandbox')

function scene(change: Partial<RefundScene> = {}): RefundScene {
  const invoice = anInvoice()
  const rows = { invoice, payments: [], settlements: [], refunds: [], externalRefunds: [] }
  return { ...rows, refundsAny: false, chains: CHAINS, now: NOW, ...change }
}

function ask(
  of: RefundScene,
  amount: string,
  address: string = PAYER,
  paymentId: PaymentId | null = null,
) {
  return planRefund(of, { amount, address, paymentId })
}

test('of an invoice that was settled with less, by its tolerance, the rest may go back', () => {
  const payments = [aPayment(995_000n), aPayment(5_000n)]
  const settlements = [aSettlement(995_000n, 4_975n)]
  const of = (tolerated: bigint) => {
    const invoice = anInvoice({ underpaymentTolerance: baseUnits(tolerated) })
    return scene({ invoice, payments, settlements })
  }
  expect(ask(of(5_000n), '0.005').ok).toBe(true)
  expect(ask(of(4_999n), '0.005')).toMatchObject({ ok: false, code: 'refund_settled' })
})

describe('of an invoice that was not settled', () => {
  test('everything may go back to its sender, the newest payment first', () => {
    const [first, second] = [aPayment(600_000n), aPayment(400_000n)]
    const payments = [first, second]
    expect(ask(scene({ payments }), '0.5')).toEqual({
      ok: true,
      refund: {
        networkId: 'sepolia',
        token: TOKEN,
        amount: baseUnits(500_000n),
        recipient: PAYER,
        paymentId: null,
        parts: [
          { paymentId: second.id, amount: baseUnits(400_000n) },
          { paymentId: first.id, amount: baseUnits(100_000n) },
        ],
      },
    })
    expect(ask(scene({ payments }), '1').ok).toBe(true)
    expect(ask(scene({ payments }), '1.000001')).toMatchObject({ code: 'refund_not_possible' })
  })

  test('no refund is taken from more payments than are looked at before it is signed', () => {
    const payments = Array.from({ length: MAX_REFUND_PARTS + 1 }, () => aPayment(10_000n))
    expect(ask(scene({ payments }), '5.000001')).toMatchObject({
      ok: false,
      code: 'refund_of_too_many_payments',
      details: [
        {
          path: 'amount',
          message: 'must be at most 5: that is 500 payments, and a refund takes no more',
        },
      ],
    })
    const decision = ask(scene({ payments }), '5')
    expect(decision.ok && decision.refund.parts.length).toBe(MAX_REFUND_PARTS)
  })

  test('what is on its way back or went back does not go twice', () => {
    const payments = [
      aPayment(600_000n, { refunding: baseUnits(100_000n), refunded: baseUnits(200_000n) }),
    ]
    expect(ask(scene({ payments }), '0.3').ok).toBe(true)
    expect(ask(scene({ payments }), '0.300001').ok).toBe(false)
  })

  test('what is not confirmed does not go back', () => {
    const pending = aPayment(600_000n, { status: 'pending', confirmedAt: null })
    expect(ask(scene({ payments: [pending] }), '0.1').ok).toBe(false)
    expect(ask(scene({ payments: [pending] }), '0.1', PAYER, pending.id)).toMatchObject({
      code: 'refund_not_possible',
    })
  })

  test('what came late does not go back as on-time money', () => {
    const [onTime, late] = [aPayment(600_000n), aPayment(400_000n, { kind: 'late' })]
    expect(ask(scene({ payments: [onTime, late] }), '0.5')).toMatchObject({
      refund: { parts: [{ paymentId: onTime.id, amount: baseUnits(500_000n) }] },
    })
    expect(ask(scene({ payments: [late] }), '0.1')).toMatchObject({
      details: [{ message: 'nothing on time is confirmed: name the transactionId of what is' }],
    })
  })

  test('a payment that went back altogether has no part in it', () => {
    const [first, second] = [
      aPayment(600_000n),
      aPayment(400_000n, { refunded: baseUnits(400_000n) }),
    ]
    expect(ask(scene({ payments: [first, second] }), '0.5')).toMatchObject({
      refund: { parts: [{ paymentId: first.id, amount: baseUnits(500_000n) }] },
    })
  })

  test('what is not confirmed has no part in what goes back', () => {
    const [confirmed, pending] = [
      aPayment(600_000n),
      aPayment(400_000n, { status: 'pending', confirmedAt: null }),
    ]
    expect(ask(scene({ payments: [confirmed, pending] }), '0.5')).toMatchObject({
      refund: { parts: [{ paymentId: confirmed.id, amount: baseUnits(500_000n) }] },
    })
  })

  test('the chain that has most of it gives it back', () => {
    const more = aPayment(700_000n, { networkId: 'base-sepolia', token: BASE_TOKEN })
    const payments = [aPayment(600_000n), more]
    expect(ask(scene({ payments }), '0.65')).toMatchObject({
      refund: { networkId: 'base-sepolia', token: BASE_TOKEN },
    })
  })
})

describe('to whom', () => {
  test('each sender gets no more than it sent', () => {
    const payments = [aPayment(600_000n), aPayment(1n, { sender: STRANGER })]
    expect(ask(scene({ payments }), '0.000001', STRANGER).ok).toBe(true)
    expect(ask(scene({ payments }), '0.000002', STRANGER).ok).toBe(false)
  })

  test('others get something only where the operator allows it', () => {
    const payments = [aPayment(600_000n)]
    const refused = { code: 'refund_address_not_allowed' }
    expect(ask(scene({ payments }), '0.1', STRANGER)).toMatchObject(refused)
    expect(ask(scene({ payments }), '0.1', STRANGER, payments[0]?.id)).toMatchObject(refused)
    expect(ask(scene({ payments, refundsAny: true }), '0.1', STRANGER).ok).toBe(true)
  })

  test('no one, the hub and tokens get nothing', () => {
    const payments = [aPayment(600_000n)]
    const { hub } = anInvoice()
    const listed = { symbol: 'DAI', address: STRANGER, decimals: tokenDecimals(18) } as const
    const chains = CHAINS.map((chain) => ({ ...chain, recoverable: [listed] }))
    for (const address of [`0x${'0'.repeat(40)}`, hub, TOKEN, listed.address, '0x12']) {
      const decision = ask(scene({ payments, chains, refundsAny: true }), '0.1', address)
      expect(decision).toMatchObject({ code: 'invalid_recipient' })
    }
  })
})

describe('of an invoice that is settled, or is being settled', () => {
  test.each(['open', 'mined', 'confirmed'] as const)('only the excess, when %s', (status) => {
    const payments = [aPayment(1_000_000n), aPayment(300_000n)]
    const settlements = [aSettlement(1_000_000n, 5_000n, { status })]
    expect(ask(scene({ payments, settlements }), '0.3').ok).toBe(true)
    expect(ask(scene({ payments, settlements }), '0.300001').ok).toBe(false)
  })

  test('nothing that was swept', () => {
    const payments = [aPayment(1_300_000n)]
    const settlements = [aSettlement(1_300_000n, 5_000n)]
    expect(ask(scene({ payments, settlements }), '0.000001').ok).toBe(false)
  })

  test.each(['mined', 'confirmed'] as const)('what is %s says where it is', (status) => {
    const payments = [aPayment(1_000_000n), aPayment(300_000n)]
    const settlements = [aSettlement(1_000_000n, 5_000n, { status })]
    const where = `was settled to ${checksumAddress(RECIPIENT)}, refund it from your treasury`
    expect(ask(scene({ payments, settlements }), '0.5')).toEqual({
      ok: false,
      code: 'refund_settled',
      details: [{ path: 'amount', message: `must be at most 0.3: 0.2 USDC ${where}` }],
    })
    // No more than what was settled is said to be there.
    const all = [aSettlement(1_300_000n, 5_000n, { status })]
    expect(ask(scene({ payments, settlements: all }), '7')).toMatchObject({
      details: [{ message: `1.3 USDC ${where}` }],
    })
  })

  test('what is on its way, or was settled on another chain, is not said to be in the treasury', () => {
    const payments = [aPayment(1_000_000n)]
    const elsewhere = { networkId: 'base-sepolia', token: BASE_TOKEN }
    for (const settlement of [
      aSettlement(1_000_000n, 5_000n, { status: 'open' }),
      aSettlement(1_000_000n, 5_000n, { status: 'failed' }),
      aSettlement(1_000_000n, 5_000n, elsewhere),
    ]) {
      const decision = ask(scene({ payments, settlements: [settlement] }), '1.1')
      expect(decision).toMatchObject({ code: 'refund_not_possible' })
    }
  })

  test('a late payment is not said to be in the treasury', () => {
    const late = aPayment(600_000n, { kind: 'late' })
    const settlements = [aSettlement(1_000_000n, 5_000n)]
    const of = scene({ payments: [aPayment(1_000_000n), late], settlements })
    expect(ask(of, '0.7', PAYER, late.id)).toMatchObject({ code: 'refund_not_possible' })
  })

  test('of another chain, no more than leaves the invoice paid', () => {
    const payments = [
      aPayment(600_000n),
      aPayment(600_000n, { networkId: 'base-sepolia', token: BASE_TOKEN }),
    ]
    const settlements = [aSettlement(600_000n, 5_000n)]
    expect(ask(scene({ payments, settlements }), '0.2').ok).toBe(true)
    expect(ask(scene({ payments, settlements }), '0.200001').ok).toBe(false)
  })

  test('a failed sweep holds nothing back', () => {
    const payments = [aPayment(1_000_000n)]
    const settlements = [aSettlement(1_000_000n, 5_000n, { status: 'failed' })]
    expect(ask(scene({ payments, settlements }), '1').ok).toBe(true)
  })
})

describe('a payment that counts for nothing', () => {
  test.each(['late', 'foreign'] as const)('goes back when it is %s', (kind) => {
    const payment = aPayment(600_000n, { kind })
    const settlements = [aSettlement(1_000_000n, 5_000n)]
    const payments = [aPayment(1_000_000n), payment]
    const of = scene({ payments, settlements })
    expect(ask(of, '0.6', PAYER, payment.id)).toMatchObject({
      refund: { parts: [{ paymentId: payment.id, amount: 600_000n }] },
    })
    expect(ask(of, '0.600001', PAYER, payment.id)).toMatchObject({ code: 'refund_not_possible' })
    expect(ask(of, '0.6').ok).toBe(false)
  })

  test('must be one of the invoice', () => {
    expect(ask(scene(), '1', PAYER, aPayment(1n).id)).toMatchObject({
      code: 'transaction_not_found',
    })
  })

  test('can not go back on a chain that is switched off', () => {
    const payment = aPayment(1n, { kind: 'foreign' })
    expect(
      ask(scene({ payments: [payment], chains: [] }), '0.000001', PAYER, payment.id),
    ).toMatchObject({ code: 'refund_not_possible' })
  })
})

describe('what went back, or is on its way back,', () => {
  const refunded = baseUnits(300_000n)

  test('is no part of what pays the invoice, and receivedAmount stays gross', () => {
    const payments = [aPayment(1_200_000n, { refunded })]
    const figures = deriveFigures(anInvoice(), payments, [], NOW)
    expect(figures).toMatchObject({
      status: 'partial',
      receivedAmount: 1_200_000n,
      refundedAmount: 300_000n,
    })
    expect(overpaidAmount({ ...figures, amountExpected: baseUnits(1_000_000n) })).toBe(
      baseUnits(0n),
    )
  })

  test('stops the settlement already while it is on its way', () => {
    const payments = [aPayment(1_000_000n, { refunding: refunded })]
    expect(deriveFigures(anInvoice(), payments, [], NOW)).toMatchObject({
      status: 'partial',
      refundedAmount: 0n,
    })
  })

  test('is not swept', () => {
    const payments = [aPayment(1_300_000n, { refunding: refunded })]
    const plan = planSettlement(
      anInvoice({ status: 'paid' }),
      { payments, settlements: [], refunds: [] },
      {
        recipient: RECIPIENT,
        registryVersion: 1,
        kept: new Map(),
        tokens: new Map([['sepolia', TOKEN]]),
        cleared: null,
        minSweep: new Map(),
        now: NOW,
        settleableBlock: new Map([['sepolia', 100n]]),
      },
    )
    expect(plan.sweeps).toMatchObject([{ amount: 1_000_000n, fee: 5_000n }])
  })

  test('bears no share of the fee', () => {
    const back = aPayment(1_000_000n, { refunded: baseUnits(1_000_000n) })
    const kept = aPayment(1_000_000n)
    const fees = deriveFees(anInvoice(), [back, kept])
    expect([fees.get(back.id), fees.get(kept.id)]).toEqual([baseUnits(0n), baseUnits(5_000n)])
  })
})

test('a refund gives back at least what its chain asks for, and of unpriced tokens anything', () => {
  const least = (amount: bigint) => perToken(() => baseUnits(amount))
  const chains = CHAINS.map((chain) => ({ ...chain, minRefund: least(20_000n) }))
  const payments = [aPayment(1_000_000n)]
  expect(ask(scene({ payments, chains }), '0.02').ok).toBe(true)
  expect(ask(scene({ payments, chains }), '0.019999')).toMatchObject({
    code: 'refund_not_possible',
    details: [
      {
        path: 'amount',
        message: 'must be at least 0.02 on sepolia: less is not worth its gas',
      },
    ],
  })
  expect(ask(scene({ payments }), '0.000001').ok).toBe(true)
  const coin = aPayment(5n, { kind: 'foreign', token: ZERO_ADDRESS })
  const ofCoin = scene({ payments: [coin], chains })
  expect(ask(ofCoin, '0.000000000000000005', PAYER, coin.id).ok).toBe(true)
})

test('a payment of unknown worth is not given back in a million parts, regardless of what becomes of them', () => {
  const coin = aPayment(50n, { kind: 'foreign', token: ZERO_ADDRESS })
  const part = (change: Partial<Refund> = {}) => aRefund(1n, { paymentId: coin.id, ...change })
  const after = (refunds: readonly Refund[], of = coin) =>
    ask(scene({ payments: [of], refunds }), '0.000000000000000001', PAYER, of.id)
  const four = [part(), part({ status: 'failed' }), part(), part()]
  const yesterday = new Date(NOW.getTime() - 24 * 3_600_000)
  expect(after([...four, aRefund(1n), part({ createdAt: yesterday })]).ok).toBe(true)
  expect(after([...four, part()])).toMatchObject({
    code: 'refund_not_possible',
    details: [
      {
        path: 'transactionId',
        message: expect.stringContaining('at most 5 parts within 24 hours'),
      },
    ],
  })
  const other = aPayment(50n, { kind: 'foreign', token: ZERO_ADDRESS })
  expect(after([...four, part()], other).ok).toBe(true)
  const late = aPayment(600_000n, { kind: 'late' })
  const many = Array.from({ length: 9 }, () => aRefund(1n, { paymentId: late.id }))
  expect(ask(scene({ payments: [late], refunds: many }), '0.1', PAYER, late.id).ok).toBe(true)
})
