import { min } from './integers.ts'
import { type BaseUnits, baseUnits } from './money.ts'

/** What Remit takes for an invoice in one token. */
export interface FeePolicy {
  /** Hundredths of a per cent of amountExpected, 0 to 1000. */
  readonly rateBps: number
  /** The most that one invoice is charged, in base units; null for no ceiling. */
  readonly ceiling: BaseUnits | null
}

export const MAX_FEE_BPS = 1000
const BPS = 10_000n

/** The protocol fee of an invoice: min(floor(amountExpected x rate), ceiling), in base units. */
export function platformFee(amountExpected: BaseUnits, policy: FeePolicy): BaseUnits {
  const fee = baseUnits((amountExpected * BigInt(policy.rateBps)) / BPS)
  return policy.ceiling === null ? fee : min(fee, policy.ceiling)
}

/**
 * Shares the platform fee over an invoice's payments in the order they were detected. Each payment
 * bears floor(amount x fee / due); the one that reaches what is enough bears what remains, and later
 * ones nothing, so that the shares of a paid invoice add up to exactly the fee. No payment bears more
 * than its own amount: what a tiny last one can't bear falls to those before it. Amounts are in base
 * units, and `enough` is what is due where nothing less is.
 */
export function sharePlatformFee(
  amounts: readonly BaseUnits[],
  due: BaseUnits,
  fee: BaseUnits,
  enough: BaseUnits = due,
): BaseUnits[] {
  const shares = amounts.map(() => 0n)
  let received = 0n
  let unshared: bigint = fee
  let last = -1
  for (const [i, amount] of amounts.entries()) {
    if (received >= enough) break
    received += amount
    const share = (amount * fee) / due
    shares[i] = share < unshared ? share : unshared
    unshared -= shares[i] ?? 0n
    last = i
  }
  const isReached = received >= enough
  for (let i = last; isReached && unshared > 0n && i >= 0; i -= 1) {
    const room = (amounts[i] ?? 0n) - (shares[i] ?? 0n)
    const borne = unshared < room ? unshared : room
    shares[i] = (shares[i] ?? 0n) + borne
    unshared -= borne
  }
  return shares.map(baseUnits)
}
