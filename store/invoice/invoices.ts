import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { Database } from '../database/database.ts'
import { withdrawUnsent } from './locking.ts'
import {
  allTransactionsOf,
  inOneSnapshot,
  type MerchantsInvoice,
  withTransactions,
} from './rows.ts'
import { notifySessions } from './sessionNews.ts'

/** Invoices as merchants read and close them. */

export interface ExistingInvoice {
  readonly rows: InvoiceRows
  readonly hasSameMetadata: boolean
}

/** The invoice with this externalRef, and whether its metadata equal the given ones as JSON values. */
export async function findByExternalRef(
  database: Database,
  merchantId: MerchantId,
  externalRef: string,
  metadataJson: string,
): Promise<ExistingInvoice | null> {
  return inOneSnapshot(database, async (sql) => {
    const [row] = await sql<(MerchantsInvoice & { hasSameMetadata: boolean })[]>`
      select i.*, m.recipient as merchant_recipient,
        i.metadata = ${metadataJson}::text::jsonb as has_same_metadata
      from invoice i join merchant m on m.id = i.merchant_id
      where i.merchant_id = ${merchantId} and i.external_ref = ${externalRef}`
    if (!row) return null
    const [rows] = await withTransactions(sql, [row])
    return rows ? { rows, hasSameMetadata: row.hasSameMetadata } : null
  })
}

/** One invoice of the merchant with everything that belongs to it; null for another merchant's. */
export async function findInvoice(
  database: Database,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
): Promise<InvoiceRows | null> {
  return inOneSnapshot(database, async (sql) => {
    const [[row], transactions] = await Promise.all([
      sql<MerchantsInvoice[]>`
        select i.*, m.recipient as merchant_recipient
        from invoice i join merchant m on m.id = i.merchant_id
        where i.id = ${invoiceId} and i.merchant_id = ${merchantId}`,
      allTransactionsOf(sql, [invoiceId]),
    ])
    if (row === undefined) return null
    const { merchantRecipient, ...invoice } = row
    return { invoice, merchantRecipient, ...transactions(invoiceId) }
  })
}

export type ClosingResult =
  | { readonly ok: true; readonly rows: InvoiceRows }
  | { readonly ok: false; readonly reason: 'not_found' | 'already_paid' }

/**
 * Ends an unpaid invoice now: payments in later blocks are late. Closing it again changes nothing,
 * and the first moment is kept.
 */
export async function closeInvoice(
  database: Database,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
  now: Date,
): Promise<ClosingResult> {
  await database.begin(async (sql) => {
    await sql`select close_invoice(${merchantId}, ${invoiceId}, ${now})`
    await withdrawUnsent(sql, { merchantId, invoiceId })
  })
  await notifySessions(database, [invoiceId])
  const rows = await findInvoice(database, merchantId, invoiceId)
  if (!rows) return { ok: false, reason: 'not_found' }
  const { status } = rows.invoice
  if (status === 'paid' || status === 'completed') return { ok: false, reason: 'already_paid' }
  return { ok: true, rows }
}
