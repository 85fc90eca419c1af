import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { TokenSymbol } from '../../core/chain/tokens.ts'
import type { Queryable } from '../database/database.ts'

/** A merchant's recent failures that need attention, besides held money. */

export interface FailedRefund {
  readonly id: string
  readonly invoiceId: InvoiceId
  readonly invoiceRef: string
  readonly error: string | null
  readonly createdAt: Date
}

const MOST_SHOWN = 5
/** Of the overpaid invoices some may be refunded. */
const MOST_READ = 50

/** The newest refunds since then that failed. */
export async function failedRefunds(
  sql: Queryable,
  merchantId: MerchantId,
  since: Date,
): Promise<FailedRefund[]> {
  return sql<FailedRefund[]>`
    select r.id, r.invoice_id, i.reference as invoice_ref, r.error, r.created_at
    from refund r join invoice i on i.id = r.invoice_id
    where r.merchant_id = ${merchantId} and r.created_at >= ${since} and r.status = 'failed'
    order by r.created_at desc, r.id desc limit ${MOST_SHOWN}`
}

export interface Overpaid {
  readonly id: InvoiceId
  readonly reference: string
  readonly tokenSymbol: TokenSymbol
  /** What was received above the amount due and was not refunded, in base units. */
  readonly excess: BaseUnits
  readonly paidAt: Date
}

/** The newest invoices paid since then of which too much was received that the merchant still has. */
export async function overpaidInvoices(
  sql: Queryable,
  merchantId: MerchantId,
  since: Date,
): Promise<Overpaid[]> {
  return sql<Overpaid[]>`
    select * from (
      select i.id, i.reference, i.token_symbol, i.paid_at,
        (i.received_amount - i.returned_amount - i.amount_expected - coalesce((
          select sum(amount) from external_refund where invoice_id = i.id and status <> 'failed'
        ), 0))::numeric(78, 0) as excess
      from (
        select * from invoice
        where merchant_id = ${merchantId} and paid_at >= ${since}
          and received_amount - returned_amount > amount_expected
        order by paid_at desc limit ${MOST_READ}
      ) i
    ) overpaid
    where excess > 0 order by paid_at desc limit ${MOST_SHOWN}`
}

export interface BrokenEndpoint {
  readonly id: string
  readonly url: string
  readonly active: boolean
  /** Since when it fails, or when it was disabled for it. */
  readonly since: Date
}

/** Webhook endpoints that fail, or were disabled because they did. */
export async function brokenEndpoints(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<BrokenEndpoint[]> {
  return sql<BrokenEndpoint[]>`
    select id, url, active, coalesce(disabled_at, failing_since) as since from webhook_endpoint
    where merchant_id = ${merchantId}
      and (failing_since is not null or disabled_reason in ('gone', 'failing'))
    order by created_at desc limit ${MOST_SHOWN}`
}

export interface InvoiceCounts {
  readonly pending: number
  readonly partial: number
  readonly paid: number
  readonly completed: number
  /** All of them, also those that ended. */
  readonly created: number
}

/** How many of the invoices that were created since a day (UTC) are at which status. */
export async function countInvoices(
  sql: Queryable,
  merchantId: MerchantId,
  since: Date,
): Promise<InvoiceCounts> {
  const [row] = await sql<InvoiceCounts[]>`
    select coalesce(sum(invoices) filter (where status = 'pending'), 0)::int as pending,
      coalesce(sum(invoices) filter (where status = 'partial'), 0)::int as partial,
      coalesce(sum(invoices) filter (where status = 'paid'), 0)::int as paid,
      coalesce(sum(invoices) filter (where status = 'completed'), 0)::int as completed,
      coalesce(sum(invoices), 0)::int as created
    from (
      select merchant_id, day, status, token_symbol, invoices from invoice_tally
      union all
      select merchant_id, day, status, token_symbol, invoices from invoice_tally_change
    ) as tallied
    where merchant_id = ${merchantId} and day >= (${since}::timestamptz at time zone 'UTC')::date`
  return row ?? { pending: 0, partial: 0, paid: 0, completed: 0, created: 0 }
}
