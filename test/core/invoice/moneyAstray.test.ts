import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { baseUnits, sum } from '../../../core/base/money.ts'
import { heldByLedger, MoneyModel, NETWORKS, places } from '../../support/core/moneyModel.ts'

/** Whatever happens to an invoice's money in whatever order, every unit of it is in one place. */

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 1_500_000n }),
  // Nearly enough, and what is missing then.
  fc.bigInt({ min: 989_000n, max: 1_000_000n }),
  fc.bigInt({ min: 1n, max: 11_000n }),
)
const tolerance = fc.constantFrom(0n, 1n, 5_000n, 10_000n).map(baseUnits)
const index = fc.nat(20)
const network = fc.constantFrom(...NETWORKS)
const kind = fc.constantFrom(
  'counted' as const,
  'counted' as const,
  'late' as const,
  'foreign' as const,
)

type Step = (model: MoneyModel) => void

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(network, kind, amount).map(
    ([n, k, a]): Step =>
      (model) =>
        model.pay(n, k, a),
  ),
  index.map(
    (i): Step =>
      (model) =>
        model.confirm(i),
  ),
  index.map(
    (i): Step =>
      (model) =>
        model.confirm(i),
  ),
  index.map(
    (i): Step =>
      (model) =>
        model.accept(i),
  ),
  fc.constant<Step>((model) => model.acceptPartial()),
  fc.tuple(amount, fc.option(index)).map(
    ([a, i]): Step =>
      (model) =>
        void model.refund(a, i),
  ),
  fc.tuple(index, fc.boolean()).map(
    ([i, isPaid]): Step =>
      (model) =>
        model.endRefund(i, isPaid),
  ),
  fc.tuple(index, fc.boolean()).map(
    ([i, isSwept]): Step =>
      (model) =>
        model.endSweep(i, isSwept),
  ),
)

const steps = fc.array(step, { minLength: 5, maxLength: 40 })
const RUNS = Number(process.env.MONEY_RUNS ?? 500)

function expectBalance(model: MoneyModel): void {
  for (const id of NETWORKS) {
    const deposit = model.deposit(id)
    const token = model.tokenOn(id)
    const own = model.payments.filter((p) => p.networkId === id && p.token === token)
    const received = sum(own.map((p) => p.amount))
    const held = deposit.balance.get(token) ?? 0n
    expect(held).toBe(heldByLedger(model, id))
    expect(deposit.remitted + deposit.collected + deposit.refunded + held).toBe(received)
  }
}

test('received = remitted + fee + refunded + held, in any order of events', () => {
  fc.assert(
    fc.property(steps, tolerance, (all, underpaymentTolerance) => {
      const model = new MoneyModel({ underpaymentTolerance })
      for (const act of all) {
        act(model)
        expectBalance(model)
      }
      model.finish()
      expectBalance(model)
    }),
    { numRuns: RUNS },
  )
})

test('no payment gives back more than it was, and nothing promised is ever refused by the hub', () => {
  fc.assert(
    fc.property(steps, tolerance, (all, underpaymentTolerance) => {
      const model = new MoneyModel({ underpaymentTolerance })
      // The hub of the model throws when a deposit holds less than a sweep or refund takes.
      for (const act of all) act(model)
      model.finish()
      for (const payment of model.payments) {
        expect(BigInt(payment.refunding)).toBe(0n)
        expect(payment.refunded).toBeLessThanOrEqual(payment.amount)
      }
      const { kept, refunded } = places(model)
      expect(kept + refunded).toBe(sum(model.payments.map((p) => p.amount)))
    }),
    { numRuns: RUNS },
  )
})

test('the fee is taken once, and never more than what was agreed', () => {
  fc.assert(
    fc.property(steps, tolerance, (all, underpaymentTolerance) => {
      const model = new MoneyModel({ underpaymentTolerance })
      for (const act of all) act(model)
      model.finish()
      const collected = NETWORKS.reduce((total, id) => total + model.deposit(id).collected, 0n)
      expect(collected).toBeLessThanOrEqual(model.invoice.feeCap)
      if (model.invoice.status === 'completed') expect(collected).toBe(model.invoice.platformFee)
    }),
    { numRuns: RUNS },
  )
})

test('a settled invoice keeps what it was settled for', () => {
  fc.assert(
    fc.property(steps, tolerance, (all, underpaymentTolerance) => {
      const model = new MoneyModel({ underpaymentTolerance })
      for (const act of all) {
        const wasCompleted = model.invoice.status === 'completed'
        act(model)
        if (wasCompleted) expect(model.invoice.status).toBe('completed')
      }
    }),
    { numRuns: RUNS },
  )
})
