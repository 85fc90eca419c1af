import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { baseUnits, sum } from '../../../core/base/money.ts'
import {
  classifyPayment,
  deadline,
  deriveFees,
  deriveFigures,
  isExpired,
  type Payment,
} from '../../../core/invoice/state.ts'
import { anInvoice, aPayment, aSettlement, NOW, TOKEN } from '../../support/core/invoiceRows.ts'

const later = new Date(NOW.getTime() + 60_000)

describe('the status of an invoice', () => {
  test('is pending until something is confirmed', () => {
    const figures = deriveFigures(anInvoice(), [aPayment(400n, { status: 'pending' })], [], NOW)
    expect(figures.status).toBe('pending')
    expect(figures.pendingAmount).toBe(baseUnits(400n))
    expect(figures.targetNetwork).toBe('sepolia')
  })

  test('is partial while less than expected is confirmed', () => {
    const figures = deriveFigures(anInvoice(), [aPayment(999_999n)], [], NOW)
    expect(figures.status).toBe('partial')
    expect(figures.paidAt).toBeNull()
  })

  test('is paid when payments on several chains together reach the amount', () => {
    const payments = [aPayment(600_000n), aPayment(400_000n, { networkId: 'base-sepolia' })]
    const figures = deriveFigures(anInvoice(), payments, [], NOW)
    expect(figures.status).toBe('paid')
    expect(figures.paidAt).toEqual(NOW)
    expect(figures.receivedAmount).toBe(baseUnits(1_000_000n))
  })

  test('is completed once everything received on time is swept', () => {
    const payments = [aPayment(600_000n), aPayment(400_000n, { networkId: 'base-sepolia' })]
    const first = aSettlement(600_000n, 5_000n)
    const second = aSettlement(400_000n, 0n, { networkId: 'base-sepolia' })
    expect(deriveFigures(anInvoice(), payments, [first], NOW).status).toBe('paid')
    const figures = deriveFigures(anInvoice(), payments, [first, second], NOW)
    expect(figures.status).toBe('completed')
    expect(figures.amountRemitted).toBe(baseUnits(995_000n))
    expect(figures.completedAmount).toBe(baseUnits(1_000_000n))
  })

  test('stays completed when more money arrives afterwards', () => {
    const completed = anInvoice({
      status: 'completed',
      paidAt: NOW,
      completedAt: NOW,
      completedAmount: baseUnits(1_000_000n),
    })
    const payments = [aPayment(1_000_000n), aPayment(1n)]
    const figures = deriveFigures(completed, payments, [aSettlement(1_000_000n, 5_000n)], later)
    expect(figures.status).toBe('completed')
    expect(figures.completedAt).toEqual(NOW)
    expect(figures.receivedAmount).toBe(baseUnits(1_000_001n))
  })

  test('steps back to paid when a reorganisation takes its sweep away', () => {
    const completed = anInvoice({
      status: 'completed',
      paidAt: NOW,
      completedAt: NOW,
      completedAmount: baseUnits(1_000_000n),
    })
    const open = aSettlement(1_000_000n, 5_000n, { status: 'open' })
    const figures = deriveFigures(completed, [aPayment(1_000_000n)], [open], later)
    expect(figures.status).toBe('paid')
    expect(figures.completedAt).toBeNull()
    expect(figures.paidAt).toEqual(NOW)
  })

  test('steps back when a reorganisation takes a confirmed payment away', () => {
    const paid = anInvoice({ status: 'paid', paidAt: NOW })
    const payments = [aPayment(600_000n), aPayment(400_000n, { status: 'reverted' })]
    const figures = deriveFigures(paid, payments, [], later)
    expect(figures.status).toBe('partial')
    expect(figures.paidAt).toBeNull()
  })
})

