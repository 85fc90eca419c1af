import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import type { Database, Transaction } from '../database.ts'
import { type MerchantsInvoice, withTransactions } from './rows.ts'

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

/** One invoice of the merchant with everything that belongs to it; null for anybody else's. */
export async function findInvoice(
  database: Database,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
): Promise<InvoiceRows | null> {
  return inOneSnapshot(database, async (sql) => {
    const found = await sql<MerchantsInvoice[]>`
      select i.*, m.recipient as merchant_recipient
      from invoice i join merchant m on m.id = i.merchant_id
      where i.id = ${invoiceId} and i.merchant_id = ${merchantId}`
    const [rows] = await withTransactions(sql, found)
    return rows ?? null
  })
}

export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined
  readonly externalRef?: string | undefined
  readonly reference?: string | undefined
  /** Both ends belong to the range. */
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
  /** Judged by `now`. */
  readonly expired?: boolean | undefined
}

export interface InvoicePage {
  readonly invoices: readonly InvoiceRows[]
  /** How many invoices match the filter, on all pages. */
  readonly total: number
}

/** The merchant's invoices, the newest first. `offset` is in invoices. */
export async function listInvoices(
  database: Database,
  merchantId: MerchantId,
  filter: InvoiceFilter,
  page: { readonly limit: number; readonly offset: bigint },
  now: Date,
): Promise<InvoicePage> {
  return inOneSnapshot(database, async (sql) => {
    const matching = conditions(sql, merchantId, filter, now)
    const [counted, found] = await Promise.all([
      sql<{ total: number }[]>`select count(*)::int as total from invoice i where ${matching}`,
      sql<MerchantsInvoice[]>`
        select i.*, (select recipient from merchant where id = ${merchantId}) as merchant_recipient
        from invoice i where ${matching}
        order by i.created_at desc, i.id desc
        limit ${page.limit} offset ${page.offset}`,
    ])
    return {
      invoices: await withTransactions(sql, found),
      total: counted[0]?.total ?? 0,
    }
  })
}

export type ClosingResult =
  | { readonly ok: true; readonly rows: InvoiceRows }
  | { readonly ok: false; readonly reason: 'not_found' | 'already_paid' }

/**
 * Ends an unpaid invoice now: payments in later blocks are late. Closing it again changes nothing,
 * and the first moment stands.
 */
export async function closeInvoice(
  database: Database,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
  now: Date,
): Promise<ClosingResult> {
  await database`
    update invoice set closed_at = ${now}, version = version + 1
    where id = ${invoiceId} and merchant_id = ${merchantId}
      and closed_at is null and status in ('pending', 'partial')`
  const rows = await findInvoice(database, merchantId, invoiceId)
  if (!rows) return { ok: false, reason: 'not_found' }
  const { status } = rows.invoice
  if (status === 'paid' || status === 'completed') return { ok: false, reason: 'already_paid' }
  return { ok: true, rows }
}

/** An invoice and its payments are read by several queries, which must not see different moments. */
async function inOneSnapshot<T>(
  database: Database,
  read: (sql: Transaction) => Promise<T>,
): Promise<T> {
  const result = await database.begin('isolation level repeatable read read only', async (sql) => ({
    value: await read(sql),
  }))
  return result.value
}

function conditions(sql: Transaction, merchantId: MerchantId, filter: InvoiceFilter, now: Date) {
  const { status, externalRef, reference, createdFrom, createdTo, expired } = filter
  const isExpired = sql`
    (coalesce(least(i.expires_at, i.closed_at) < ${now}, false)
      and i.status in ('pending', 'partial'))`
  return sql`
    i.merchant_id = ${merchantId}
    ${status === undefined ? sql`` : sql`and i.status = ${status}`}
    ${externalRef === undefined ? sql`` : sql`and i.external_ref = ${externalRef}`}
    ${reference === undefined ? sql`` : sql`and i.reference = ${reference}`}
    ${createdFrom === undefined ? sql`` : sql`and i.created_at >= ${createdFrom}`}
    ${createdTo === undefined ? sql`` : sql`and i.created_at <= ${createdTo}`}
    ${expired === undefined ? sql`` : sql`and ${isExpired} = ${expired}`}`
}
