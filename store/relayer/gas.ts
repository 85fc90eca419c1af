import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import { type GasPace, type GasShare, paceSince } from '../../core/chain/gasShares.ts'
import type { Queryable, Transaction } from '../database/database.ts'

/** What relayers have spent on gas, and for whom. */

/** Notes what a transaction that was just mined has cost, and whose it is. */
export async function noteGas(
  sql: Transaction,
  txId: bigint,
  cost: bigint,
  shares: readonly GasShare[],
): Promise<void> {
  const noted = shares.map(({ merchantId, items, wei }) => {
    return { merchant: merchantId, items, wei: wei.toString() }
  })
  await sql`
    update relayer_tx set gas_cost = ${cost}, gas_shares = ${JSON.stringify(noted)}::text::jsonb
    where id = ${txId} and state = 'mined'`
}

/** How long a key's hourly spending is kept. */
const HOURS_KEPT = '3 days'

/**
 * Books the gas of transactions that have just become final, in the same database transaction. Rows are taken
 * in one order everywhere, so that two workers of a chain can't deadlock.
 */
export async function bookGas(
  sql: Transaction,
  txs: readonly { readonly id: bigint }[],
): Promise<void> {
  if (txs.length === 0) return
  const ids = txs.map(({ id }) => String(id))
  await sql`
    insert into gas_spent (network_id, day, merchant_id, items, wei)
    select t.network_id, (t.mined_at at time zone 'UTC')::date, s.merchant, sum(s.items),
      sum(s.wei)
    from relayer_tx t
    cross join lateral jsonb_to_recordset(t.gas_shares) as s (merchant uuid, items bigint, wei numeric)
    where t.id = any(${ids}::bigint[])
    group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint gas_spent_of_day do update set
      items = gas_spent.items + excluded.items, wei = gas_spent.wei + excluded.wei`
  await sql`
    insert into gas_hour (network_id, address, hour, wei)
    select network_id, address, date_trunc('hour', mined_at, 'UTC'), sum(gas_cost)
    from relayer_tx where id = any(${ids}::bigint[]) and gas_cost is not null
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (network_id, address, hour) do update set wei = gas_hour.wei + excluded.wei`
  await sql`
    delete from gas_hour h where hour < now() - ${HOURS_KEPT}::interval
      and (network_id, address) in (
        select network_id, address from relayer_tx where id = any(${ids}::bigint[]))`
}

export interface KeyPace extends GasPace {
  readonly networkId: string
  readonly address: Address
}

/** What each key has spent lately. */
export async function readGasPaces(sql: Queryable, now: Date): Promise<KeyPace[]> {
  const since = paceSince(now)
  return sql<KeyPace[]>`
    select network_id, address, coalesce(sum(wei) filter (where hour >= ${since.hours}), 0) as last_hours,
      sum(wei) as last_day
    from gas_hour where hour >= ${since.day} group by network_id, address`
}

export interface GasOfDay {
  readonly networkId: string
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  /** Null for gas that belongs to no merchant. */
  readonly merchantId: MerchantId | null
  readonly merchantName: string | null
  readonly items: bigint
  readonly wei: bigint
}

export interface GasFilter {
  /** Days from, and up to and with, YYYY-MM-DD. */
  readonly from: string
  readonly to: string
  readonly networkId: string | null
  readonly merchantId: MerchantId | null
}

/** What was spent on gas, by day, chain and merchant. */
export async function readGas(sql: Queryable, filter: GasFilter): Promise<GasOfDay[]> {
  return sql<GasOfDay[]>`
    select g.network_id, g.day::text as day, g.merchant_id, m.name as merchant_name, g.items, g.wei
    from gas_spent g left join merchant m on m.id = g.merchant_id
    where g.day between ${filter.from}::date and ${filter.to}::date
      and (${filter.networkId}::text is null or g.network_id = ${filter.networkId})
      and (${filter.merchantId}::uuid is null or g.merchant_id = ${filter.merchantId})
    order by g.day, g.network_id, g.merchant_id nulls first`
}
