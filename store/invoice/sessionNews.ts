import type { InvoiceId } from '../../core/base/ids.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Notifies checkout pages that an invoice has changed. */

/** The channel on which the session of an invoice that has changed is named. */
export const SESSION_CHANNEL = 'checkout_session'

/** Notifies the listeners of these invoices' sessions; an invoice without a visit has none. */
export async function notifySessions(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
): Promise<void> {
  if (invoiceIds.length === 0) return
  await sql`
    select pg_notify(${SESSION_CHANNEL}, session_id) from checkout_session_invoice
    where invoice_id = any(${[...invoiceIds]}::uuid[])`
}

/** The same for a worker, which also stores when each invoice was first paid. */
export async function notifySessionStatuses(
  sql: Transaction,
  invoices: readonly { readonly id: InvoiceId; readonly status: InvoiceStatus }[],
  now: Date,
): Promise<void> {
  if (invoices.length === 0) return
  const paid = invoices.filter(({ status }) => status === 'paid' || status === 'completed')
  await sql`
    with paid as (
      update checkout_session_invoice set paid_at = ${now}
      where invoice_id = any(${paid.map(({ id }) => id)}::uuid[]) and paid_at is null
    )
    select pg_notify(${SESSION_CHANNEL}, session_id) from checkout_session_invoice
    where invoice_id = any(${invoices.map(({ id }) => id)}::uuid[])`
}