describe('late and foreign payments', () => {
  test('never move an invoice, but late ones are shown', () => {
    const payments = [
      aPayment(1_000_000n, { kind: 'late' }),
      aPayment(1_000_000n, { kind: 'foreign' }),
    ]
    const figures = deriveFigures(anInvoice(), payments, [], NOW)
    expect(figures.status).toBe('pending')
    expect(figures.lateAmount).toBe(baseUnits(1_000_000n))
    expect(figures.receivedAmount).toBe(baseUnits(0n))
    expect(figures.targetNetwork).toBeNull()
  })

  test('are told apart by the time of their block, the deadline itself being on time', () => {
    const invoice = anInvoice({ expiresAt: NOW })
    const transfer = { networkId: 'sepolia', token: TOKEN, blockTime: NOW } as const
    expect(classifyPayment(invoice, TOKEN, transfer)).toBe('counted')
    expect(classifyPayment(invoice, TOKEN, { ...transfer, blockTime: later })).toBe('late')
    expect(classifyPayment(invoice, TOKEN, { ...transfer, networkId: 'polygon' })).toBe('foreign')
    expect(classifyPayment(invoice, undefined, transfer)).toBe('foreign')
  })

  test('an explicit close moves the deadline forward, never back', () => {
    expect(deadline({ expiresAt: later, closedAt: NOW })).toEqual(NOW)
    expect(deadline({ expiresAt: NOW, closedAt: later })).toEqual(NOW)
    expect(deadline({ expiresAt: null, closedAt: null })).toBeNull()
  })

  test('only an unpaid invoice past its deadline is expired', () => {
    const end = { expiresAt: NOW, closedAt: null }
    expect(isExpired({ ...end, status: 'partial' }, later)).toBe(true)
    expect(isExpired({ ...end, status: 'partial' }, NOW)).toBe(false)
    expect(isExpired({ ...end, status: 'paid' }, later)).toBe(false)
  })
})

test('a tiny last payment never bears more fee than itself', () => {
  const amounts = [2_499_999n, 2_499_999n, 2_499_999n, 2_499_999n, 3n, 1n]
  const invoice = anInvoice({
    amountExpected: baseUnits(10_000_000n),
    platformFee: baseUnits(50_000n),
  })
  const payments = amounts.map((amount) => aPayment(amount))
  const shares = deriveFees(invoice, payments)
  expect(sum(shares.values())).toBe(baseUnits(50_000n))
  for (const p of payments) expect(shares.get(p.id) ?? 0n).toBeLessThanOrEqual(p.amount)
})

test('only what counts bears a share of the fee', () => {
  const counted = aPayment(1_000_000n)
  const others = [
    aPayment(1_000_000n, { kind: 'late' }),
    aPayment(1_000_000n, { kind: 'foreign' }),
    aPayment(1_000_000n, { status: 'reverted' }),
  ]
  const shares = deriveFees(anInvoice(), [...others, counted])
  expect(shares.get(counted.id)).toBe(baseUnits(5_000n))
  expect(others.map(({ id }) => shares.get(id))).toEqual(others.map(() => baseUnits(0n)))
})

describe('figures, whatever is observed in whatever order', () => {
  const observation = fc.record({
    amount: fc.bigInt({ min: 1n, max: 2_000_000n }),
    kind: fc.constantFrom('counted' as const, 'late' as const, 'foreign' as const),
    status: fc.constantFrom('pending' as const, 'confirmed' as const, 'reverted' as const),
  })
  const observations = fc.array(observation, { maxLength: 12 })
  const payments = observations.map((all) =>
    all.map(({ amount, ...rest }) => aPayment(amount, rest)),
  )

  test('end in the same state', () => {
    fc.assert(
      fc.property(payments, fc.nat(), (all, seed) => {
        const shuffled = all.toSorted((a, b) => hash(a, seed) - hash(b, seed))
        const { targetNetwork: _one, ...one } = deriveFigures(anInvoice(), all, [], NOW)
        const { targetNetwork: _two, ...two } = deriveFigures(anInvoice(), shuffled, [], NOW)
        expect(two).toEqual(one)
      }),
    )
  })

  test('count every base unit exactly once', () => {
    fc.assert(
      fc.property(payments, (all) => {
        const figures = deriveFigures(anInvoice(), all, [], NOW)
        const alive = all.filter((p) => p.status !== 'reverted' && p.kind !== 'foreign')
        const total = figures.pendingAmount + figures.receivedAmount + figures.lateAmount
        expect(total).toBe(sum(alive.map((p) => p.amount)))
      }),
    )
  })

  test('the fee shares of a paid invoice add up to exactly the fee', () => {
    fc.assert(
      fc.property(payments, fc.bigInt({ min: 0n, max: 100_000n }), (all, fee) => {
        const invoice = anInvoice({ platformFee: baseUnits(fee), feeCap: baseUnits(fee) })
        const shares = deriveFees(invoice, all)
        const seen = all.filter((p) => p.kind === 'counted' && p.status !== 'reverted')
        const shared = sum(shares.values())
        const isReached = sum(seen.map((p) => p.amount)) >= invoice.amountExpected
        if (isReached) expect(shared).toBe(baseUnits(fee))
        else expect(shared).toBeLessThanOrEqual(fee)
        for (const p of all) expect(shares.get(p.id) ?? 0n).toBeLessThanOrEqual(p.amount)
      }),
    )
  })

  function hash(payment: Payment, seed: number): number {
    return Number(BigInt(Bun.hash(`${payment.id} ${seed}`)) % 1_000_003n)
  }
})
