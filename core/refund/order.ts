import { min } from '../base/integers.ts'
import { atLeastZero, type BaseUnits, baseUnits, sum } from '../base/money.ts'
import type { DepositRows } from '../invoice/depositBooks.ts'
import { activeSettlements } from '../invoice/settlement.ts'
import { deadline, type Invoice, keptOf, type Refund } from '../invoice/state.ts'

/**
 * What may still be charged on a deposit after a refund, in case that the refund is what deploys it: the hub
 * notes it then, at the price of a storage slot, and lets later sweeps charge no more. What the deposit's
 * address commits to is more than that, when a part of the fee was charged on another chain or an underpayment
 * was accepted.
 *
 * Nothing, where no sweep of the invoice will ever charge anything: on a chain that it doesn't list, when its
 * fee is charged already, and when all its money there goes back after its deadline. As long as a payment could
 * still be on time the fee stays due, or else a refund of a cent would avoid the whole fee. `time` is the
 * chain's: later blocks are not before it.
 */
export function feeLeftAfter(
  invoice: Invoice,
  { payments, settlements }: DepositRows,
  { networkId }: Pick<Refund, 'networkId'>,
  time: Date,
): BaseUnits {
  if (!invoice.chains.includes(networkId)) return baseUnits(0n)
  const own = payments.filter((p) => p.networkId === networkId && p.kind !== 'foreign')
  const kept = sum(own.filter((p) => p.status !== 'reverted').map(keptOf))
  const end = deadline(invoice)
  if (kept === 0n && end !== null && end < time) return baseUnits(0n)
  // A sweep of this deposit that is on its way charges its fee out of what this leaves.
  const elsewhere = activeSettlements(settlements).filter((s) => s.networkId !== networkId)
  const charged = sum(elsewhere.map(({ fee }) => fee))
  return min(invoice.feeCap, atLeastZero(invoice.platformFee - charged))
}
