import { type MerchantId, NIL_UUID } from '../../../core/base/ids.ts'
import type { ReportedInvoice, ReportedTransaction } from '../../../core/invoice/report.ts'
import type { Database } from '../../database/database.ts'
import { methodOf } from '../rows.ts'
import { feeHeldBefore } from './heldFees.ts'

/**
 * Reports, read page by page: each page is a query of its own that continues where the last one ended, so that
 * a slow reader holds neither a connection nor a snapshot.
 */

export interface ReportRange {
  readonly from: Date | null
  /** Exclusive. */
  readonly to: Date | null
}

/** Where a page ended. The time as text, because a Date has no microseconds. */
export interface ReportPlace {
  readonly at: string
  readonly id: string
}

type TransactionRow = Omit<ReportedTransaction, 'invoice'> &
  (ReportedInvoice | NoInvoice) & { readonly place: string }

/** The columns of the invoice where there is none. */
type NoInvoice = Readonly<Record<keyof ReportedInvoice, null>>

export interface TransactionPage {
  readonly transactions: readonly ReportedTransaction[]
  /** Null when there is nothing more. */
  readonly next: ReportPlace | null
}

/** The next transactions of a merchant, in the order in which they were first seen. */
export async function reportTransactions(
  database: Database,
  merchantId: MerchantId,
  { from, to }: ReportRange,
  after: ReportPlace | null,
  limit: number,
): Promise<TransactionPage> {
  const { at, id } = after ?? { at: from?.toISOString() ?? '-infinity', id: NIL_UUID }
  const page = database`
    merchant_id = ${merchantId} and (created_at, id) > (${at}::text::timestamptz, ${id}::uuid)
    and created_at < coalesce(${to}::timestamptz, 'infinity')
    order by created_at, id limit ${limit}`
  const payouts = database`
    merchant_id = ${merchantId} and (block_time, id) > (${at}::text::timestamptz, ${id}::uuid)
    and block_time < coalesce(${to}::timestamptz, 'infinity')
    order by block_time, id limit ${limit}`
  const owedByPayout = database`
    fee_held - case when fee > 0 then ${feeHeldBefore(database, 'd')} else 0 end`
  const rows = await database<TransactionRow[]>`
    select moved.*, i.reference as invoice_ref, i.external_ref, i.token_symbol, i.fiat,
      i.amount_expected, i.accepted_amount, i.underpayment_tolerance, i.received_amount,
      i.returned_amount, moved.created_at::text as place
    from (
      select * from (
        (select case kind when 'counted' then 'payment' when 'late' then 'late_payment'
            else 'other_deposit' end as type,
          status, id, invoice_id, network_id, token, amount, fee,
          amount - refunded - refunding - fee as net, 0::numeric as owed, tx_hash::text, block_number,
          sender as account, created_at, confirmed_at, ${methodOf(database)} as method
        from payment p where ${page})
        union all
        (select 'settlement', status, id, invoice_id, network_id, token, amount, fee, amount - fee,
          fee_owed, tx_hash, block_number, recipient, created_at, confirmed_at, null
        from settlement where not replanned and ${page})
        union all
        (select case when x402_payment_id is null then 'refund' else 'x402_refund' end, status, id,
          invoice_id, network_id, token, amount, 0, 0, 0, tx_hash, block_number, recipient, created_at,
          confirmed_at, null
        from refund where ${page})
        union all
        (select 'external_refund', status, id, invoice_id, network_id, token, amount, 0, 0, 0, tx_hash,
          block_number, recipient, created_at, confirmed_at, null
        from external_refund where ${page})
        union all
        (select case when direct then 'x402_direct' else 'x402_payment' end, status, id, null,
          network_id, asset, amount, coalesce(fee, 0), amount - refunded - refunding - coalesce(fee, 0), fee_owed, tx_hash, block_number, payer, created_at, confirmed_at, null
        from x402_payment where ${page})
        union all
        (select 'x402_payout', 'confirmed', id, null, network_id, token, remitted + fee, fee,
          remitted, ${owedByPayout}, tx_hash, block_number, treasury, block_time, block_time, null
        from x402_distribution d where ${payouts})
      ) as movement
      order by created_at, id limit ${limit}
    ) as moved
    left join invoice i on i.id = moved.invoice_id
    order by moved.created_at, moved.id`
  const last = rows.at(-1)
  const next = last === undefined || rows.length < limit ? null : { at: last.place, id: last.id }
  return { transactions: rows.map(reported), next }
}

function reported(row: TransactionRow): ReportedTransaction {
  return { ...row, invoice: row.tokenSymbol === null ? null : row }
}
