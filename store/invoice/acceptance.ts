import type { ErrorCode } from '../../core/base/errors.ts'
import type { PaymentId } from '../../core/base/ids.ts'
import { checkLatePayment, checkPartial } from '../../core/invoice/acceptance.ts'
import { deriveFigures, type Invoice } from '../../core/invoice/state.ts'
import type { Database } from '../database/database.ts'
import { lockOwnInvoice, type OwnInvoice, withdrawUnsent } from './locking.ts'

/**
 * What merchants accept after all. Everything happens under the invoice's lock; what follows for its
 * figures, a worker derives.
 */

export type Acceptance =
  | { readonly ok: true; readonly invoice: Invoice }
  | { readonly ok: false; readonly code: ErrorCode }

/** Counts a late payment from now on. Doing it again changes nothing. */
export async function acceptLatePayment(
  database: Database,
  of: OwnInvoice & { readonly paymentId: PaymentId },
  now: Date,
): Promise<Acceptance> {
  return database.begin(async (sql): Promise<Acceptance> => {
    const rows = await lockOwnInvoice(sql, of)
    if (rows === null) return { ok: false, code: 'invoice_not_found' }
    const payment = rows.payments.find(({ id }) => id === of.paymentId)
    if (!payment) return { ok: false, code: 'transaction_not_found' }
    const verdict = checkLatePayment(payment)
    if (!verdict.ok) return verdict
    if (verdict.isNew) {
      await sql`select accept_late_payment(${of.invoiceId}, ${payment.id}, ${now})`
    }
    return { ok: true, invoice: rows.invoice }
  })
}

/** Takes what was received for enough. Doing it again changes nothing. */
export async function acceptPartial(
  database: Database,
  of: OwnInvoice,
  now: Date,
): Promise<Acceptance> {
  return database.begin(async (sql): Promise<Acceptance> => {
    const rows = await lockOwnInvoice(sql, of)
    if (rows === null) return { ok: false, code: 'invoice_not_found' }
    // What was stored a moment ago may not be derived yet.
    const figures = deriveFigures(rows.invoice, rows.payments, rows.settlements, now)
    const verdict = checkPartial({ ...rows.invoice, ...figures })
    if (!verdict.ok) return verdict
    if (verdict.acceptedAmount !== null) {
      await sql`select accept_partly(${of.invoiceId}, ${verdict.acceptedAmount.toString()})`
      await withdrawUnsent(sql, of)
    }
    return { ok: true, invoice: rows.invoice }
  })
}
