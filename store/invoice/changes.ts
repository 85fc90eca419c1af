import type { InvoiceId } from '../../core/base/ids.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import type { PaymentKind } from '../../core/invoice/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/**
 * Changes that the API has stored and workers have yet to apply. The API records a merchant's requests;
 * figures, states, sweeps and most events are written by workers.
 */

/** What is to be derived of one invoice besides its rows. */
export interface TakenChanges {
  readonly payments: readonly PaymentChange[]
  /** An underpayment was accepted, and the fee must be recalculated. */
  readonly isAcceptedPartly: boolean
  /** It was ended before its time. */
  readonly isVoided: boolean
}

interface Change {
  readonly invoiceId: InvoiceId
  readonly cause: string
  readonly paymentKind: PaymentKind | null
  readonly wasReverted: boolean
}

/** Takes what waits for each of these invoices, whose locks the caller holds, in order. */
export async function takeChanges(
  sql: Transaction,
  invoiceIds: readonly InvoiceId[],
): Promise<(invoiceId: InvoiceId) => TakenChanges> {
  const rows = await sql<Change[]>`
    with taken as (
      delete from invoice_change where invoice_id = any(${[...invoiceIds]}::uuid[])
      returning id, invoice_id, cause, payment_kind, was_reverted
    )
    select invoice_id, cause, payment_kind, was_reverted from taken order by id`
  const changesOf = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
  return (invoiceId) => takenOf(changesOf.get(invoiceId) ?? [])
}

function takenOf(changes: readonly Change[]): TakenChanges {
  return {
    payments: changes.flatMap(({ paymentKind: kind, wasReverted }) =>
      kind === null
        ? []
        : [{ payment: { kind }, from: wasReverted ? 'reverted' : null, to: 'pending' }],
    ),
    isAcceptedPartly: changes.some(({ cause }) => cause === 'accepted_partly'),
    isVoided: changes.some(({ cause }) => cause === 'voided'),
  }
}

/** Invoices for which something waits, the longest waiting first, but for some of them. */
export async function changedInvoices(
  sql: Queryable,
  without: readonly InvoiceId[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ invoiceId: InvoiceId }[]>`
    select invoice_id from invoice_change where invoice_id <> all(${[...without]}::uuid[])
    group by invoice_id order by min(id) limit ${limit}`
  return rows.map(({ invoiceId }) => invoiceId)
}

/** Whether a worker has derived all that was stored about an invoice so far. */
export async function isDerived(sql: Queryable, invoiceId: InvoiceId): Promise<boolean> {
  const rows = await sql`select from invoice_change where invoice_id = ${invoiceId} limit 1`
  return rows.length === 0
}
