import { asInvoiceId, type InvoiceId, type MerchantId, NIL_UUID } from '../../core/ids.ts'
import type { ReportedDay, ReportedTransaction } from '../../core/invoice/report.ts'
import type { Database } from '../database.ts'

/**
 * Reports, read page by page: each page is a query of its own that goes on where the one before ended,
 * so that a slow reader holds neither a connection nor a snapshot.
 */

export interface ReportRange {
  readonly from: Date | null
  /** Exclusive. */
  readonly to: Date | null
}

/** Where a page ended. Times as text, because a Date has no microseconds. */
export interface ReportPlace {
  readonly invoiceAt: string
  readonly invoiceId: InvoiceId
  readonly at: string
  readonly id: string
}

const START: ReportPlace = {
  invoiceAt: '-infinity',
  invoiceId: asInvoiceId(NIL_UUID),
  at: '-infinity',
  id: NIL_UUID,
}

type TransactionRow = ReportedTransaction & { readonly invoiceAt: string; readonly place: string }

export interface TransactionPage {
  readonly transactions: readonly ReportedTransaction[]
  /** Null when there is nothing more. */
  readonly next: ReportPlace | null
}

/**
 * The next transactions of a merchant: invoice by invoice in the order of creation, and within each in
 * the order in which they were first seen.
 */
export async function reportTransactions(
  database: Database,
  merchantId: MerchantId,
  { from, to }: ReportRange,
  after: ReportPlace | null,
  limit: number,
): Promise<TransactionPage> {
  const { invoiceAt, invoiceId, at, id } = after ?? START
  const rows = await database<TransactionRow[]>`
    select t.*, i.id as invoice_id, i.reference as invoice_ref, i.external_ref,
      i.created_at::text as invoice_at,
      t.created_at::text as place
    from invoice i
    cross join lateral (
      select * from (
        select case p.kind when 'counted' then 'payment' when 'late' then 'late_payment'
            else 'other_deposit' end as type,
          p.status, p.id, p.network_id, p.token, p.amount, p.fee,
          p.amount - p.refunded - p.refunding - p.fee as net, p.tx_hash::text, p.block_number,
          p.sender as account, p.created_at, p.confirmed_at
        from payment p where p.invoice_id = i.id
        union all
        select 'settlement', s.status, s.id, s.network_id, s.token, s.amount, s.fee,
          s.amount - s.fee, s.tx_hash, s.block_number, s.recipient, s.created_at, s.confirmed_at
        from settlement s where s.invoice_id = i.id
        union all
        select 'refund', r.status, r.id, r.network_id, r.token, r.amount, 0, 0, r.tx_hash,
          r.block_number, r.recipient, r.created_at, r.confirmed_at
        from refund r where r.invoice_id = i.id
      ) as moved
      where (i.id <> ${invoiceId} or (created_at, id) > (${at}::text::timestamptz, ${id}::uuid))
        and (${from}::timestamptz is null or created_at >= ${from})
        and (${to}::timestamptz is null or created_at < ${to})
      order by created_at, id limit ${limit}
    ) as t
    where i.merchant_id = ${merchantId}
      and (i.created_at, i.id) >= (${invoiceAt}::text::timestamptz, ${invoiceId}::uuid)
      and (${to}::timestamptz is null or i.created_at < ${to})
    order by i.created_at, i.id, t.created_at, t.id
    limit ${limit}`
  const last = rows.at(-1)
  const next =
    last === undefined || rows.length < limit
      ? null
      : { invoiceAt: last.invoiceAt, invoiceId: last.invoiceId, at: last.place, id: last.id }
  return { transactions: rows, next }
}

/** The sums of each day, chain and token between two moments, by the time of confirmation. */
export async function reportDays(
  database: Database,
  merchantId: MerchantId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<ReportedDay[]> {
  return database<ReportedDay[]>`
    select to_char(confirmed_at at time zone 'UTC', 'YYYY-MM-DD') as day, network_id, token,
      count(*) filter (where type = 'payment')::integer as payments,
      coalesce(sum(amount) filter (where type = 'payment' and not is_late), 0) as received,
      coalesce(sum(amount) filter (where type = 'payment' and is_late), 0) as late,
      count(*) filter (where type = 'settlement')::integer as settlements,
      coalesce(sum(amount - fee) filter (where type = 'settlement'), 0) as remitted,
      coalesce(sum(fee) filter (where type = 'settlement'), 0) as fees,
      count(*) filter (where type = 'refund')::integer as refunds,
      coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded
    from (
      select 'payment' as type, p.kind = 'late' as is_late, p.network_id, p.token::text, p.amount,
        p.fee, p.confirmed_at
      from payment p join invoice i on i.id = p.invoice_id
      where i.merchant_id = ${merchantId} and p.status = 'confirmed' and p.kind <> 'foreign'
        and p.confirmed_at >= ${from} and p.confirmed_at < ${to}
      union all
      select 'settlement', false, s.network_id, s.token, s.amount, s.fee, s.confirmed_at
      from settlement s join invoice i on i.id = s.invoice_id
      where i.merchant_id = ${merchantId} and s.status = 'confirmed'
        and s.confirmed_at >= ${from} and s.confirmed_at < ${to}
      union all
      select 'refund', false, r.network_id, r.token, r.amount, 0, r.confirmed_at
      from refund r join invoice i on i.id = r.invoice_id
      where i.merchant_id = ${merchantId} and r.status = 'confirmed'
        and r.confirmed_at >= ${from} and r.confirmed_at < ${to}
    ) as movement
    group by day, network_id, token
    order by day, network_id, token`
}
