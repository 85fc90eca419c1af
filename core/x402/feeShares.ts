import { type BaseUnits, baseUnits } from '../base/money.ts'

/**
 * Shares the fee of a distribution among the payments that it paid out, by largest remainder: each bears
 * amount x fee / total rounded down, and the units that are left go to those that lost most by rounding,
 * the earlier first. Money that belongs to no payment bears its share too, after them. All figures are
 * base units, and so is the answer, in the order of `amounts`; together with the share of the
 * unattributed money they add up to exactly the fee, and none is more than its amount.
 * Throws a RangeError when the fee is more than everything it was taken from.
 */
export function shareDistributionFee(
  fee: bigint,
  amounts: readonly bigint[],
  unattributed: bigint,
): BaseUnits[] {
  const bearers = [...amounts, unattributed]
  const total = bearers.reduce((sum, amount) => sum + amount, 0n)
  if (fee < 0n || fee > total) {
    throw new RangeError(`a fee of ${fee} can't be taken from ${total}`)
  }
  if (fee === 0n) return amounts.map(() => baseUnits(0n))
  const shares = bearers.map((amount) => (amount * fee) / total)
  const left = fee - shares.reduce((sum, share) => sum + share, 0n)
  // Sorting is stable, so that among equals the earlier comes first.
  const byRemainder = bearers
    .map((amount, index) => ({ index, remainder: (amount * fee) % total }))
    .sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, Number(left))) {
    shares[index] = (shares[index] ?? 0n) + 1n
  }
  return shares.slice(0, amounts.length).map(baseUnits)
}
