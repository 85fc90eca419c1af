import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ExternalRefund } from '../../core/invoice/externalRefund.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { Invoice, Payment, Refund, Settlement } from '../../core/invoice/state.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'

/** An invoice row with the recipient that its merchant has now. */
export type MerchantsInvoice = Invoice & { readonly merchantRecipient: Address | null }

/** Adds to invoices everything that belongs to them, in four queries however many there are. */
export async function withTransactions(
  sql: Queryable,
  rows: readonly MerchantsInvoice[],
): Promise<InvoiceRows[]> {
  if (rows.length === 0) return []
  const transactions = await allTransactionsOf(
    sql,
    rows.map(({ id }) => id),
  )
  return rows.map(({ merchantRecipient, ...invoice }) => ({
    invoice,
    merchantRecipient,
    ...transactions(invoice.id),
  }))
}

/** What belongs to each of these invoices. */
export function allTransactionsOf(
  sql: Queryable,
  ids: readonly InvoiceId[],
): ReturnType<typeof transactionsOf> {
  const payments = sql<Payment[]>`
    select p.*, ${methodOf(sql)} as method from payment p
    where p.invoice_id = any(${[...ids]}::uuid[]) order by p.detected_order`
  return transactionsOf(sql, ids, payments)
}

/**
 * How the payment p was sent. The ledger may record a transfer before its relayer does, so an authorization of this
 * payer and amount that is pending counts as its own, and after a reorganisation one whose transfer was in another
 * block, with another log index.
 */
export function methodOf(sql: Queryable) {
  return sql`coalesce((
    select a.method from invoice_authorization a
    where a.invoice_id = p.invoice_id and a.network_id = p.network_id
      and a.payer = p.sender and a.asset = p.token and a.amount = p.amount
      and (a.tx_hash = p.tx_hash or a.status = 'pending')
    order by a.status = 'pending', a.log_index <> p.log_index limit 1), 'transfer')`
}

/** What belongs to each of these invoices, with those payments of them that the caller selects. */
export async function transactionsOf(
  sql: Queryable,
  ids: readonly InvoiceId[],
  selected: PromiseLike<readonly Payment[]>,
): Promise<(invoiceId: InvoiceId) => Omit<InvoiceRows, 'invoice' | 'merchantRecipient'>> {
  const [payments, settlements, refunds, externalRefunds] = await Promise.all([
    selected,
    sql<Settlement[]>`
      select * from settlement where invoice_id = any(${[...ids]}::uuid[]) order by created_at, id`,
    sql<Refund[]>`
      select * from refund where invoice_id = any(${[...ids]}::uuid[]) order by created_at, id`,
    sql<ExternalRefund[]>`
      select * from external_refund where invoice_id = any(${[...ids]}::uuid[])
      order by created_at, id`,
  ])
  const paymentsOf = Map.groupBy(payments, (row) => row.invoiceId)
  const settlementsOf = Map.groupBy(settlements, (row) => row.invoiceId)
  const refundsOf = Map.groupBy(refunds, (row) => row.invoiceId)
  const externalOf = Map.groupBy(externalRefunds, (row) => row.invoiceId)
  return (invoiceId) => ({
    payments: paymentsOf.get(invoiceId) ?? [],
    settlements: settlementsOf.get(invoiceId) ?? [],
    refunds: refundsOf.get(invoiceId) ?? [],
    externalRefunds: externalOf.get(invoiceId) ?? [],
  })
}

/** An invoice and its payments are read by several queries, which must not see different moments. */
export async function inOneSnapshot<T>(
  database: Database,
  read: (sql: Transaction) => Promise<T>,
): Promise<T> {
  const result = await database.begin('isolation level repeatable read read only', async (sql) => ({
    value: await read(sql),
  }))
  return result.value
}
