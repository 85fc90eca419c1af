import type { ChainClient } from '../../chain/client.ts'
import { type Hex, hashFrom } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database.ts'

/**
 * Which chain the stored index is about. A development chain that begins afresh keeps its chain id,
 * and Ponder would go on with the old chain's blocks: stuck at best, with phantom payments at worst.
 * Its first block tells the two apart. The record lives in the schema of Ponder's sync cache and
 * is dropped with it, because it is that cache it vouches for.
 */

export interface BegunAfresh {
  readonly networkId: string
  readonly recorded: Hex
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

/** The hash of a chain's first block. Throws when no node answers, or doesn't have that block. */
export async function genesisOf({ rpc }: ChainClient): Promise<Hex> {
  const block = await rpc.getBlock({ blockNumber: 0n })
  return hashFrom(block.hash)
}

/** Notes chains that are new here, and returns those that are not the chain they were. */
export async function compareGenesis(
  database: Database,
  clients: readonly ChainClient[],
): Promise<BegunAfresh[]> {
  const afresh = await Promise.all(
    clients.map(async (client) => {
      const { chainId, networkId } = client.chain
      const actual = await genesisOf(client)
      const recorded = await recordedGenesis(database, chainId)
      if (recorded === null) {
        await database`
          insert into ponder_sync.remit_genesis (chain_id, hash) values (${chainId}, ${actual})
          on conflict (chain_id) do nothing`
      }
      return recorded === null || recorded === actual ? [] : { networkId, recorded, actual }
    }),
  )
  return afresh.flat()
}

async function recordedGenesis(database: Database, chainId: number): Promise<Hex | null> {
  const [row] = await database<{ hash: string }[]>`
    select hash from ponder_sync.remit_genesis where chain_id = ${chainId}`
  return row ? hashFrom(row.hash) : null
}
