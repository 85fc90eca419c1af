import { type InvoiceId, NIL_UUID } from '../../core/base/ids.ts'
import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, MAX_FAILED_ROUNDS } from '../../core/invoice/retries.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** Which invoices the leader of a chain has to derive again. */

/** Has the chain's leader derive an invoice again, e.g. because that failed just now. */
export async function markDue(sql: Transaction, invoiceId: InvoiceId): Promise<void> {
  await sql`
    update invoice set settlement_state = 'due',
      held_parts = case when status = 'partial' then held_parts else 0 end
    where id = ${invoiceId}`
}

/** Invoices of this chain, but for some, whose money was too little to be sent, up to `limit`. */
export async function heldInvoices(
  sql: Queryable,
  networkId: string,
  without: readonly string[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select id from invoice
    where settlement_state = 'below_gas_threshold' and ${networkId} = any(chains)
      and id <> all(${[...without]}::uuid[])
    limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Makes these due again, unless that has happened meanwhile. Returns how many. */
export async function markHeldDue(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
): Promise<number> {
  const rows = await sql`
    update invoice set settlement_state = 'due',
      held_parts = case when status = 'partial' then held_parts else 0 end
    where settlement_state = 'below_gas_threshold' and id in (
      select id from invoice where id = any(${[...invoiceIds]}::uuid[]) order by id for update)
    returning id`
  return rows.length
}

/**
 * Paid invoices with money on this chain that waited for a deeper block. What waits for a recipient, or for
 * more money, is derived when that is received.
 */
export async function dueInvoices(
  sql: Queryable,
  networkId: string,
  settleableBlock: bigint,
  without: readonly InvoiceId[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select i.id from invoice i
    where i.settlement_state = 'due' and i.id <> all(${[...without]}::uuid[])
      and ${hasSettleable(sql, networkId, settleableBlock)}
    order by i.id limit ${limit}`
  return rows.map((row) => row.id)
}

/** A slice of the invoices whose settlement has failed. */
export interface FailedSlice {
  /** Those of them with money on this chain that have rested long enough after their last failure. */
  readonly rested: readonly InvoiceId[]
  /** After which invoice the next slice begins; null when this was the last one. */
  readonly next: InvoiceId | null
}

/**
 * The first invoices after this one whose settlement has failed. They may be many, and most of them rest for
 * hours: each turn reads a page of them.
 */
export async function failedInvoices(
  sql: Queryable,
  networkId: string,
  settleableBlock: bigint,
  after: InvoiceId | null,
  limit: number,
): Promise<FailedSlice> {
  const rows = await sql<{ id: InvoiceId; isRested: boolean }[]>`
    select i.id, ${hasSettleable(sql, networkId, settleableBlock)} and not exists (
      -- As core/invoice/retries.ts has it. Counting failures under any version of the registry, it never
      -- ends a rest earlier.
      select from settlement s join merchant m on m.id = i.merchant_id
      where s.invoice_id = i.id and s.status = 'failed' and not s.replanned
        and s.recipient = coalesce(i.recipient, m.recipient)
      group by s.network_id
      having count(*) >= ${MAX_FAILED_ROUNDS}
        and max(s.created_at) > now() - interval '1 millisecond' * least(
          ${FIRST_PAUSE_MS}::float8 * power(2, least(count(*) - ${MAX_FAILED_ROUNDS}, 10)),
          ${LONGEST_PAUSE_MS}::float8)) as is_rested
    from (
      select * from invoice where settlement_state = 'failed' and id > ${after ?? NIL_UUID}
      order by id limit ${limit}
    ) i
    order by i.id`
  const rested = rows.filter(({ isRested }) => isRested).map(({ id }) => id)
  return { rested, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) }
}

/** About an invoice `i`: it has confirmed money on a chain that it lists, in a block that is deep enough. */
function hasSettleable(sql: Queryable, networkId: string, settleableBlock: bigint) {
  return sql`(
    ${networkId} = any(i.chains) and exists (
      select from payment p
      where p.invoice_id = i.id and p.network_id = ${networkId} and p.status = 'confirmed'
        and p.block_number <= ${settleableBlock}))`
}

/** A chain that is not configured, and that no worker has followed for so long, holds up no expiry. */
export const SILENT_HOURS = 24

/**
 * Unpaid invoices whose deadline has passed: by the confirmed blocks of every listed chain that is
 * followed, and by our own clock, `now`, where none of them is any more. A chain is followed when it is
 * `configured`, or when some worker has heard of it within a day.
 *
 * The deadlines are in order for each list of chains, of which there are few, so that invoices which wait
 * for a chain that has stopped are never read.
 */
export async function expiredInvoices(
  sql: Queryable,
  configured: readonly string[],
  without: readonly InvoiceId[],
  now: Date,
  limit: number,
): Promise<InvoiceId[]> {
  const isOpen = sql`
    i.expiry_announced_at is null and i.status in ('pending', 'partial')
    -- A payment that is still on its way may yet pay it.
    and i.pending_amount = 0 and (i.expires_at is not null or i.closed_at is not null)`
  const rows = await sql<{ id: InvoiceId }[]>`
    with recursive listed as (
      (select i.chains from invoice i where ${isOpen}
        order by i.chains, least(i.expires_at, i.closed_at) limit 1)
      union all
      select (select i.chains from invoice i where ${isOpen} and i.chains > l.chains
        order by i.chains, least(i.expires_at, i.closed_at) limit 1)
      from listed l where l.chains is not null
    ), passed as (
      select l.chains, case
          when count(*) filter (where c.is_followed) = 0 then ${now}::timestamptz
          when count(*) filter (where c.is_followed and c.confirmed_time is null) > 0 then null
          else min(c.confirmed_time) filter (where c.is_followed) end as until
      from listed l cross join lateral (
        select s.confirmed_time, n.id = any(${[...configured]}::text[]) or coalesce(
          s.head_seen_at > ${now}::timestamptz - ${SILENT_HOURS} * interval '1 hour', false
        ) as is_followed
        from unnest(l.chains) as n (id) left join chain_state s on s.network_id = n.id
      ) c
      group by l.chains
    )
    select ended.id from passed cross join lateral (
      select i.id, least(i.expires_at, i.closed_at) as ended_at from invoice i
      where ${isOpen} and i.chains = passed.chains
        and least(i.expires_at, i.closed_at) < passed.until
        and i.id <> all(${[...without]}::uuid[])
        -- It may have payments that could not be read yet, on any of its chains.
        and not exists (select from quarantine q where q.part = 'invoice' and q.subject = i.id::text)
      order by least(i.expires_at, i.closed_at) limit ${limit}
    ) ended
    order by ended.ended_at limit ${limit}`
  return rows.map((row) => row.id)
}

/** Marks the expiry as notified. Returns false when that was done before. */
export async function markExpiryAnnounced(
  sql: Transaction,
  invoiceId: InvoiceId,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update invoice set expiry_announced_at = ${now}, version = version + 1
    where id = ${invoiceId} and expiry_announced_at is null
    returning id`
  return rows.length === 1
}
