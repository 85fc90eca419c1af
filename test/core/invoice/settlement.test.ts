import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type BaseUnits, baseUnits, sum } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { planSettlement, type SettlementContext } from '../../../core/invoice/settlement.ts'
import type { Invoice, Payment, Settlement } from '../../../core/invoice/state.ts'
import {
  anInvoice,
  aPayment,
  aRefund,
  aSettlement,
  NOW,
  RECIPIENT,
  TOKEN,
} from '../../support/core/invoiceRows.ts'

const OTHER = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const paid = anInvoice({ status: 'paid' })

function context(change: Partial<SettlementContext> = {}): SettlementContext {
  return {
    recipient: RECIPIENT,
    registryVersion: 1,
    kept: new Map(),
    tokens: new Map([
      ['sepolia', TOKEN],
      ['base-sepolia', OTHER],
    ]),
    minSweep: new Map<string, BaseUnits>(),
    cleared: null,
    now: NOW,
    settleableBlock: new Map([
      ['sepolia', 100n],
      ['base-sepolia', 100n],
    ]),
    ...change,
  }
}

function plan(
  invoice: Invoice,
  payments: readonly Payment[],
  settlements: readonly Settlement[],
  given: SettlementContext,
) {
  return planSettlement(invoice, { payments, settlements, refunds: [] }, given)
}

