import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { asRefundId, type RefundId } from '../../../core/base/ids.ts'
import { type BaseUnits, baseUnits } from '../../../core/base/money.ts'
import { type RefundWait, waitsOf } from '../../../core/invoice/refundLimit.ts'

/** Ids grow with their place. */
function idOf(place: number): RefundId {
  return asRefundId(`019a0000-0000-7000-8000-${String(place).padStart(12, '0')}`)
}

interface Case {
  readonly amounts: readonly bigint[]
  readonly room?: bigint
  readonly promised?: bigint
  readonly approved?: readonly number[]
  readonly first?: number
  readonly waits: readonly (RefundWait | null)[]
}

function waits({ amounts, room = 100n, promised = 0n, approved = [], first }: Case) {
  const candidates = amounts.map((amount, i) => ({
    refundId: idOf(i),
    amount: baseUnits(amount),
    isApproved: approved.includes(i),
  }))
  const terms = { limit: baseUnits(100n), room: baseUnits(room) }
  const oldest = first === undefined ? null : idOf(first)
  const found = waitsOf(candidates, terms, baseUnits(promised), oldest)
  return amounts.map((_, i) => found.get(idOf(i)) ?? null)
}

/** The hub refunds 100 within 24 hours. */
const CASES: Readonly<Record<string, Case>> = {
  'goes when it takes all the room': { amounts: [100n], waits: [null] },
  'waits for room when one unit is missing': {
    amounts: [100n],
    room: 99n,
    waits: ['refund_limit'],
  },
  'waits for what is promised to others': {
    amounts: [60n],
    promised: 41n,
    waits: ['refund_limit'],
  },
  'waits for those before it in the same batch': {
    amounts: [60n, 41n, 40n],
    waits: [null, 'refund_limit', null],
  },
  'waits for the owner above the limit itself': { amounts: [101n], waits: ['owner_approval'] },
  'goes above the limit once it is approved': {
    amounts: [101n, 100n],
    approved: [0],
    waits: [null, null],
  },
  'takes room that there is even when it is approved': {
    amounts: [60n, 60n],
    approved: [0],
    waits: [null, 'refund_limit'],
  },
  'waits for an older one that has waited for a day': {
    amounts: [90n, 10n],
    room: 50n,
    first: 0,
    waits: ['refund_limit', 'refund_limit'],
  },
  'waits for no younger one': {
    amounts: [10n, 90n],
    room: 50n,
    first: 1,
    waits: [null, 'refund_limit'],
  },
}

describe('a refund', () => {
  for (const [what, one] of Object.entries(CASES)) {
    test(what, () => expect(waits(one)).toEqual([...one.waits]))
  }

  test('never waits where there is no limit', () => {
    const all = [{ refundId: idOf(0), amount: baseUnits(10n ** 30n), isApproved: false }]
    const found = waitsOf(all, { limit: null, room: null }, baseUnits(5n), idOf(1))
    expect(found.get(idOf(0))).toBeNull()
  })
})

test('what goes without approval never exceeds the room that is left', () => {
  const amount = fc.bigInt({ min: 1n, max: 120n }).map(baseUnits)
  const share = fc.bigInt({ min: 0n, max: 100n }).map(baseUnits)
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 9 }), share, share, (amounts, room, promised) => {
      const candidates = amounts.map((one, i) => ({
        ...{ refundId: idOf(i), amount: one, isApproved: false },
      }))
      const terms = { limit: baseUnits(100n), room }
      const found = waitsOf(candidates, terms, promised, null)
      const sent = candidates.filter(({ refundId }) => found.get(refundId) === null)
      const total = sent.reduce((sum, { amount: one }) => sum + (one satisfies BaseUnits), 0n)
      if (sent.length > 0) expect(total + promised).toBeLessThanOrEqual(room)
    }),
  )
})
