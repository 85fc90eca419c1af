import { genesisHash } from '../../chain/blocks/blocks.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database/database.ts'

/**
 * Which chain the stored index is about. A development chain that was reset keeps its chain id, and Ponder
 * would continue with the old chain's blocks: stuck at best, with payments that don't exist at worst. Its first
 * block reveals that. The record lives in the schema of Ponder's sync cache and is dropped with it, because it
 * is about that cache.
 */

export interface ResetChain {
  readonly networkId: string
  readonly recorded: string
  readonly actual: Hex
}

/** Creates the record where there is none. */
export async function prepareRecord(database: Database): Promise<void> {
  await database`create schema if not exists ponder_sync`
  await database`
    create table if not exists ponder_sync.remit_genesis (
      chain_id bigint primary key,
      hash text not null
    )`
}

/**
 * Records chains that are new here, and returns those whose first block is another than the recorded
 * one. Throws when no node of a chain answers, or doesn't have that block.
 */
export async function compareGenesis(
  database: Database,
  clients: readonly ChainClient[],
): Promise<ResetChain[]> {
  const chains = await Promise.all(
    clients.map(async ({ chain: { chainId, networkId }, rpc }) => {
      const actual = await genesisHash(rpc)
      await database`
        insert into ponder_sync.remit_genesis (chain_id, hash) values (${chainId}, ${actual})
        on conflict (chain_id) do nothing`
      const [row] = await database<{ hash: string }[]>`
        select hash from ponder_sync.remit_genesis where chain_id = ${chainId}`
      return { networkId, recorded: row?.hash ?? actual, actual }
    }),
  )
  return chains.filter(({ recorded, actual }) => recorded !== actual)
}