describe('what is swept', () => {
  test('nothing, while the invoice is only partly paid', () => {
    const planned = plan(anInvoice({ status: 'partial' }), [aPayment(1n)], [], context())
    expect(planned).toEqual({ sweeps: [], state: 'none', uncleared: [] })
  })

  test('exactly what is confirmed and on time, with the fee, to the recipient', () => {
    const payments = [
      aPayment(1_000_000n),
      aPayment(7n, { status: 'pending' }),
      aPayment(9n, { kind: 'late' }),
    ]
    const { sweeps } = plan(paid, payments, [], context())
    expect(sweeps).toEqual([
      {
        networkId: 'sepolia',
        token: TOKEN,
        round: 1,
        amount: baseUnits(1_000_000n),
        fee: baseUnits(5_000n),
        recipient: RECIPIENT,
        registryVersion: 1,
        leave: baseUnits(16n),
        deploys: true,
      },
    ])
  })

  test('the fee is taken once, on the chain with the most money', () => {
    const payments = [aPayment(400_000n), aPayment(600_000n, { networkId: 'base-sepolia' })]
    const { sweeps } = plan(paid, payments, [], context())
    expect(sweeps.map((s) => [s.networkId, s.fee])).toEqual([
      ['base-sepolia', baseUnits(5_000n)],
      ['sepolia', baseUnits(0n)],
    ])
    const most = [aPayment(600_000n), aPayment(400_000n, { networkId: 'base-sepolia' })]
    expect(plan(paid, most, [], context()).sweeps[0]?.networkId).toBe('sepolia')
    const alike = [aPayment(500_000n), aPayment(500_000n, { networkId: 'base-sepolia' })]
    expect(plan(paid, alike, [], context()).sweeps[0]?.networkId).toBe('base-sepolia')
  })

  test('money that comes later is swept without another fee', () => {
    const payments = [aPayment(1_000_000n), aPayment(50n)]
    const done = aSettlement(1_000_000n, 5_000n)
    const { sweeps } = plan(anInvoice({ status: 'completed' }), payments, [done], context())
    expect(sweeps).toMatchObject([{ round: 2, amount: 50n, fee: 0n }])
  })

  test('a revived sweep beside its replacement leaves no fee to charge', () => {
    const payments = [aPayment(3_000_000n)]
    const both = [1, 2].map((round) => aSettlement(1_000_000n, 5_000n, { round }))
    expect(plan(paid, payments, both, context()).sweeps).toMatchObject([
      { round: 3, amount: 1_000_000n, fee: 0n },
    ])
  })

  test('nothing more, while a sweep of the same deposit travels', () => {
    const payments = [aPayment(1_000_000n), aPayment(50n)]
    const open = aSettlement(1_000_000n, 5_000n, { status: 'open' })
    expect(plan(paid, payments, [open], context()).sweeps).toEqual([])
  })

  test('a failed sweep is tried again with its fee, three times for the same recipient', () => {
    const failed = [1, 2, 3].map((round) =>
      aSettlement(1_000_000n, 5_000n, { status: 'failed', round }),
    )
    const payments = [aPayment(1_000_000n)]
    const twice = plan(paid, payments, failed.slice(0, 2), context())
    expect(twice.sweeps).toMatchObject([{ round: 3, fee: 5_000n }])
    expect(plan(paid, payments, failed, context())).toEqual({
      sweeps: [],
      state: 'failed',
      uncleared: [],
    })
    const renewed = plan(paid, payments, failed, context({ registryVersion: 2 }))
    expect(renewed.sweeps).toMatchObject([{ round: 4, fee: 5_000n }])
    const other = plan(paid, payments, failed, context({ recipient: OTHER }))
    expect(other.sweeps).toMatchObject([{ round: 4, fee: 5_000n }])
  })

  test('where the newest entry was vetoed, the entry before it pays, and its failures count', () => {
    const kept = new Map([['sepolia', { treasury: OTHER, version: 1 }]])
    const newest = context({ registryVersion: 2, kept })
    const payments = [aPayment(1_000_000n)]
    const pays = { recipient: OTHER, registryVersion: 1 }
    expect(plan(paid, payments, [], newest).sweeps).toMatchObject([pays])
    const elsewhere = [aPayment(1_000_000n, { networkId: 'base-sepolia' })]
    expect(plan(paid, elsewhere, [], newest).sweeps).toMatchObject([
      { recipient: RECIPIENT, registryVersion: 2 },
    ])
    const failed = [1, 2, 3].map((round) =>
      aSettlement(1_000_000n, 5_000n, { ...pays, status: 'failed', round }),
    )
    expect(plan(paid, payments, failed, newest).state).toBe('failed')
  })

  test('rounds that were planned again are no failed tries', () => {
    const replanned = [1, 2, 3, 4].map((round) =>
      aSettlement(1_000_000n, 5_000n, { status: 'failed', replanned: true, round }),
    )
    const { sweeps } = plan(paid, [aPayment(1_000_000n)], replanned, context())
    expect(sweeps).toMatchObject([{ round: 5, fee: 5_000n }])
  })

  test('out of a deposit that a refund has deployed, with the fee that it left', () => {
    const payments = [aPayment(900_000n), aPayment(200_000n, { networkId: 'base-sepolia' })]
    const mined = { status: 'mined', blockNumber: 9n, orderNumber: 1n } as const
    const refund = aRefund(1n, { ...mined, feeLeft: baseUnits(3_000n) })
    const rows = { payments, settlements: [], refunds: [refund] }
    expect(planSettlement(paid, rows, context()).sweeps).toMatchObject([
      { networkId: 'sepolia', fee: 3_000n, deploys: false },
      { networkId: 'base-sepolia', fee: 2_000n, deploys: true },
    ])
  })

  test('sweeps that worked are no failed tries', () => {
    const payments = [aPayment(1_000_000n), aPayment(50n)]
    const settlements = [
      aSettlement(1_000_000n, 5_000n, { status: 'failed', round: 1 }),
      aSettlement(1_000_000n, 5_000n, { status: 'failed', round: 2 }),
      aSettlement(1_000_000n, 5_000n, { status: 'confirmed', round: 3 }),
    ]
    const { sweeps } = plan(paid, payments, settlements, context())
    expect(sweeps).toMatchObject([{ round: 4, amount: 50n, fee: 0n }])
  })

  test('a sweep that keeps failing is tried again after an hour, two, four, and once a day at last', () => {
    const payments = [aPayment(1_000_000n)]
    const rests = [1, 2, 4, 8, 16, 24, 24]
    for (const [i, hours] of rests.entries()) {
      const failed = Array.from({ length: 3 + i }, (_, round) =>
        aSettlement(1_000_000n, 5_000n, { status: 'failed', round: round + 1 }),
      )
      const after = (ms: number) => {
        const now = new Date(NOW.getTime() + hours * 3_600_000 + ms)
        return plan(paid, payments, failed, context({ now }))
      }
      expect(after(-1)).toEqual({ sweeps: [], state: 'failed', uncleared: [] })
      expect(after(0).sweeps).toMatchObject([{ round: 4 + i, fee: 5_000n }])
    }
  })
})

