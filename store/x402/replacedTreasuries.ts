import type { Address } from '../../core/chain/evm.ts'
import type { MerchantId } from '../../core/ids.ts'
import type { Queryable, Transaction } from '../database.ts'
import type { Registry } from '../relayer/registryEntries.ts'

/** Treasuries that were replaced: no hub may take an entry of theirs for want of a newer one. */

/**
 * Merchants `m` whose entry is not the first one: an earlier one may be known to anybody, and a hub that has
 * none would take it at once.
 */
function hasReplacedEntry(sql: Queryable) {
  return sql`(m.config_version > 1 and m.recipient is not null)`
}

/** The entry of a merchant `m`, on its way to a hub: the arguments of ensure_configured. */
function newestEntry(sql: Queryable, networkId: string, hub: Address) {
  return sql`ensure_configured(${networkId}, ${hub}, m.id, m.recipient, m.x402_fee_bps,
    m.x402_fee_cap, m.config_version)`
}

/** Queues the newest entry of a merchant who had another one before for a hub on these chains. */
export async function configureEverywhere(
  sql: Transaction,
  hub: Address,
  merchantId: MerchantId,
  networkIds: readonly string[],
): Promise<void> {
  for (const networkId of [...networkIds].sort()) {
    await sql`
      select from merchant m cross join lateral ${newestEntry(sql, networkId, hub)}
      where m.id = ${merchantId} and ${hasReplacedEntry(sql)}`
  }
}

/**
 * Queues the newest entries of all merchants who had another one before and whose newest one was never on its
 * way to this hub, `limit` at most. Returns how many: as many as the limit when there may be more.
 */
export async function configureReplaced(
  sql: Queryable,
  { networkId, hub }: Registry,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ queued: number }[]>`
    with m as materialized (
      select m.* from merchant m
      where ${hasReplacedEntry(sql)} and not exists (
        select from work_item w where w.dedupe_key =
          'configure:' || ${networkId}::text || ':' || ${hub}::text || ':' || m.id || ':' || m.config_version)
      order by m.id limit ${limit}
    )
    select count(e.version)::integer as queued
    from m cross join lateral ${newestEntry(sql, networkId, hub)} e`
  return row?.queued ?? 0
}
