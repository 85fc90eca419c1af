import { type InvoiceId, LAST_UUID, type MerchantId } from '../../core/base/ids.ts'
import {
  countedPage,
  cursorPage,
  type OrderKeys,
  type Page,
  type PageRequest,
  reachOf,
} from '../../core/base/page.ts'
import { failureReason, type Recovery, type RecoveryReason } from '../../core/invoice/recovery.ts'
import type { Database } from '../database/database.ts'
import { microsecondsOf, momentAt } from '../database/moments.ts'
import { heldOf } from './held.ts'

/** A merchant's money in deposits that needs an action. */

type HeldRow = Omit<Recovery, 'reason'> & {
  readonly reason: RecoveryReason | 'failed'
  readonly total: number | null
  readonly part: number
  readonly microseconds: bigint
}

/**
 * What is held, the newest first: payments that count for nothing, and on-time money of invoices that are
 * not settled or not paid in full, ended or not. What refunds and sweeps have taken or are promised is left
 * out. Only of those on the page is read what they are. With an invoice, only what is held of it.
 */
export async function listRecoveries(
  database: Database,
  merchantId: MerchantId,
  page: PageRequest,
  now: Date,
  invoiceId: InvoiceId | null = null,
): Promise<Page<Recovery>> {
  const { cursor } = page
  const { limit, isReversed } = cursor ? reachOf(page) : { ...page, isReversed: false }
  const offset = cursor ? 0n : page.offset
  // No page needs more than this of either kind, whose indexes have them in this order. The invoice of
  // the cursor may be among them although nothing of it comes after.
  const enough = offset + BigInt(limit) + 1n
  const places = placesOf(database, cursor?.keys ?? null, isReversed)
  const astray = database`
    merchant_id = ${merchantId} and kind <> 'counted' and status = 'confirmed'
    and amount > refunded + refunding
    ${invoiceId === null ? database`` : database`and invoice_id = ${invoiceId}`}`
  const keeping = database`
    merchant_id = ${merchantId} and held_parts > 0
    ${invoiceId === null ? database`` : database`and id = ${invoiceId}`}`
  const rows = await database<HeldRow[]>`
    with held as materialized (
      (select invoice_id, id as payment_id, 0 as part, created_at as since from payment
        where ${astray} and ${places.payments} ${places.order(database`created_at`, ['invoice_id', 'id'])}
        limit ${enough})
      union all
      select i.id, null, part, i.since
      from (
        select id, held_parts, coalesce(paid_at, created_at) as since from invoice
        where ${keeping} and ${places.invoices}
        ${places.order(database`coalesce(paid_at, created_at)`, ['id'])} limit ${enough}
      ) i cross join lateral generate_series(1, i.held_parts) as part
    ), page as materialized (
      select * from held where ${places.held}
      ${places.order(database`since`, ['invoice_id', 'payment_id', 'part'])}
      limit ${limit} offset ${offset}
    )
    select detail.*, counted.total
    from (${
      cursor
        ? database`select null::integer as total`
        : database`
            select (select count(*)::integer from payment where ${astray})
              + (select coalesce(sum(held_parts), 0)::integer from invoice where ${keeping}) as total`
    }) as counted
    left join lateral (
      select page.invoice_id, i.reference as invoice_ref, i.external_ref,
        coalesce(p.network_id, kept.network_id) as network_id, coalesce(p.token, kept.token) as token,
        coalesce(p.amount, kept.amount) as amount, page.payment_id, p.sender,
        case when p.kind = 'late' then 'late'
          when p.network_id = any(i.chains) then 'wrong_token'
          when p.id is not null then 'wrong_chain'
          when i.status = 'partial' and least(i.expires_at, i.closed_at) < ${now} then 'underpaid'
          when i.status = 'partial' then 'partial'
          else i.settlement_state::text end as reason,
        case when p.id is null then i.settlement_error end as error,
        case when p.id is null and i.status = 'partial' then least(i.expires_at, i.closed_at)
          end as expires_at,
        i.recipient is not null as has_own_recipient, page.since, page.part,
        ${microsecondsOf(database, 'page.since')} as microseconds
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
      ${places.order(database`page.since`, ['page.invoice_id', 'page.payment_id', 'page.part'])}
    ) as detail on true` // A page past the end is one row of nulls, which only has their count.
  const held = rows.filter((row) => row.invoiceId !== null)
  const shown = cursor ? cursorPage(page, held, keysOf) : countedPage(held, rows[0]?.total ?? 0)
  const elements = shown.elements.map(
    ({ total: _total, part: _part, microseconds: _since, reason, ...row }) => ({
      ...row,
      reason: reason === 'failed' ? failureReason(row.error) : reason,
    }),
  )
  return { ...shown, elements }
}

function keysOf({ microseconds, invoiceId, paymentId, part }: HeldRow): OrderKeys {
  return [String(microseconds), invoiceId, paymentId ?? LAST_UUID, String(part)]
}

/** Which of what is held lies beyond the one with these keys, in each part of the query, and the order. */
function placesOf(sql: Database, keys: OrderKeys | null, isReversed: boolean) {
  const order = (since: ReturnType<typeof momentAt>, columns: readonly string[]) => {
    const others = columns.map((column) => sql`, ${sql(column)} ${isReversed ? sql`desc` : sql``}`)
    return sql`order by ${since} ${isReversed ? sql`` : sql`desc`} ${others}`
  }
  if (keys === null) return { order, payments: sql`true`, invoices: sql`true`, held: sql`true` }
  const [since, invoiceId = '', paymentId = '', part = '0'] = keys
  const at = momentAt(sql, since)
  const beyond = (own: ReturnType<typeof momentAt>, later: typeof own, earlier: typeof own) =>
    isReversed
      ? sql`${own} >= ${at} and (${own} > ${at} or ${earlier})`
      : sql`${own} <= ${at} and (${own} < ${at} or ${later})`
  const names = sql`(${invoiceId}::uuid, ${paymentId}::uuid)`
  const all = sql`(${invoiceId}::uuid, ${paymentId}::uuid, ${part}::integer)`
  const own = sql`(invoice_id, coalesce(payment_id, ${LAST_UUID}::uuid), part)`
  return {
    order,
    payments: beyond(
      sql`created_at`,
      sql`(invoice_id, id) > ${names}`,
      sql`(invoice_id, id) < ${names}`,
    ),
    invoices: beyond(
      sql`coalesce(paid_at, created_at)`,
      sql`id >= ${invoiceId}::uuid`,
      sql`id <= ${invoiceId}::uuid`,
    ),
    held: beyond(sql`since`, sql`${own} > ${all}`, sql`${own} < ${all}`),
  }
}
