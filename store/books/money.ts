import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Database, Queryable } from '../database/database.ts'

/** Totals of all merchants' money, in a few rows. */

/** Movements of one type of one token on one chain, by their confirmation. In base units. */
export interface MoneyTotal {
  readonly networkId: string
  readonly token: Address
  readonly type: string
  readonly movements: bigint
  /** With the fee, where there is one. */
  readonly amount: BaseUnits
  readonly fee: BaseUnits
}

/** How many transactions of one key are not final yet, and how many account nonces among theirs have none. */
export interface OpenNonces {
  readonly networkId: string
  readonly address: Address
  readonly open: number
  /** 0, or what comes after the gap waits forever. */
  readonly gap: number
}

/** The end of the last comparison of the ledger with the chains. */
export interface LastReconciliation {
  readonly networkId: string
  readonly checkedAt: Date
  readonly differences: number
}

/** What the relayers of a chain have spent on gas since midnight UTC, in wei. */
export interface GasOfToday {
  readonly networkId: string
  readonly wei: bigint
}

export interface Books {
  readonly gas: readonly GasOfToday[]
  readonly money: readonly MoneyTotal[]
  readonly nonces: readonly OpenNonces[]
  readonly reconciliations: readonly LastReconciliation[]
}

export async function readBooks(database: Database): Promise<Books> {
  const [gas, money, nonces, reconciliations] = await Promise.all([
    database<GasOfToday[]>`
      select s.network_id, coalesce((select sum(wei) from gas_spent g
        where g.network_id = s.network_id and g.day = (now() at time zone 'UTC')::date), 0) as wei
      from chain_state s order by s.network_id`,
    database<MoneyTotal[]>`
      select network_id, token, type, sum(movements)::bigint as movements, sum(amount) as amount,
        sum(fee) as fee
      from (
        select network_id, token, type, movements, amount, fee from money_total
        union all
        select network_id, token, type, movements, amount, fee from movement_tally_change
      ) as moved
      group by network_id, token, type order by network_id, token, type`,
    database<OpenNonces[]>`
      select k.network_id, k.address, count(t.id)::integer as open,
        coalesce(max(t.account_nonce) - min(t.account_nonce) + 1 - count(t.id), 0)::integer as gap
      from relayer_key k
      left join relayer_tx t on t.network_id = k.network_id and t.address = k.address
        and (t.state in ('signed', 'mined') or (t.state = 'nonce_taken' and t.confirmed_at is null))
      group by k.network_id, k.address
      order by k.network_id, k.address`,
    database<LastReconciliation[]>`
      select network_id, checked_at, differences from reconciliation order by network_id`,
  ])
  return { gas, money, nonces, reconciliations }
}

/** Notes how a comparison of a chain has ended. */
export async function saveReconciliation(
  sql: Queryable,
  { networkId, checkedAt, differences }: LastReconciliation,
): Promise<void> {
  await sql`
    insert into reconciliation as r (network_id, checked_at, differences)
    values (${networkId}, ${checkedAt}, ${differences})
    on conflict (network_id) do update set checked_at = excluded.checked_at,
      differences = excluded.differences
    where r.checked_at < excluded.checked_at`
}