describe('what has to wait', () => {
  const payments = [aPayment(1_000_000n)]

  test('money of a merchant without a recipient is held', () => {
    const planned = plan(paid, payments, [], context({ recipient: null }))
    expect(planned).toEqual({ sweeps: [], state: 'no_recipient', uncleared: [] })
  })

  test('less than the least that is worth a sweep', () => {
    const minSweep = new Map([['sepolia', baseUnits(2_000_000n)]])
    const planned = plan(paid, payments, [], context({ minSweep }))
    expect(planned).toEqual({ sweeps: [], state: 'below_gas_threshold', uncleared: [] })
  })

  test('a payment that lacks the settlement confirmations', () => {
    const settleableBlock = new Map([['sepolia', 9n]])
    const planned = plan(paid, payments, [], context({ settleableBlock }))
    expect(planned).toEqual({ sweeps: [], state: 'due', uncleared: [] })
  })

  test('dust without the settlement confirmations, and nothing that lies deeper', () => {
    const { sweeps } = plan(paid, [...payments, shallow(1n)], [], context())
    expect(sweeps).toMatchObject([{ amount: 1_000_000n, fee: 5_000n }])
    const after = plan(
      anInvoice({ status: 'paid' }),
      [...payments, shallow(1n)],
      [aSettlement(1_000_000n, 5_000n)],
      context(),
    )
    expect(after).toEqual({ sweeps: [], state: 'due', uncleared: [] })
  })

  test('nothing that is exactly worth a sweep, or bears exactly the fee', () => {
    const minSweep = new Map([['sepolia', baseUnits(1_000_000n)]])
    const worth = plan(paid, [...payments, shallow(1n)], [], context({ minSweep }))
    expect(worth.sweeps).toMatchObject([{ amount: 1_000_000n }])
    const parts = [
      aPayment(1_000_000n),
      aPayment(5_000n, { networkId: 'base-sepolia' }),
      shallow(2_000_000n, 'base-sepolia'),
    ]
    const borne = plan(paid, parts, [], context())
    expect(borne.sweeps).toMatchObject([{ amount: 5_000n, fee: 5_000n }, { amount: 1_000_000n }])
  })

  test('everything, while what lies deep does not pay the invoice', () => {
    const parts = [aPayment(999_999n), shallow(1n)]
    expect(plan(paid, parts, [], context())).toEqual({ sweeps: [], state: 'due', uncleared: [] })
    const promised = [aPayment(1_000_000n, { refunding: baseUnits(1n) }), shallow(1n)]
    expect(plan(paid, promised, [], context())).toEqual({ sweeps: [], state: 'due', uncleared: [] })
  })

  test('what lies deep, while it is less than the least that is worth a sweep', () => {
    const parts = [
      aPayment(999_999n),
      aPayment(1n, { networkId: 'base-sepolia' }),
      shallow(10n, 'base-sepolia'),
    ]
    const minSweep = new Map([['base-sepolia', baseUnits(2n)]])
    const planned = plan(paid, parts, [], context({ minSweep }))
    expect(planned.state).toBe('due')
    expect(planned.sweeps).toMatchObject([{ networkId: 'sepolia', amount: 999_999n }])
  })

  test('what lies deep, while it does not bear the fee that its chain was allotted', () => {
    const parts = [
      aPayment(999_000n),
      aPayment(1_000n, { networkId: 'base-sepolia' }),
      shallow(2_000_000n, 'base-sepolia'),
    ]
    const planned = plan(paid, parts, [], context())
    expect(planned.state).toBe('due')
    expect(planned.sweeps).toMatchObject([{ networkId: 'sepolia', amount: 999_000n, fee: 0n }])
  })
})

/** A confirmed payment that lacks the settlement confirmations. */
function shallow(amount: bigint, networkId = 'sepolia') {
  return aPayment(amount, { networkId, blockNumber: 101n })
}

