import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** A key that sends, with the tip that its newest transaction offers; null before there is one. */
export interface Sender {
  readonly address: Address
  /** In wei per gas. */
  readonly tip: bigint | null
}

/** The keys that send on a chain, for trials in their name. */
export async function readSenders(sql: Queryable, networkId: string): Promise<Sender[]> {
  return sql<Sender[]>`
    select k.address, newest.tip
    from relayer_key k left join lateral (
      select a.max_priority_fee_per_gas as tip
      from relayer_tx t join relayer_attempt a on a.tx_id = t.id
      where t.network_id = k.network_id and t.address = k.address
      order by t.account_nonce desc, a.seq desc limit 1
    ) newest on true
    where k.network_id = ${networkId} and k.status = 'active'
    order by k.address`
}
