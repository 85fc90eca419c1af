import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { platformFee } from '../../../core/base/fee.ts'
import { baseUnits, sum, tokenDecimals } from '../../../core/base/money.ts'
import { amountEnough, amountMissing, toleratedAmount } from '../../../core/invoice/amounts.ts'
import { planSettlement } from '../../../core/invoice/settlement.ts'
import { deriveFees, deriveFigures, type Invoice } from '../../../core/invoice/state.ts'
import {
  decideTolerance,
  feeOfReceived,
  readUsualTolerance,
  toleranceOfInvoice,
} from '../../../core/invoice/tolerance.ts'
import {
  anInvoice,
  aPayment,
  aSettlement,
  NOW,
  RECIPIENT,
  TOKEN,
} from '../../support/core/invoiceRows.ts'
import { MoneyModel } from '../../support/core/moneyModel.ts'

/** An invoice of 100 USDC with a fee of 0.5, of which 1 USDC less is enough. */

const SIX = tokenDecimals(6)
const HUNDRED = baseUnits(100_000_000n)
const POLICY = { rateBps: 50, ceiling: null }

function tolerant(change: Partial<Invoice> = {}): Invoice {
  return anInvoice({
    amountExpected: HUNDRED,
    underpaymentTolerance: baseUnits(1_000_000n),
    feeCap: baseUnits(500_000n),
    platformFee: baseUnits(500_000n),
    ...change,
  })
}

/** The invoice with the figures of these payments. */
function derived(payments: readonly ReturnType<typeof aPayment>[], change: Partial<Invoice> = {}) {
  const invoice = tolerant(change)
  return { ...invoice, ...deriveFigures(invoice, payments, [], NOW) }
}

