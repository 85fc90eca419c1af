import type { Config } from '../../core/config/processes.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { PaymentId } from '../../core/ids.ts'
import { checkLatePayment, checkPartial } from '../../core/invoice/acceptance.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { Database } from '../database.ts'
import { advanceLocked } from './advance.ts'
import { lockOwnInvoice, type OwnInvoice } from './locking.ts'

/** What merchants accept after all. Everything happens under the invoice's lock. */

export type Acceptance =
  | { readonly ok: true; readonly rows: InvoiceRows }
  | { readonly ok: false; readonly code: ErrorCode }

/** Counts a late payment from now on. Doing it again changes nothing. */
export async function acceptLatePayment(
  database: Database,
  config: Config,
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
    if (!verdict.isNew) return { ok: true, rows }
    await sql`
      update payment set kind = 'counted', accepted_at = ${now} where id = ${payment.id}`
    return { ok: true, rows: await advanceLocked(sql, config, rows.invoice, now) }
  })
}

/** Takes what was received for enough. Doing it again changes nothing. */
export async function acceptPartial(
  database: Database,
  config: Config,
  of: OwnInvoice,
  now: Date,
): Promise<Acceptance> {
  return database.begin(async (sql): Promise<Acceptance> => {
    const rows = await lockOwnInvoice(sql, of)
    if (rows === null) return { ok: false, code: 'invoice_not_found' }
    const { invoice, settlements } = rows
    const verdict = checkPartial(invoice, settlements, config.fees[invoice.tokenSymbol])
    if (!verdict.ok) return verdict
    if (verdict.acceptedAmount === null) return { ok: true, rows }
    const { acceptedAmount, platformFee } = verdict
    await sql`
      update invoice set accepted_amount = ${acceptedAmount.toString()},
        platform_fee = ${platformFee.toString()}
      where id = ${of.invoiceId}`
    const changed = { ...invoice, acceptedAmount, platformFee }
    return { ok: true, rows: await advanceLocked(sql, config, changed, now) }
  })
}
