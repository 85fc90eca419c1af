import type { DistributionId, MerchantId, X402PaymentId } from '../../core/ids.ts'
import type { Queryable, Transaction } from '../database.ts'
import { noteLastBooked } from './payouts.ts'
import { workKey } from './work.ts'

/** What the leader of a chain sees to: transactions of others, expiry, and what was displaced. */

/**
 * Takes back what stood on blocks that are no longer part of the chain: payments by transactions that
 * are not ours, which go back to work, and booked distributions. Returns how many rows changed.
 */
export async function takeBackDisplaced(sql: Transaction, networkId: string): Promise<number> {
  const payments = await sql`
    with displaced as (
      update x402_payment p set status = 'pending', tx_hash = null, log_index = null,
        block_number = null, block_hash = null, by_others = false, settled_at = null,
        confirmed_at = null, distribution_id = null, fee = null
      from chain_block b
      where p.network_id = ${networkId} and p.status = 'settled' and p.by_others
        and b.network_id = p.network_id and b.number = p.block_number and b.hash <> p.block_hash
      returning p.*
    )
    insert into work_item (network_id, kind, dedupe_key, payload)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      ${workKey(sql, 'displaced')},
      jsonb_build_object('paymentId', id)
    from displaced
    on conflict (dedupe_key) do update set state = 'queued', tx_id = null, log_index = null,
      result = null, tries = 0, not_before = now(), updated_at = now()
    returning id`
  const distributions = await sql<{ id: DistributionId; merchantId: MerchantId; token: string }[]>`
    delete from x402_distribution d using chain_block b
    where d.network_id = ${networkId} and b.network_id = d.network_id
      and b.number = d.block_number and b.hash <> d.block_hash
    returning d.id, d.merchant_id, d.token`
  if (distributions.length > 0) {
    await sql`
      update x402_payment set distribution_id = null, fee = null
      where distribution_id = any(${distributions.map(({ id }) => id)}::uuid[])`
    await noteLastBooked(sql, networkId, distributions)
  }
  return payments.length + distributions.length
}

/** The blocks of payments carried out by others that were not stored when they were new. */
export async function unseenBlocksOfOthers(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  limit: number,
): Promise<bigint[]> {
  const rows = await sql<{ blockNumber: bigint }[]>`
    select distinct p.block_number from x402_payment p
    where p.network_id = ${networkId} and p.status = 'settled' and p.by_others
      and p.confirmed_at is null and p.block_number <= ${confirmedBlock}
      and not exists (select from chain_block b
        where b.network_id = p.network_id and b.number = p.block_number)
    limit ${limit}`
  return rows.map((row) => row.blockNumber)
}

/** Confirms payments carried out by others that are deep enough. Returns their ids. */
export async function confirmPaidByOthers(
  sql: Transaction,
  networkId: string,
  confirmedBlock: bigint,
): Promise<X402PaymentId[]> {
  const rows = await sql<{ id: X402PaymentId }[]>`
    update x402_payment p set confirmed_at = now(), version = p.version + 1
    from chain_block b
    where p.network_id = ${networkId} and p.status = 'settled' and p.confirmed_at is null
      and p.by_others and p.block_number <= ${confirmedBlock}
      and b.network_id = p.network_id and b.number = p.block_number and b.hash = p.block_hash
    returning p.id`
  return rows.map(({ id }) => id)
}

/** The work items of pending payments whose time had run out at the given chain time. */
export async function expiredPayments(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  limit: number,
): Promise<{ readonly itemId: bigint; readonly block: bigint }[]> {
  const rows = await sql<{ id: bigint }[]>`
    select w.id from x402_payment p
    join chain_block b on b.network_id = p.network_id and b.number = ${confirmedBlock}
    join work_item w on w.dedupe_key = ${workKey(sql, 'p')}
    where p.network_id = ${networkId} and p.status = 'pending'
      and p.valid_before <= extract(epoch from b.time)
    order by p.valid_before limit ${limit}`
  return rows.map(({ id }) => ({ itemId: id, block: confirmedBlock }))
}
