import { settleAccess } from '../../../store/database/access.ts'
import { randomHash } from './ledger.ts'
import type { ApiRig } from './rig.ts'

/** A system in which everything works, as far as its rows tell. */

export const RELAYER = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'

/** What the indexer and the workers of a healthy system have written. */
export async function reportAll({ config, database }: ApiRig): Promise<void> {
  await database`create schema if not exists indexed`
  await database`
    create table if not exists indexed._ponder_checkpoint
      (chain_id bigint primary key, latest_checkpoint varchar(75))`
  await settleAccess(database)
  for (const { networkId, chainId } of config.chains) {
    // Ponder's checkpoint: 10 digits of time, 16 of the chain, 16 of the block, and the rest.
    const checkpoint = `1780000000${pad(chainId)}${pad(1_000)}${'0'.repeat(33)}`
    await database`
      insert into indexed._ponder_checkpoint values (${chainId}, ${checkpoint})
      on conflict (chain_id) do update set latest_checkpoint = excluded.latest_checkpoint`
    await database`
      insert into chain_state (network_id, chain_id, genesis_hash, head, head_seen_at)
      values (${networkId}, ${chainId}, ${randomHash()}, 1000, now())
      on conflict (network_id) do update set head = 1000, head_seen_at = now(), rpc_error = null`
    await database`
      insert into relayer_key (network_id, address, next_nonce, lease_owner, lease_until, balance)
      values (${networkId}, ${RELAYER}, 0, 'worker', now() + interval '1 hour', 1000000000000000000)
      on conflict (network_id, address) do update set
        lease_until = excluded.lease_until, balance = excluded.balance, status = 'active'`
  }
}

function pad(number: number): string {
  return String(number).padStart(16, '0')
}
