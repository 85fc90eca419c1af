import type { Address } from '../core/evm.ts'
import type { Invoice, InvoiceStatus } from '../core/invoice.ts'
import type { InvoiceRows } from '../core/present.ts'
import type { Database, Queryable, Transaction } from './database.ts'
import { type InvoiceRow, withPaymentsAndSettlements } from './invoiceRows.ts'

/** Invoices as merchants create, read and close them. */

export type CreationResult =
  | 'created'
  /** The merchant used this externalRef before; nothing was written. */
  | 'externalRef_taken'
  /** The recipient is an address that we watch; nothing was written. */
  | 'recipient_watched'
  /** Another invoice has this reference; try again with a new one. */
  | 'reference_taken'

/**
 * Stores a new invoice, the address to watch and the event that tells of it, in one statement: when it
 * has returned, no transfer to the address can be missed. `metadataJson` and `eventJson` are JSON text.
 */
export async function createInvoice(
  sql: Queryable,
  invoice: Invoice,
  metadataJson: string,
  eventJson: string,
): Promise<CreationResult> {
  try {
    const told =
      invoice.recipient === null
        ? await insertPlain(sql, invoice, metadataJson, eventJson)
        : await insertUnlessWatched(sql, invoice, invoice.recipient, metadataJson, eventJson)
    if (told.count === 1) return 'created'
    return (await isWatched(sql, invoice.recipient)) ? 'recipient_watched' : 'externalRef_taken'
  } catch (error) {
    if (isReferenceTaken(error)) return 'reference_taken'
    throw error
  }
}

/** The statement of an invoice without a recipient, which is most of them and is kept short. */
function insertPlain(sql: Queryable, invoice: Invoice, metadataJson: string, eventJson: string) {
  return sql`with created as (
insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains, amount_expected,
fee_cap, platform_fee, hub, deposit_address, metadata, expires_at, created_at)
values (${invoice.id}, ${invoice.merchantId}, ${invoice.externalRef}, ${invoice.reference},
${invoice.tokenSymbol}, ${[...invoice.chains]}, ${invoice.amountExpected.toString()},
${invoice.feeCap.toString()}, ${invoice.platformFee.toString()}, ${invoice.hub},
${invoice.depositAddress}, ${metadataJson}::text::jsonb, ${invoice.expiresAt}, ${invoice.createdAt})
on conflict (merchant_id, external_ref) do nothing returning id, merchant_id, deposit_address, version
), watching as (
insert into watched (address, kind, merchant_id, invoice_id)
select deposit_address, 'deposit', merchant_id, id from created)
insert into outbox (id, merchant_id, type, object_id, version, data)
select ${Bun.randomUUIDv7()}, merchant_id, 'invoice.created', id, version, ${eventJson}::text::json
from created`
}

/** The same for an invoice with a recipient of its own, which must not be an address of ours. */
function insertUnlessWatched(
  sql: Queryable,
  invoice: Invoice,
  recipient: Address,
  metadataJson: string,
  eventJson: string,
) {
  return sql`
    with created as (
      insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains,
        amount_expected, fee_cap, platform_fee, recipient, hub, deposit_address, metadata,
        expires_at, created_at)
      select ${invoice.id}::uuid, ${invoice.merchantId}::uuid, ${invoice.externalRef}::text,
        ${invoice.reference}::text, ${invoice.tokenSymbol}::text, ${[...invoice.chains]}::text[],
        ${invoice.amountExpected.toString()}::numeric, ${invoice.feeCap.toString()}::numeric,
        ${invoice.platformFee.toString()}::numeric, ${recipient}::text, ${invoice.hub}::text,
        ${invoice.depositAddress}::text, ${metadataJson}::text::jsonb,
        ${invoice.expiresAt}::timestamptz, ${invoice.createdAt}::timestamptz
      where not exists (select from watched where address = ${recipient})
      on conflict (merchant_id, external_ref) do nothing
      returning id, merchant_id, deposit_address, version
    ), watching as (
      insert into watched (address, kind, merchant_id, invoice_id)
      select deposit_address, 'deposit', merchant_id, id from created
    )
    insert into outbox (id, merchant_id, type, object_id, version, data)
    select ${Bun.randomUUIDv7()}::uuid, merchant_id, 'invoice.created', id, version,
      ${eventJson}::text::json
    from created`
}

/** True when the address is one on which we receive payments. */
async function isWatched(sql: Queryable, address: Address | null): Promise<boolean> {
  const rows = await sql`select from watched where address = ${address}`
  return rows.length > 0
}

export interface ExistingInvoice {
  readonly rows: InvoiceRows
  readonly hasSameMetadata: boolean
}

/** The invoice with this externalRef, and whether its metadata equal the given ones as JSON values. */
export async function findByExternalRef(
  database: Database,
  merchantId: string,
  externalRef: string,
  metadataJson: string,
): Promise<ExistingInvoice | null> {
  return inOneSnapshot(database, async (sql) => {
    const [row] = await sql<(MerchantsInvoiceRow & { has_same_metadata: boolean })[]>`
      select i.*, m.recipient as merchant_recipient,
        i.metadata = ${metadataJson}::text::jsonb as has_same_metadata
      from invoice i join merchant m on m.id = i.merchant_id
      where i.merchant_id = ${merchantId} and i.external_ref = ${externalRef}`
    if (!row) return null
    const [rows] = await withPaymentsAndSettlements(sql, [row])
    return rows ? { rows, hasSameMetadata: row.has_same_metadata } : null
  })
}

/** One invoice of the merchant with everything that belongs to it; null for anybody else's. */
export async function findInvoice(
  database: Database,
  merchantId: string,
  invoiceId: string,
): Promise<InvoiceRows | null> {
  return inOneSnapshot(database, async (sql) => {
    const found = await sql<MerchantsInvoiceRow[]>`
      select i.*, m.recipient as merchant_recipient
      from invoice i join merchant m on m.id = i.merchant_id
      where i.id = ${invoiceId} and i.merchant_id = ${merchantId}`
    const [rows] = await withPaymentsAndSettlements(sql, found)
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
  merchantId: string,
  filter: InvoiceFilter,
  page: { readonly limit: number; readonly offset: bigint },
  now: Date,
): Promise<InvoicePage> {
  return inOneSnapshot(database, async (sql) => {
    const matching = conditions(sql, merchantId, filter, now)
    const [counted, found] = await Promise.all([
      sql<{ total: number }[]>`select count(*)::int as total from invoice i where ${matching}`,
      sql<MerchantsInvoiceRow[]>`
        select i.*, (select recipient from merchant where id = ${merchantId}) as merchant_recipient
        from invoice i where ${matching}
        order by i.created_at desc, i.id desc
        limit ${page.limit} offset ${page.offset}`,
    ])
    return {
      invoices: await withPaymentsAndSettlements(sql, found),
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
  merchantId: string,
  invoiceId: string,
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

type MerchantsInvoiceRow = InvoiceRow & { merchant_recipient: string | null }

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

function conditions(sql: Transaction, merchantId: string, filter: InvoiceFilter, now: Date) {
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

function isReferenceTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint_name' in error &&
    error.constraint_name === 'invoice_reference_key'
  )
}
