import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'
import { serverOf } from '../database/primary.ts'
import type { RegistryTerms } from '../hub/registryEntries.ts'
import { allTransactionsOf } from './rows.ts'

/**
 * The lock of an invoice: its row, against all other writers. Reads under it happen after it was granted, so
 * that no earlier commit is overlooked.
 */

export interface LockedInvoice extends InvoiceRows {
  readonly merchant: LockedMerchant
}

interface LockedMerchant extends RegistryTerms {
  readonly recipient: Address | null
  /** Whether the operator lets this merchant's refunds go to others than the payment's sender. */
  readonly refundsAny: boolean
}

/** Which invoice of which merchant. */
export interface OwnInvoice {
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId
}

/** Locks an invoice; null when there is none. */
export async function lockInvoiceRow(
  sql: Transaction,
  invoiceId: InvoiceId,
): Promise<Invoice | null> {
  const [row] = await sql<Invoice[]>`select * from invoice where id = ${invoiceId} for update`
  return row ?? null
}

/** Locks invoices in the order of their ids, as everybody does. Throws when one of them is not there. */
export async function lockInvoiceRows(
  sql: Transaction,
  invoiceIds: readonly InvoiceId[],
): Promise<Invoice[]> {
  const invoices = await sql<Invoice[]>`
    select * from invoice where id = any(${[...invoiceIds]}::uuid[]) order by id for update`
  const found = new Set(invoices.map(({ id }) => id))
  const missing = invoiceIds.find((id) => !found.has(id))
  if (missing !== undefined) throw new Error(`there is no invoice ${missing}`)
  return invoices
}

/** An invoice's own row, without its lock. Throws when there is none. */
export async function readInvoice(sql: Queryable, invoiceId: InvoiceId): Promise<Invoice> {
  const [row] = await sql<Invoice[]>`select * from invoice where id = ${invoiceId}`
  if (!row) throw new Error(`there is no invoice ${invoiceId}`)
  return row
}

/** Everything that belongs to an invoice whose lock the caller holds. */
export async function readLocked(sql: Transaction, invoice: Invoice): Promise<LockedInvoice> {
  return { invoice, ...(await readBelongings(sql, [invoice.id]))(invoice.id) }
}

/** The same of several, without their own rows. */
export async function readBelongings(
  sql: Transaction,
  invoiceIds: readonly InvoiceId[],
): Promise<(invoiceId: InvoiceId) => Omit<LockedInvoice, 'invoice'>> {
  const [rows, transactions] = await Promise.all([
    sql<(LockedMerchant & { invoiceId: InvoiceId })[]>`
      select i.id as invoice_id, m.recipient, m.config_version, m.x402_fee_bps, m.x402_fee_cap,
        m.refunds_any
      from invoice i join merchant m on m.id = i.merchant_id
      where i.id = any(${[...invoiceIds]}::uuid[])`,
    allTransactionsOf(sql, invoiceIds),
  ])
  const merchants = new Map(rows.map(({ invoiceId, ...merchant }) => [invoiceId, merchant]))
  return (invoiceId) => {
    const merchant = merchants.get(invoiceId)
    if (!merchant) throw new Error(`there is no invoice ${invoiceId}, or no merchant of it`)
    return { merchant, merchantRecipient: merchant.recipient, ...transactions(invoiceId) }
  }
}

/**
 * The merchant's invoice, locked; null for another merchant's. For the API, which may lock invoices and not
 * change them.
 */
export async function lockOwnInvoice(
  sql: Transaction,
  { merchantId, invoiceId }: OwnInvoice,
): Promise<LockedInvoice | null> {
  const [invoice] = await sql<Invoice[]>`select * from lock_invoice(${invoiceId})`
  return invoice?.merchantId === merchantId ? readLocked(sql, invoice) : null
}

/**
 * Withdraws signed payments of an invoice that its merchant has ended; the caller holds its lock. Those that a relayer
 * has signed for are carried out, and count as what they are then.
 */
export async function withdrawUnsent(
  sql: Transaction,
  { merchantId, invoiceId }: OwnInvoice,
): Promise<void> {
  await withdrawOfEnded(sql, sql`i.id = ${invoiceId} and i.merchant_id = ${merchantId}`)
}

async function withdrawOfEnded(sql: Transaction, which: Fragment): Promise<void> {
  await sql`
    select withdraw_work(a.id, true) from invoice_authorization a
    join invoice i on i.id = a.invoice_id
    where a.status = 'pending' and (i.closed_at is not null or i.accepted_amount is not null) and ${which}
    order by a.id`
}

/**
 * Notes that a server of the database was compared with the chain, if it still answers (readServer): from now on what
 * waits is withdrawn again. So is what merchants have ended meanwhile.
 */
export async function noteCompared(
  sql: Transaction,
  networkId: string,
  server: string,
): Promise<void> {
  const isOther = sql`
    network_id = ${networkId} and compared_server <> pg_postmaster_start_time()
    and ${serverOf(sql)} = ${server}`
  if ((await sql`select from chain_state where ${isOther}`).length === 0) return
  // Before the note, so that what ends afterwards finds that.
  const pending = await sql<{ invoiceId: InvoiceId }[]>`
    select distinct invoice_id from invoice_authorization
    where network_id = ${networkId} and status = 'pending'`
  const ids = pending.map(({ invoiceId }) => invoiceId)
  await lockInvoiceRows(sql, ids)
  await sql`update chain_state set compared_server = pg_postmaster_start_time() where ${isOther}`
  await withdrawOfEnded(sql, sql`i.id = any(${ids}::uuid[]) and a.network_id = ${networkId}`)
}
