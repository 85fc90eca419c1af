import type { MerchantId, RecipientChangeId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { prepareForwarderEverywhere } from './forwarders.ts'
import { type Registry, requestEntryReads } from './registryEntries.ts'

/** Treasuries that were replaced, or are to be: no hub may take an entry of theirs for want of a newer one. */

/**
 * Merchants `m` whose entry is not the first one, or will not be for long: an earlier or later one may be known
 * to anyone, and a hub that has none would take it at once.
 */
function hasReplacedEntry(sql: Queryable) {
  return sql`(m.recipient is not null and (m.config_version > 1 or exists (
    select from recipient_change c where c.merchant_id = m.id and c.state = 'waiting')))`
}

/** The entry of a merchant `m`, on its way to a hub: the arguments of ensure_configured. */
function newestEntry(sql: Queryable, networkId: string, hub: Address) {
  return sql`ensure_configured(${networkId}, ${hub}, m.id, m.recipient, m.x402_fee_bps,
    m.x402_fee_cap, m.config_version)`
}

/**
 * Queues a merchant's newest entry wherever its forwarder is paid, and where it is not the first one, for every
 * chain that this process knows of or that any worker has followed: where a hub had none, anyone could have it
 * take an earlier one.
 */
export async function spreadEntry(
  sql: Transaction,
  { hub, chains }: Pick<Config, 'hub' | 'chains'>,
  merchantId: MerchantId,
): Promise<void> {
  await prepareForwarderEverywhere(sql, merchantId)
  const active = chains.map(({ networkId }) => networkId)
  const known = await sql<{ networkId: string }[]>`
    select network_id from chain_state union select unnest(${active}::text[]) order by network_id`
  for (const { networkId } of known) {
    await sql`
      select from merchant m cross join lateral ${newestEntry(sql, networkId, hub)}
      where m.id = ${merchantId} and ${hasReplacedEntry(sql)}`
  }
}

/**
 * Merchants, but for some, who had another entry before and whose newest one was never on its way to this hub,
 * `limit` at most.
 */
export async function replacedMerchants(
  sql: Queryable,
  { networkId, hub }: Registry,
  without: readonly string[],
  limit: number,
): Promise<MerchantId[]> {
  const rows = await sql<{ id: MerchantId }[]>`
    with replaced as materialized (
      select id from merchant where config_version > 1
      union select merchant_id from recipient_change where state = 'waiting'
    )
    select m.id from replaced join merchant m using (id)
    where m.recipient is not null and m.id <> all(${[...without]}::uuid[]) and not exists (
      select from work_item w where w.dedupe_key =
        'configure:' || ${networkId}::text || ':' || ${hub}::text || ':' || m.id || ':' || m.config_version)
    order by m.id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Queues the newest entries of these merchants. Returns how many. */
export async function queueEntries(
  sql: Queryable,
  { networkId, hub }: Registry,
  merchantIds: readonly MerchantId[],
): Promise<number> {
  const [row] = await sql<{ queued: number }[]>`
    select count(e.version)::integer as queued
    from merchant m cross join lateral ${newestEntry(sql, networkId, hub)} e
    where m.id = any(${[...merchantIds]}::uuid[])`
  return row?.queued ?? 0
}

/** A recipient that is not active yet. */
interface Coming {
  readonly id: RecipientChangeId
  readonly merchantId: MerchantId
  readonly recipient: Address
}

/**
 * Announces a pending recipient to a hub, so that both delays run at the same time, once the rest of the wait
 * is no longer than the hub's delay: it must never be active on a chain before it is here. A signature for one
 * chain is valid on all, so every chain that a worker has followed must have an entry first, whose hub then
 * waits, too. True when this hub is notified now.
 */
export async function announceOn(
  sql: Transaction,
  { networkId, hub }: Registry,
  { id, merchantId, recipient }: Coming,
): Promise<boolean> {
  const own = sql`m.id = ${merchantId} and m.recipient is not null and m.recipient <> ${recipient}`
  const registry = { networkId, hub }
  const [ready] = await sql<{ isTime: boolean; isKnown: boolean; isKnownHere: boolean }[]>`
    select h.config_delay > 0
        and c.force_at <= clock_timestamp() + make_interval(secs => h.config_delay) as is_time,
      not exists (
        select from chain_state s where not exists (
          select from registry_entry e
          where e.network_id = s.network_id and e.hub = ${hub} and e.merchant_id = m.id
            and e.version is not null)) as is_known,
      exists (
        select from registry_entry e
        where e.network_id = ${networkId} and e.hub = ${hub} and e.merchant_id = m.id) as is_known_here
    from recipient_change c join merchant m on m.id = c.merchant_id
    left join hub_state h on h.network_id = ${networkId} and h.hub = ${hub}
    where c.id = ${id} and c.state = 'waiting' and ${own}`
  if (ready === undefined) return false
  const [inForce] = await sql<{ waitsFor: bigint | null }[]>`
    select e.waits_for from merchant m cross join lateral ${newestEntry(sql, networkId, hub)} e
    where ${own}`
  // Put there before entries were kept.
  if (inForce?.waitsFor === null && !ready.isKnownHere) {
    await requestEntryReads(sql, registry, [merchantId], 0n)
  }
  if (!ready.isTime || !ready.isKnown) return false
  const [numbered] = await sql<{ version: number | null }[]>`
    select number_recipient_change(${id}) as version`
  const version = numbered?.version ?? null
  if (version === null) return false
  const key = `configure:${networkId}:${hub}:${merchantId}:${version}`
  const known = await sql`select from work_item where dedupe_key = ${key}`
  if (known.length > 0) return false
  await sql`
    select from merchant m cross join lateral ensure_configured(${networkId}, ${hub}, m.id,
      ${recipient}, m.x402_fee_bps, m.x402_fee_cap, ${version})
    where ${own}`
  return true
}
