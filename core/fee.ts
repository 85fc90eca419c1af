import { type BaseUnits, baseUnits, min } from './money.ts'

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
 * bears floor(amount x fee / expected); the one that reaches amountExpected bears what remains, and
 * later ones nothing, so that the shares of a paid invoice add up to exactly the fee.
 */
export function shareFee(
  amounts: readonly BaseUnits[],
  amountExpected: BaseUnits,
  fee: BaseUnits,
): BaseUnits[] {
  let received = 0n
  let shared = 0n
  return amounts.map((amount) => {
    if (received >= amountExpected) return baseUnits(0n)
    received += amount
    const share = received >= amountExpected ? fee - shared : (amount * fee) / amountExpected
    shared += share
    return baseUnits(share)
  })
}