test('sweeps never promise more than what came in, and the fee at most once', () => {
  const payment = fc
    .record({
      amount: fc.bigInt({ min: 1n, max: 2_000_000n }),
      networkId: fc.constantFrom('sepolia', 'base-sepolia'),
      blockNumber: fc.bigInt({ min: 0n, max: 200n }),
    })
    .map(({ amount, ...rest }) => aPayment(amount, rest))
  fc.assert(
    fc.property(fc.array(payment, { maxLength: 8 }), fc.nat(8), (payments, split) => {
      const early = plan(paid, payments.slice(0, split), [], context())
      const open = early.sweeps.map((s) =>
        aSettlement(s.amount, s.fee, { ...s, status: 'confirmed' }),
      )
      const late = plan(paid, payments, open, context())
      const sweeps = [...early.sweeps, ...late.sweeps]
      for (const { amount, fee } of sweeps) expect(amount).toBeGreaterThanOrEqual(fee)
      for (const networkId of ['sepolia', 'base-sepolia']) {
        const swept = sum(sweeps.filter((s) => s.networkId === networkId).map((s) => s.amount))
        const received = sum(payments.filter((p) => p.networkId === networkId).map((p) => p.amount))
        expect(swept).toBeLessThanOrEqual(received)
      }
      expect(sum(sweeps.map((s) => s.fee))).toBeLessThanOrEqual(paid.platformFee)
    }),
  )
})

describe('money of senders who are not cleared', () => {
  const [good, other] = [lowerCaseAddress(`0x${'a1'.repeat(20)}`), OTHER]
  const screened = (...cleared: (typeof good)[]) => context({ cleared: new Set(cleared) })

  test('stays, and with it what the invoice is not paid without', () => {
    const payments = [aPayment(600_000n, { sender: good }), aPayment(400_000n, { sender: other })]
    expect(plan(paid, payments, [], screened(good))).toEqual({
      sweeps: [],
      state: 'screening',
      uncleared: [other],
    })
    const { sweeps, uncleared } = plan(paid, payments, [], screened(good, other))
    expect(sweeps).toMatchObject([{ amount: 1_000_000n }])
    expect(uncleared).toEqual([])
  })

  test('does not hold up what pays the invoice without it', () => {
    const payments = [aPayment(1_000_000n, { sender: good }), aPayment(7n, { sender: other })]
    const { sweeps, uncleared } = plan(paid, payments, [], screened(good))
    expect(sweeps).toMatchObject([{ amount: 1_000_000n, leave: 7n }])
    expect(uncleared).toEqual([other])
  })

  test('is no one’s to hold once it goes back', () => {
    const payments = [
      aPayment(1_000_000n, { sender: good }),
      aPayment(7n, { sender: other, refunding: baseUnits(7n) }),
    ]
    const planned = plan(paid, payments, [], screened(good))
    expect(planned).toMatchObject({ sweeps: [{ amount: 1_000_000n }], uncleared: [] })
  })

  test('is due while a block is missing besides, so that the block is waited for', () => {
    const payments = [
      aPayment(1_000_000n, { sender: good, blockNumber: 101n }),
      aPayment(7n, { sender: other }),
    ]
    expect(plan(paid, payments, [], screened(good)).state).toBe('due')
  })

  test('never makes a sweep of more than what cleared senders have paid', () => {
    const senders = [good, other]
    const rows = fc.array(
      fc.record({ amount: fc.bigInt(1n, 2_000_000n), place: fc.nat(1), back: fc.nat(100) }),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(rows, (given) => {
        const payments = given.map(({ amount, place, back }) =>
          aPayment(amount, {
            sender: senders[place] ?? good,
            refunded: baseUnits((amount * BigInt(back)) / 100n),
          }),
        )
        const { sweeps } = plan(paid, payments, [], screened(good))
        const own = payments.filter(({ sender }) => sender === good)
        const most = sum(own.map(({ amount, refunded }) => baseUnits(amount - refunded)))
        expect(sum(sweeps.map(({ amount }) => amount)) <= most).toBe(true)
      }),
    )
  })
})
