import type { ErrorCode } from '../errors.ts'
import { type FeePolicy, platformFee } from '../fee.ts'
import { min } from '../integers.ts'
import { type BaseUnits, baseUnits, sum } from '../money.ts'
import { standing } from './settlement.ts'
import { type Invoice, keptOf, type Payment, type Settlement } from './state.ts'

/** What a merchant may accept although it is not what was asked for: money that is late, or too little. */

export type LateVerdict =
  | { readonly ok: true; readonly isNew: boolean }
  | { readonly ok: false; readonly code: ErrorCode }

/** Whether a payment may count from now on although it came late. Accepting it again changes nothing. */
export function checkLatePayment(payment: Payment): LateVerdict {
  if (payment.acceptedAt !== null) return { ok: true, isNew: false }
  if (payment.kind !== 'late') return { ok: false, code: 'transaction_not_late' }
  if (payment.status === 'reverted') return { ok: false, code: 'transaction_reverted' }
  if (keptOf(payment) < payment.amount) return { ok: false, code: 'transaction_refunded' }
  return { ok: true, isNew: true }
}

export type PartialVerdict =
  /** `platformFee` in base units. */
  | { readonly ok: true; readonly acceptedAmount: BaseUnits; readonly platformFee: BaseUnits }
  /** It was accepted before, and what was received is still enough. */
  | { readonly ok: true; readonly acceptedAmount: null }
  | { readonly ok: false; readonly code: ErrorCode }

/**
 * Whether what was received may count as enough. The fee is computed anew from it: never more than it
 * was, nor less than what a sweep has already taken from an invoice that stepped back. The deposit
 * address still commits to the old fee as the highest that may be taken.
 */
export function checkPartial(
  invoice: Invoice,
  settlements: readonly Settlement[],
  policy: FeePolicy,
): PartialVerdict {
  if (invoice.status === 'pending') return { ok: false, code: 'nothing_received' }
  if (invoice.status !== 'partial') {
    if (invoice.acceptedAmount !== null) return { ok: true, acceptedAmount: null }
    return { ok: false, code: 'invoice_already_paid' }
  }
  const acceptedAmount = baseUnits(invoice.receivedAmount - invoice.returnedAmount)
  const fee = platformFee(acceptedAmount, policy)
  const allotted = sum(standing(settlements).map((settlement) => settlement.fee))
  const least = fee > allotted ? fee : allotted
  return { ok: true, acceptedAmount, platformFee: min(invoice.platformFee, least) }
}
