import type { Database } from './database.ts'
import { pendingMigrations } from './migrate.ts'
import { type RelayerKey, readRelayerKeys } from './relayerKeys.ts'
import { indexerHeads } from './transfers.ts'

/** What the rows say about the processes behind the API. */

export interface WatchedChain {
  readonly networkId: string
  readonly head: bigint
  /** When a worker last heard from the chain's node; null when it never did. */
  readonly headSeenAt: Date | null
  readonly hasRpcError: boolean
  /** Up to which block the indexer's transfers are in the ledger. */
  readonly projectedBlock: bigint
}

export interface SystemHealth {
  readonly pendingMigrations: readonly string[]
  readonly chains: readonly WatchedChain[]
  /** The newest block that the indexer has worked through, by chain id. */
  readonly indexerHeads: ReadonlyMap<number, bigint>
  readonly relayerKeys: readonly RelayerKey[]
}

interface ChainRow {
  network_id: string
  head: bigint
  head_seen_at: Date | null
  has_rpc_error: boolean
  projected_block: bigint
}

/** Reads the state of the system. With migrations missing, nothing else can be told. */
export async function readHealth(database: Database): Promise<SystemHealth> {
  const missing = await pendingMigrations(database)
  if (missing.length > 0) {
    return { pendingMigrations: missing, chains: [], indexerHeads: new Map(), relayerKeys: [] }
  }
  const [rows, heads, relayerKeys] = await Promise.all([
    database<ChainRow[]>`
      select network_id, head, head_seen_at, rpc_error is not null as has_rpc_error, projected_block
      from chain_state`,
    indexerHeads(database),
    readRelayerKeys(database),
  ])
  return {
    pendingMigrations: [],
    indexerHeads: heads,
    relayerKeys,
    chains: rows.map((row) => ({
      networkId: row.network_id,
      head: row.head,
      headSeenAt: row.head_seen_at,
      hasRpcError: row.has_rpc_error,
      projectedBlock: row.projected_block,
    })),
  }
}
