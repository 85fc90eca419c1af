import type { DistributionId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { holders } from '../hub/forwarders.ts'
import { type DistributionPolicy, isDue, payees } from './duePayouts.ts'

/** Booking the payouts of forwarders, and which payments each of them paid out. */

/**
 * The last block whose distributions are booked; null where there is no payment yet. The first time, blocks
 * before the first payment on the chain are skipped: until then none of them is paid out.
 */
export async function distributionsBlock(
  sql: Queryable,
  networkId: string,
): Promise<bigint | null> {
  const [row] = await sql<{ block: bigint | null }[]>`
    select coalesce(distributions_block, (
      select min(claimed_block) - 1 from (
        select claimed_block from x402_payment
        where network_id = ${networkId} and status = 'pending'
        union all
        select claimed_block from x402_payment
        where network_id = ${networkId} and status = 'settled' and distribution_id is null
          and not direct
      ) claimed
    )) as block
    from chain_state where network_id = ${networkId}`
  return row?.block ?? null
}

/**
 * Whether the distributions in the blocks after `last` must be known block by block: a payout is due, was
 * sent after the block `sentAfter`, or was booked there before a reorganisation replaced its block; or a
 * payment is yet to be bound to the booked payout of it. Others only concern payments that will be paid out
 * later.
 */
export async function awaitsPayouts(
  sql: Queryable,
  networkId: string,
  { last, sentAfter }: { readonly last: bigint; readonly sentAfter: bigint },
  policy: DistributionPolicy,
): Promise<boolean> {
  const [row] = await sql<{ isAwaited: boolean }[]>`
    with recursive ${payees(sql, networkId, { isPaidOut: true })}
    select exists (
        select from work_item
        where network_id = ${networkId} and kind = 'distribute' and state in ('queued', 'assigned')
      -- The highest is at the end of an index, however many lie before it.
      ) or coalesce((
        select max(block_number) from x402_distribution where network_id = ${networkId}
      ) > ${last}, false) or coalesce((
        select max(sent_block) from forwarder_on_chain where network_id = ${networkId}
      ) > ${sentAfter}, false) or exists (
        -- Added up for each of them alone.
        select from payee cross join lateral (
          select from x402_payment p
          where p.network_id = ${networkId} and p.pay_to = payee.address
            and p.status = 'settled' and p.distribution_id is null and not p.direct
          group by p.asset
          having ${isDue(sql, policy)} limit 1
        ) due
      ) or exists (
        -- What is refunded is signed for once it is known that no payout has taken it.
        select from refund where network_id = ${networkId} and x402_payment_id is not null
          and status in ('open', 'mined')
      ) or exists (select ${unbound(sql, networkId)}) as is_awaited`
  return row?.isAwaited ?? false
}

/** One payout of a merchant's forwarder, from the hub's event. Amounts in base units. */
export interface BookedDistribution {
  readonly hub: Address
  readonly merchantId: MerchantId
  readonly token: Address
  readonly treasury: Address
  readonly remitted: bigint
  /** What the collector received, fees held from earlier ones included. */
  readonly fee: bigint
  /** This one's fee, when the token would not move it. */
  readonly feeHeld: bigint
  readonly txHash: Hex
  readonly logIndex: number
  readonly block: bigint
  readonly blockHash: Hex
}

/**
 * Books the distributions of the blocks after `last`, up to `block`. The answer holds the ids of the new ones.
 * Nothing is booked when blocks up to `last` have been replaced since, or another process was faster.
 */
export async function bookDistributions(
  sql: Transaction,
  networkId: string,
  events: readonly BookedDistribution[],
  last: bigint,
  block: bigint,
): Promise<DistributionId[]> {
  const moved = await sql`
    update chain_state set distributions_block = ${block}
    where network_id = ${networkId} and coalesce(distributions_block, ${last}) = ${last}
    returning network_id`
  if (moved.length === 0 || events.length === 0) return []
  const rows = events.map((event) => ({
    id: Bun.randomUUIDv7(),
    hub: event.hub,
    merchant_id: event.merchantId,
    token: event.token,
    tx_hash: event.txHash,
    log_index: event.logIndex,
    block_number: event.block.toString(),
    block_hash: event.blockHash,
    treasury: event.treasury,
    remitted: event.remitted.toString(),
    fee: event.fee.toString(),
    fee_held: event.feeHeld.toString(),
  }))
  const booked = await sql<{ id: DistributionId; merchantId: MerchantId; token: string }[]>`
    insert into x402_distribution (id, merchant_id, network_id, token, tx_hash, log_index,
      block_number, block_hash, block_time, treasury, remitted, fee, fee_held, unattributed)
    select r.id, r.merchant_id, ${networkId}, r.token, r.tx_hash, r.log_index, r.block_number,
      r.block_hash, coalesce(b.time, now()), r.treasury, r.remitted, r.fee, r.fee_held, 0
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      id uuid, hub text, merchant_id uuid, token text, tx_hash text, log_index integer, block_number bigint,
      block_hash text, treasury text, remitted numeric, fee numeric, fee_held numeric)
    -- Of another hub than the forwarder's own, it is of an address that we never gave out.
    join forwarder f on f.merchant_id = r.merchant_id and f.hub = r.hub
    left join chain_block b on b.network_id = ${networkId} and b.number = r.block_number
    on conflict (network_id, tx_hash, log_index) do nothing
    returning id, merchant_id, token`
  await noteLastBooked(sql, networkId, booked)
  return booked.map(({ id }) => id)
}

/** A payment and the distribution that has paid it out. */
export interface Binding {
  readonly paymentId: X402PaymentId
  readonly distributionId: DistributionId
}

/**
 * Finds, and locks, the confirmed payments that are yet to be bound to the first distribution after them: a row
 * is unverified before it is confirmed. Payments that are not confirmed, or that are locked, are not waited
 * for: `isComplete` is false then, and a later turn finds them.
 */
export async function findUnbound(
  sql: Transaction,
  networkId: string,
): Promise<{ readonly bindings: readonly Binding[]; readonly isComplete: boolean }> {
  const those = await sql<{ id: X402PaymentId }[]>`
    with recursive ${holders(sql, networkId)} select p.id ${unbound(sql, networkId)}`
  if (those.length === 0) return { bindings: [], isComplete: true }
  const bindings = await sql<Binding[]>`
    select p.id as payment_id, d.id as distribution_id
    from x402_payment p cross join lateral (
      select d.id from x402_distribution d
      where d.merchant_id = p.merchant_id and d.network_id = p.network_id and d.token = p.asset
        and (d.block_number, d.log_index) > (p.block_number, p.log_index)
      order by d.block_number, d.log_index limit 1
    ) d
    where p.id = any(${those.map(({ id }) => id)}::uuid[]) and p.status = 'settled'
      and p.confirmed_at is not null
      -- That it is null, written so that the key is used, and not an index of all that are unbound.
      and num_nulls(p.distribution_id) = 1
    order by p.id for update of p skip locked`
  return { bindings, isComplete: bindings.length === those.length }
}

/**
 * Binds confirmed refunds to the first distribution after them, which found that much less. The answer is the
 * distributions that refunds came to.
 */
export async function bindRefunds(sql: Transaction, networkId: string): Promise<DistributionId[]> {
  const bound = await sql<{ distributionId: DistributionId }[]>`
    update refund r set distribution_id = d.id
    from refund unbound cross join lateral (
      select d.id from x402_distribution d
      where d.merchant_id = unbound.merchant_id and d.network_id = unbound.network_id
        and d.token = unbound.token
        and (d.block_number, d.log_index) > (unbound.block_number, unbound.log_index)
      order by d.block_number, d.log_index limit 1
    ) d
    where unbound.network_id = ${networkId} and unbound.x402_payment_id is not null
      and unbound.status = 'confirmed' and unbound.distribution_id is null and r.id = unbound.id
      -- One that a reorganisation has taken away is about to be open again.
      and not exists (select from chain_block b
        where b.network_id = unbound.network_id and b.number = unbound.block_number
          and b.hash <> unbound.block_hash)
      -- Under its lock it is what it was.
      and r.status = 'confirmed' and r.distribution_id is null
    returning r.distribution_id`
  return [...new Set(bound.map((row) => row.distributionId))]
}

/** The payments `p` of `holder`s that lie before a booked distribution, and are bound to none yet. */
function unbound(sql: Queryable, networkId: string) {
  return sql`
    from holder h
    join forwarder f on f.address = h.pay_to
    join forwarder_on_chain o on o.merchant_id = f.merchant_id
    join x402_payment p on p.network_id = o.network_id and p.pay_to = f.address
      and p.asset = o.token and p.status = 'settled' and p.distribution_id is null and not p.direct
      and (p.block_number, p.log_index) < (o.booked_block, o.booked_log_index)
    where o.network_id = ${networkId}`
}

/** Notes for each forwarder where its last booked distribution lies, as far as these concern it. */
export async function noteLastBooked(
  sql: Transaction,
  networkId: string,
  forwarders: readonly { readonly merchantId: MerchantId; readonly token: string }[],
): Promise<void> {
  if (forwarders.length === 0) return
  await sql`
    insert into forwarder_on_chain as o (merchant_id, network_id, token, booked_block,
      booked_log_index)
    select g.merchant_id, ${networkId}, g.token, last.block_number, last.log_index
    from (select distinct merchant_id, token from unnest(
      ${forwarders.map((f) => f.merchantId)}::uuid[], ${forwarders.map((f) => f.token)}::text[]
    ) as u (merchant_id, token)) g
    left join lateral (
      select block_number, log_index from x402_distribution d
      where d.merchant_id = g.merchant_id and d.network_id = ${networkId} and d.token = g.token
      order by d.block_number desc, d.log_index desc limit 1
    ) last on true
    on conflict (merchant_id, network_id, token) do update set
      booked_block = excluded.booked_block, booked_log_index = excluded.booked_log_index`
}
