import type { ErrorCode } from '../base/errors.ts'
import { type FeePolicy, platformFee } from '../base/fee.ts'
import { min } from '../base/integers.ts'
import { type BaseUnits, baseUnits, sum } from '../base/money.ts'
import { amountDue, amountKept } from './amounts.ts'
import { activeSettlements } from './settlement.ts'
import { type Invoice, keptOf, type Payment, type Settlement } from './state.ts'

/** What a merchant may accept although it is not what was requested: late or underpaid money. */

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
  /** In base units. */
  | { readonly ok: true; readonly acceptedAmount: BaseUnits }
  /** It was accepted before, and what was received is still enough. */
  | { readonly ok: true; readonly acceptedAmount: null }
  | { readonly ok: false; readonly code: ErrorCode }

/** Whether what was received may count as enough. */
export function checkPartial(invoice: Invoice): PartialVerdict {
  if (invoice.status === 'pending') return { ok: false, code: 'nothing_received' }
  if (invoice.status !== 'partial') {
    if (invoice.acceptedAmount !== null) return { ok: true, acceptedAmount: null }
    return { ok: false, code: 'invoice_already_paid' }
  }
  return { ok: true, acceptedAmount: baseUnits(amountKept(invoice)) }
}

/**
 * The fee of an invoice for which less was accepted: never more than it was, nor less than what a sweep
 * has already taken from an invoice that stepped back. The deposit address still commits to the old fee
 * as the highest that may be taken.
 */
export function feeOfAccepted(
  invoice: Invoice,
  settlements: readonly Settlement[],
  policy: FeePolicy,
): BaseUnits {
  const fee = platformFee(amountDue(invoice), policy)
  const allotted = sum(activeSettlements(settlements).map((settlement) => settlement.fee))
  return min(invoice.platformFee, fee > allotted ? fee : allotted)
}
