import type { MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { holders, prepareForwarder } from '../hub/forwarders.ts'
import { isRefunding, withoutRefunds } from './payoutLocks.ts'

/** Which forwarders are to be paid out, and why some of them are not. */

/** A distribution that a merchant's newest registry entry allows. */
export interface DueDistribution {
  readonly merchantId: MerchantId
  readonly token: Address
  readonly version: number
}

export interface DistributionPolicy {
  /** A forwarder is paid out once it holds this much, in base units, */
  readonly distributeFrom: BaseUnits
  /** or once its oldest payment has lain there for so long, in ms. */
  readonly distributeAfterMs: number
}

/** Whether payments of one forwarder that are grouped as `p` are many or old enough to be paid out. */
export function isDue(sql: Queryable, policy: DistributionPolicy) {
  return sql`(
    sum(p.amount) >= greatest(2, ${policy.distributeFrom.toString()}::numeric)
    or min(p.settled_at) <= now() - ${policy.distributeAfterMs} * interval '1 millisecond')`
}

/** A distribution that the hub refused is tried again with a new registry entry, or after this. */
const REFUSAL_HOURS = 1
/** How the hub refuses to pay out a forwarder that was paid out a moment before. */
const NOTHING_LEFT = 'NothingToDistribute%'

/**
 * The version by which the merchant `m` of a forwarder `f` is paid; null while it is not: its newest registry
 * entry is not active yet, or a change of it is pending.
 */
function version(sql: Queryable, networkId: string) {
  return sql`payable_version(${networkId}, f.hub, m.id, m.config_version)`
}

/** The merchant's newest registry entry is neither active nor in flight, and the hub would take it. */
function isUnprepared(sql: Queryable, networkId: string) {
  return sql`(
    m.config_version > 0
    and not exists (select from work_item c
      where c.state in ('queued', 'assigned', 'settled') and c.dedupe_key =
        'configure:' || ${networkId}::text || ':' || f.hub || ':' || m.id || ':' || m.config_version)
    and not exists (select from registry_entry e
      where e.network_id = ${networkId} and e.hub = f.hub and e.merchant_id = m.id
        and greatest(e.version, e.change_version) >= m.config_version))`
}

/**
 * The merchant can be paid, and its last distribution was not refused; that there was nothing to distribute
 * then does not cover money received since.
 */
function isPayable(sql: Queryable, networkId: string, isMoneyArriving: boolean) {
  return sql`
    m.config_version > 0
    and ${version(sql, networkId)} is not null
    and not exists (select from forwarder_on_chain o
      where o.merchant_id = m.id and o.network_id = ${networkId}
        and o.failed_version = ${version(sql, networkId)}
        and o.failed_at > now() - ${REFUSAL_HOURS} * interval '1 hour'
        -- The hub has paid out since, or the block that has shown it is gone.
        and not coalesce(o.booked_block > o.failed_block, false)
        and not exists (select from chain_block b
          where b.network_id = o.network_id and b.number = o.failed_block
            and b.hash <> o.failed_block_hash)
        and not (o.failure like ${NOTHING_LEFT} and (${isMoneyArriving} or exists (
          select from x402_payment p
          where p.network_id = ${networkId} and p.asset = o.token and p.pay_to = f.address
            and p.status = 'settled' and p.distribution_id is null and p.confirmed_at > o.failed_at))))`
}

/**
 * In a query that begins with `with recursive`, the forwarders that may be paid out or prepared for it, as a
 * table `payee` of (address). Where neither can be done now, balances need not be added up. `isPaidOut` adds
 * those at which the hub found nothing: another caller has paid them out.
 */
export function payees(sql: Queryable, networkId: string, { isPaidOut }: { isPaidOut: boolean }) {
  return sql`
    ${holders(sql, networkId)}, payee as (
      select f.address from holder h join forwarder f on f.address = h.pay_to
      join merchant m on m.id = f.merchant_id
      where ${isPayable(sql, networkId, isPaidOut)} or ${isUnprepared(sql, networkId)}
    )`
}

/**
 * Those of the merchants whose forwarder is paid out in the transaction that is being made, which is
 * noted with them: what was mined up to `head` need not make the next transaction do it again. Of more
 * than `most` the others are paid out later.
 */
export async function payableWith(
  sql: Transaction,
  networkId: string,
  token: Address,
  received: ReadonlyMap<string, bigint>,
  policy: DistributionPolicy,
  head: bigint,
  most: number,
): Promise<DueDistribution[]> {
  const candidates = await sql<DueDistribution[]>`
    select m.id as merchant_id, ${token}::text as token,
      ${version(sql, networkId)}::float8 as version
    from unnest(${[...received.keys()]}::uuid[], ${[...received.values()].map(String)}::text[])
      as g (merchant_id, amount)
    join merchant m on m.id = g.merchant_id
    join forwarder f on f.merchant_id = m.id
    where ${isPayable(sql, networkId, true)}
      and not ${isRefunding(sql, networkId, sql`m.id`, sql`${token}`)} and (
      g.amount::numeric >= ${policy.distributeFrom.toString()}
      or ${policy.distributeAfterMs === 0}
      or (select coalesce(sum(p.amount), 0) + g.amount::numeric >= ${policy.distributeFrom.toString()}
        from x402_payment p
        where p.network_id = ${networkId} and p.asset = ${token} and p.pay_to = f.address
          and p.status = 'settled' and p.distribution_id is null and not p.direct
          and p.block_number > coalesce((
            select o.sent_block from forwarder_on_chain o
            where o.merchant_id = m.id and o.network_id = ${networkId} and o.token = ${token}
          ), -1)))
    order by m.id limit ${most}`
  const rows = await withoutRefunds(sql, networkId, candidates)
  if (rows.length > 0 && policy.distributeAfterMs > 0) {
    await sql`
      insert into forwarder_on_chain (merchant_id, network_id, token, sent_block)
      select merchant_id, ${networkId}, ${token}, ${head}
      from unnest(${rows.map((row) => row.merchantId)}::uuid[]) as g (merchant_id)
      on conflict (merchant_id, network_id, token) do update set sent_block = excluded.sent_block`
  }
  return rows
}

/** In a query with `payees`, the payments of forwarders that are to be paid out, as a table `due`. */
function due(sql: Queryable, networkId: string, block: bigint, policy: DistributionPolicy) {
  return sql`
    due as (
      select gathered.* from payee cross join lateral (
        select p.merchant_id, p.asset from x402_payment p
        where p.network_id = ${networkId} and p.pay_to = payee.address
          and p.status = 'settled' and p.distribution_id is null and not p.direct
          and p.confirmed_at is not null and p.block_number <= ${block}
          -- Looked up for each payment, however many payouts there were.
          and not coalesce((select true from x402_distribution d
            where d.merchant_id = p.merchant_id and d.network_id = p.network_id
              and d.token = p.asset
              and (d.block_number, d.log_index) > (p.block_number, p.log_index)
            limit 1), false)
        group by p.merchant_id, p.asset
        having ${isDue(sql, policy)}
      ) gathered
    )`
}

/** The merchants for whom `queueDistributions` may have something to queue. */
export async function duePayees(
  sql: Queryable,
  networkId: string,
  block: bigint,
  policy: DistributionPolicy,
): Promise<MerchantId[]> {
  const rows = await sql<{ merchantId: MerchantId }[]>`
    with recursive ${payees(sql, networkId, { isPaidOut: false })},
      ${due(sql, networkId, block, policy)}
    select distinct merchant_id from due order by merchant_id`
  return rows.map(({ merchantId }) => merchantId)
}

/**
 * Queues the payout of forwarders whose payments are many or old enough, and without one in flight; of some
 * merchants only, where they are given. `block` is the deepest confirmed one, up to which distributions are
 * booked: a payment that lies before one of them was paid out by it, even if it is yet to be bound to it. Where
 * the merchant's newest registry entry is neither active nor in flight, that is queued first. Returns for how
 * many forwarders something was queued.
 */
export async function queueDistributions(
  sql: Transaction,
  networkId: string,
  block: bigint,
  policy: DistributionPolicy,
  merchantIds: readonly MerchantId[] | null = null,
): Promise<number> {
  const isWanted =
    merchantIds === null ? sql`true` : sql`d.merchant_id = any(${[...merchantIds]}::uuid[])`
  const [row] = await sql<{ queued: number; unprepared: MerchantId[] }[]>`
    with recursive ${payees(sql, networkId, { isPaidOut: false })},
    ${due(sql, networkId, block, policy)},
    queued as (
      insert into work_item (network_id, kind, dedupe_key, payload)
      select ${networkId}, 'distribute',
        'distribute:' || ${networkId}::text || ':' || d.merchant_id || ':' || d.asset || ':'
          || ${block.toString()}::text,
        jsonb_build_object('merchantId', d.merchant_id, 'token', d.asset)
      from due d
      join merchant m on m.id = d.merchant_id
      join forwarder f on f.merchant_id = m.id
      where ${isWanted} and ${isPayable(sql, networkId, false)}
        and not ${isRefunding(sql, networkId, sql`d.merchant_id`, sql`d.asset`)}
        and not exists (select from work_item w where w.kind = 'distribute'
          and w.network_id = ${networkId} and w.state in ('queued', 'assigned')
          and w.payload->>'merchantId' = d.merchant_id::text and w.payload->>'token' = d.asset)
      on conflict (dedupe_key) do nothing
      returning id
    )
    select (select count(*)::integer from queued) as queued, array(
      select distinct m.id from due d
      join merchant m on m.id = d.merchant_id
      join forwarder f on f.merchant_id = m.id
      where ${isWanted} and ${isUnprepared(sql, networkId)}
      order by m.id
    ) as unprepared`
  if (!row) throw new Error('the distributions gave no answer')
  for (const merchantId of row.unprepared) await prepareForwarder(sql, merchantId, networkId)
  return row.queued + row.unprepared.length
}

interface DistributionItem extends Omit<DueDistribution, 'version'> {
  readonly itemId: bigint
  readonly hub: Address
  readonly version: number | null
}

/**
 * The forwarders of these items and the registry versions by which they are paid out; no version while they
 * can't be. Items without a forwarder are left out.
 */
export async function readDistributions(
  sql: Queryable,
  itemIds: readonly bigint[],
): Promise<DistributionItem[]> {
  return sql<DistributionItem[]>`
    select w.id as item_id, m.id as merchant_id, w.payload->>'token' as token,
      payable_version(w.network_id, f.hub, m.id, m.config_version)::float8 as version, f.hub
    from work_item w
    join merchant m on m.id = (w.payload->>'merchantId')::uuid
    join forwarder f on f.merchant_id = m.id
    where w.id = any(${itemIds.map(String)}::bigint[])
    order by w.id`
}

/** Records that the hub refused to pay out forwarders in a block, so that it isn't tried again at once. */
export async function noteRefusals(
  sql: Transaction,
  networkId: string,
  { block, blockHash }: { readonly block: bigint; readonly blockHash: Hex | null },
  refusals: readonly {
    readonly merchantId: MerchantId
    readonly token: Address
    readonly reason: string
  }[],
): Promise<void> {
  if (refusals.length === 0) return
  await sql`
    insert into forwarder_on_chain (merchant_id, network_id, token, failed_at, failed_version, failure,
      failed_block, failed_block_hash)
    select g.merchant_id, ${networkId}, g.token, now(),
      coalesce(${version(sql, networkId)}, m.config_version), g.reason, ${block}, ${blockHash}
    from unnest(
      ${refusals.map((r) => r.merchantId)}::uuid[], ${refusals.map((r) => r.token)}::text[],
      ${refusals.map((r) => r.reason)}::text[]
    ) as g (merchant_id, token, reason)
    join merchant m on m.id = g.merchant_id
    join forwarder f on f.merchant_id = m.id
    on conflict (merchant_id, network_id, token) do update set failed_at = excluded.failed_at,
      failed_version = excluded.failed_version, failure = excluded.failure,
      failed_block = excluded.failed_block, failed_block_hash = excluded.failed_block_hash`
}