describe('a tolerance', () => {
  test.each([
    ['0.5', 500_000n, '0.5'],
    [0.5, 500_000n, '0.5'],
    ['1.000000', 1_000_000n, '1'],
    ['50bps', 500_000n, '50bps'],
    ['100bps', 1_000_000n, '100bps'],
    ['0bps', 0n, '0'],
    ['0', 0n, '0'],
    ['0.00', 0n, '0'],
    ['0.50000000', 500_000n, '0.5'],
    [0, 0n, '0'],
  ] as const)('may be %p', (sent, tolerated, text) => {
    const expected = { ok: true, tolerated: baseUnits(tolerated), text }
    expect<object>(decideTolerance(sent, HUNDRED, SIX)).toEqual(expected)
  })

  test.each([
    ['1.000001', 'must be at most 1, a hundredth of the amount'],
    ['101bps', 'must be at most 100bps'],
    ['0.0000001', 'must have at most 6 decimals'],
    [-1, 'must be digits with at most one decimal point, e.g. "12.5"'],
    ['1%', 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'],
    ['-5bps', 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'],
    ['', 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'],
  ] as const)('is not %p', (sent, message) => {
    expect<object>(decideTolerance(sent, HUNDRED, SIX)).toEqual({ ok: false, message })
  })

  test('is never more than a hundredth of what is asked for, rounded down', () => {
    const sent = fc.oneof(
      fc.nat(100).map((bps) => `${bps}bps`),
      fc.constant('0.000001'),
    )
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(baseUnits)
    fc.assert(
      fc.property(sent, amounts, (text, expected) => {
        const usual = toleranceOfInvoice(undefined, text, expected, SIX)
        if (!usual.ok) throw new Error(usual.message)
        expect(usual.tolerated * 100n).toBeLessThanOrEqual(expected)
        const own = decideTolerance(text, expected, SIX)
        expect(own.ok).toBe(!own.ok ? false : own.tolerated === usual.tolerated)
      }),
    )
  })

  test('that is usual is lowered to what an amount allows, and one of its own is refused', () => {
    const ten = baseUnits(10_000_000n)
    const usual = toleranceOfInvoice(undefined, '1', ten, SIX)
    expect<object>(usual).toEqual({ ok: true, tolerated: baseUnits(100_000n), text: '1' })
    expect(toleranceOfInvoice('1', '0', ten, SIX)).toMatchObject({ ok: false })
    expect(toleranceOfInvoice('0', '1', ten, SIX)).toMatchObject({ ok: true, tolerated: 0n })
    expect(readUsualTolerance('0.0000001').ok).toBe(false)
  })
})

describe('an invoice that tolerates less', () => {
  test('is paid by exactly what is enough, and by one unit less it is not', () => {
    expect(derived([aPayment(99_000_000n)]).status).toBe('paid')
    expect(derived([aPayment(98_999_999n)]).status).toBe('partial')
    expect(derived([aPayment(99_000_000n)], { underpaymentTolerance: baseUnits(0n) }).status).toBe(
      'partial',
    )
  })

  test('says what is missing, and asks for all of it while too little came', () => {
    const paid = derived([aPayment(99_500_000n)])
    expect(toleratedAmount(paid)).toBe(baseUnits(500_000n))
    expect(amountMissing(paid)).toBe(baseUnits(0n))
    const partial = derived([aPayment(60_000_000n)])
    expect(toleratedAmount(partial)).toBe(baseUnits(0n))
    expect(amountMissing(partial)).toBe(baseUnits(40_000_000n))
    const seen = derived([aPayment(99_500_000n, { status: 'pending' })])
    expect(amountMissing(seen)).toBe(baseUnits(0n))
    expect(toleratedAmount(derived([aPayment(HUNDRED)]))).toBe(baseUnits(0n))
  })

  test('tolerates nothing below what its merchant took for enough', () => {
    const accepted = { acceptedAmount: baseUnits(60_000_000n) }
    expect(amountEnough(tolerant(accepted))).toBe(baseUnits(60_000_000n))
    expect(derived([aPayment(59_999_999n)], accepted).status).toBe('partial')
    expect(toleratedAmount(derived([aPayment(60_000_000n)], accepted))).toBe(baseUnits(0n))
  })

  test('costs the fee of what was received, and all of it when nothing is missing', () => {
    const fee = (amount: bigint) => feeOfReceived(derived([aPayment(amount)]), [], POLICY)
    expect(fee(99_500_000n)).toBe(baseUnits(497_500n))
    expect(fee(98_000_000n)).toBe(baseUnits(500_000n))
    expect(fee(HUNDRED)).toBe(baseUnits(500_000n))
    expect(fee(150_000_000n)).toBe(baseUnits(500_000n))
    const cheaper = { rateBps: 10, ceiling: null }
    expect(feeOfReceived(derived([aPayment(HUNDRED)]), [], cheaper)).toBe(baseUnits(500_000n))
    expect(feeOfReceived(derived([aPayment(98_000_000n)]), [], cheaper)).toBe(baseUnits(500_000n))
  })

  test('never costs more than was agreed, nor what a sweep has not been planned with', () => {
    const short = derived([aPayment(99_500_000n)])
    const dearer = { rateBps: 1_000, ceiling: null }
    expect(feeOfReceived(short, [], dearer)).toBe(baseUnits(500_000n))
    const swept = [aSettlement(99_500_000n, 497_500n, { status: 'open' })]
    const full = derived([aPayment(HUNDRED)], { platformFee: baseUnits(497_500n) })
    expect(feeOfReceived(full, swept, POLICY)).toBe(baseUnits(497_500n))
    const plain = derived([aPayment(HUNDRED)], {
      underpaymentTolerance: baseUnits(0n),
      platformFee: baseUnits(7n),
    })
    expect(feeOfReceived(plain, [], POLICY)).toBe(baseUnits(7n))
  })

  test('shares the fee by what was asked for, up to the payment that was enough', () => {
    const payments = [aPayment(50_000_000n), aPayment(49_500_000n), aPayment(500_000n)]
    const invoice = tolerant({ platformFee: baseUnits(497_500n) })
    const fees = deriveFees(invoice, payments)
    expect(payments.map(({ id }) => fees.get(id))).toEqual([248_750n, 248_750n, 0n].map(baseUnits))
    const [only] = deriveFees(tolerant(), payments.slice(0, 1)).values()
    expect(only).toBe(baseUnits(250_000n))
  })

  test('is swept although dust that is not deep enough keeps arriving', () => {
    const payments = [aPayment(99_500_000n), aPayment(1n, { blockNumber: 200n })]
    const invoice = derived(payments)
    const plan = planSettlement(
      invoice,
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
    expect(plan.sweeps).toMatchObject([{ amount: 99_500_000n }])
  })
})

describe('what comes after it is paid', () => {
  const rest = 5_000n

  function paidShort(): MoneyModel {
    const model = new MoneyModel({ underpaymentTolerance: baseUnits(10_000n) })
    model.pay('sepolia', 'counted', 1_000_000n - rest)
    model.confirm(0)
    return model
  }

  test('is swept without a fee, and nothing is missing any more', () => {
    const model = paidShort()
    expect(model.invoice).toMatchObject({ status: 'paid', platformFee: 4_975n })
    model.endSweep(0, true)
    expect(model.invoice).toMatchObject({ status: 'completed', amountRemitted: 990_025n })
    expect(toleratedAmount(model.invoice)).toBe(baseUnits(rest))
    model.pay('base-sepolia', 'counted', rest)
    model.confirm(1)
    model.finish()
    expect(model.invoice).toMatchObject({
      status: 'completed',
      platformFee: 4_975n,
      amountRemitted: 995_025n,
    })
    expect(toleratedAmount(model.invoice)).toBe(baseUnits(0n))
  })

  test('and before the sweep has arrived costs nothing either', () => {
    const model = paidShort()
    model.pay('base-sepolia', 'counted', rest)
    model.confirm(1)
    model.finish()
    expect(model.invoice).toMatchObject({ status: 'completed', platformFee: 4_975n })
    expect(model.settlements.map(({ fee }) => fee)).toEqual([4_975n, 0n].map(baseUnits))
  })
})

test('any order of the same observations ends in the same status, fee and shares', () => {
  const amounts = fc.array(
    fc.record({
      amount: fc.oneof(
        fc.bigInt({ min: 1n, max: 2_000_000n }),
        fc.bigInt({ min: 10_000_000n, max: 100_000_000n }),
      ),
      status: fc.constantFrom('pending' as const, 'confirmed' as const, 'reverted' as const),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(amounts, fc.nat(7), (all, turns) => {
      const payments = all.map(({ amount, status }) => aPayment(amount, { status }))
      const turned = payments.map((_, i) => payments[(i + turns) % payments.length])
      const outcome = (rows: readonly (typeof payments)[number][]) => {
        const invoice = derived(rows)
        const fee = feeOfReceived(invoice, [], POLICY)
        const shares = sum(deriveFees({ ...invoice, platformFee: fee }, rows).values())
        return { status: invoice.status, fee, shares }
      }
      const one = outcome(payments)
      expect(outcome(turned.filter((p) => p !== undefined))).toMatchObject({
        status: one.status,
        fee: one.fee,
      })
      expect(one.fee).toBeLessThanOrEqual(platformFee(HUNDRED, POLICY))
      if (one.status === 'paid') expect(one.shares).toBe(one.fee)
    }),
  )
})
