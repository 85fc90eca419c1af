import type { MerchantId } from '../../core/ids.ts'
import { failureReason, type Recovery, type RecoveryReason } from '../../core/invoice/recovery.ts'
import type { Database } from '../database.ts'
import { heldOf } from './held.ts'

/** Everything of a merchant's that lies in deposits and goes nowhere by itself. */

type HeldRow = Omit<Recovery, 'reason'> & {
  readonly reason: RecoveryReason | 'failed'
  readonly total: number
  readonly part: number
}

export interface RecoveryPage {
  readonly recoveries: readonly Recovery[]
  /** How many there are, on all pages. */
  readonly total: number
}

/**
 * What is held, the newest first: payments that count for nothing, and on-time money of invoices that
 * are not settled or have ended unpaid. What refunds and sweeps have taken or are promised is left out.
 * Only of those on the page is read what they are.
 */
export async function listRecoveries(
  database: Database,
  merchantId: MerchantId,
  page: { readonly limit: number; readonly offset: bigint },
  now: Date,
): Promise<RecoveryPage> {
  const { limit, offset } = page
  // No page needs more than this of either kind, whose indexes have them in this order.
  const enough = offset + BigInt(limit)
  const astray = database`
    merchant_id = ${merchantId} and kind <> 'counted' and status = 'confirmed'
    and amount > refunded + refunding`
  const keeping = database`
    merchant_id = ${merchantId} and held_parts > 0
    and (status <> 'partial' or least(expires_at, closed_at) < ${now})`
  const rows = await database<HeldRow[]>`
    with held as materialized (
      (select invoice_id, id as payment_id, 0 as part, created_at as since from payment
        where ${astray} order by created_at desc, invoice_id, id limit ${enough})
      union all
      select i.id, null, part, i.since
      from (
        select id, held_parts, coalesce(paid_at, created_at) as since from invoice
        where ${keeping} order by coalesce(paid_at, created_at) desc, id limit ${enough}
      ) i cross join lateral generate_series(1, i.held_parts) as part
    ), page as materialized (
      select * from held order by since desc, invoice_id, payment_id, part
      limit ${limit} offset ${offset}
    )
    select detail.*, counted.total
    from (
      select (select count(*)::integer from payment where ${astray})
        + (select coalesce(sum(held_parts), 0)::integer from invoice where ${keeping}) as total
    ) as counted
    left join lateral (
      select page.invoice_id, i.reference as invoice_ref, i.external_ref,
        coalesce(p.network_id, kept.network_id) as network_id, coalesce(p.token, kept.token) as token,
        coalesce(p.amount, kept.amount) as amount, page.payment_id, p.sender,
        case when p.kind = 'late' then 'late'
          when p.network_id = any(i.chains) then 'wrong_token'
          when p.id is not null then 'wrong_chain'
          when i.status = 'partial' then 'underpaid'
          else i.settlement_state::text end as reason,
        case when p.id is null then i.settlement_error end as error,
        i.recipient is not null as has_own_recipient, page.since, page.part
      from page
      -- Limited, so that each is looked up by its key and no table is read whole.
      cross join lateral (select * from invoice where id = page.invoice_id limit 1) i
      left join lateral (
        select id, network_id, token::text, sender, kind, amount - refunded - refunding as amount
        from payment where id = page.payment_id limit 1
      ) p on true
      left join lateral (
        select * from (
          select h.*, row_number() over (order by network_id, token) as part
          from ${heldOf(database, 'i')} as h
        ) numbered where numbered.part = page.part
      ) kept on page.payment_id is null
      order by page.since desc, page.invoice_id, page.payment_id, page.part
    ) as detail on true`
  const total = rows[0]?.total ?? 0
  // A page past the end is one row of nulls, which only says how many there are.
  const held = rows.filter((row) => row.invoiceId !== null)
  const recoveries = held.map(({ total: _total, part: _part, reason, ...row }) => ({
    ...row,
    reason: reason === 'failed' ? failureReason(row.error) : reason,
  }))
  return { recoveries, total }
}
