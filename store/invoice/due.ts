import type { InvoiceId } from '../../core/ids.ts'
import {
  FIRST_PAUSE_MS,
  LONGEST_PAUSE_MS,
  MAX_FAILED_ROUNDS,
} from '../../core/invoice/settlement.ts'
import type { Queryable, Transaction } from '../database.ts'

/** Which invoices the leader of a chain has to look at again. */

/** Has the chain's leader look at an invoice again, e.g. because it could not be derived just now. */
export async function markDue(sql: Transaction, invoiceId: InvoiceId): Promise<void> {
  await sql`update invoice set settlement_state = 'due' where id = ${invoiceId}`
}

/**
 * Paid invoices with money on this chain that should be looked at again: those that waited for a
 * deeper block, whose merchant has a recipient by now, or which have rested long enough after their
 * last failure.
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
    where i.settlement_state <> 'none' and ${networkId} = any(i.chains)
      and i.id <> all(${[...without]}::uuid[])
      and exists (
        select from payment p
        where p.invoice_id = i.id and p.network_id = ${networkId} and p.status = 'confirmed'
          and p.block_number <= ${settleableBlock})
      and case i.settlement_state
        when 'due' then true
        when 'no_recipient' then exists (
          select from merchant m where m.id = i.merchant_id and m.recipient is not null)
        when 'failed' then not exists (
          -- As core/settlement has it. Counting failures under any version of the registry, it never
          -- ends a rest earlier.
          select from settlement s join merchant m on m.id = i.merchant_id
          where s.invoice_id = i.id and s.status = 'failed'
            and s.recipient = coalesce(i.recipient, m.recipient)
          group by s.network_id
          having count(*) >= ${MAX_FAILED_ROUNDS}
            and max(s.created_at) > now() - interval '1 millisecond' * least(
              ${FIRST_PAUSE_MS}::float8 * power(2, least(count(*) - ${MAX_FAILED_ROUNDS}, 10)),
              ${LONGEST_PAUSE_MS}::float8))
        else false end
    order by i.id limit ${limit}`
  return rows.map((row) => row.id)
}

/** Unpaid invoices whose deadline every listed chain has passed by its confirmed blocks. */
export async function expiredInvoices(
  sql: Queryable,
  without: readonly InvoiceId[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select i.id from invoice i
    where i.expiry_announced_at is null and i.status in ('pending', 'partial')
      and (i.expires_at is not null or i.closed_at is not null)
      and least(i.expires_at, i.closed_at) < (select max(confirmed_time) from chain_state)
      and i.id <> all(${[...without]}::uuid[])
      -- A payment that is still on its way may yet pay it.
      and i.pending_amount = 0
      and not exists (
        select from unnest(i.chains) as c (network_id)
        left join chain_state s using (network_id)
        where s.confirmed_time is null or s.confirmed_time <= least(i.expires_at, i.closed_at))
    order by least(i.expires_at, i.closed_at)
    limit ${limit}`
  return rows.map((row) => row.id)
}

/** Marks the expiry as told. Returns false when that was done before. */
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
