import type { MerchantId } from '../../core/ids.ts'
import { failureReason, type Recovery, type RecoveryReason } from '../../core/invoice/recovery.ts'
import type { Database } from '../database.ts'

/** Everything of a merchant's that lies in deposits and goes nowhere by itself. */

type HeldRow = Omit<Recovery, 'reason'> & {
  readonly reason: RecoveryReason | 'failed'
  readonly total: number
}

export interface RecoveryPage {
  readonly recoveries: readonly Recovery[]
  /** How many there are, on all pages. */
  readonly total: number
}

/**
 * What is held, the newest first: payments that count for nothing, and on-time money of invoices that
 * are not settled or have ended unpaid. What refunds and sweeps have taken or are promised is left out.
 */
export async function listRecoveries(
  database: Database,
  merchantId: MerchantId,
  page: { readonly limit: number; readonly offset: bigint },
  now: Date,
): Promise<RecoveryPage> {
  const rows = await database<HeldRow[]>`
    with astray as (
      select i.id as invoice_id, i.reference as invoice_ref, i.external_ref, p.network_id, p.token,
        p.amount - p.refunded - p.refunding as amount, p.id as payment_id, p.sender,
        case when p.kind = 'late' then 'late'
          when p.network_id = any(i.chains) then 'wrong_token'
          else 'wrong_chain' end as reason,
        null as error, i.recipient is not null as has_own_recipient, p.created_at as since
      from payment p join invoice i on i.id = p.invoice_id
      where i.merchant_id = ${merchantId} and p.kind <> 'counted' and p.status = 'confirmed'
    ), unsettled as (
      select i.id as invoice_id, i.reference as invoice_ref, i.external_ref, c.network_id, c.token,
        c.kept - coalesce(s.promised, 0) as amount, null::uuid as payment_id, null as sender,
        case when i.status = 'partial' then 'underpaid' else i.settlement_state::text end as reason,
        i.settlement_error as error, i.recipient is not null as has_own_recipient,
        coalesce(i.paid_at, i.created_at) as since
      from invoice i
      cross join lateral (
        select network_id, token, sum(amount - refunded - refunding) as kept from payment
        where invoice_id = i.id and kind = 'counted' and status = 'confirmed'
        group by network_id, token) as c
      left join lateral (
        select sum(amount) as promised from settlement
        where invoice_id = i.id and network_id = c.network_id and token = c.token
          and status <> 'failed') as s on true
      where i.merchant_id = ${merchantId} and (
        i.settlement_state in ('no_recipient', 'below_gas_threshold', 'failed')
        or (i.status = 'partial' and least(i.expires_at, i.closed_at) < ${now}))
    ), held as (
      select * from astray where amount > 0
      union all
      select * from unsettled where amount > 0
    )
    select held.*, counted.total
    from (select count(*)::integer as total from held) as counted
    left join lateral (
      select * from held order by since desc, invoice_id, payment_id
      limit ${page.limit} offset ${page.offset}) as held on true`
  const total = rows[0]?.total ?? 0
  // A page past the end is one row of nulls, which only says how many there are.
  const held = rows.filter((row) => row.invoiceId !== null)
  const recoveries = held.map(({ total: _, reason, ...row }) => ({
    ...row,
    reason: reason === 'failed' ? failureReason(row.error) : reason,
  }))
  return { recoveries, total }
}
