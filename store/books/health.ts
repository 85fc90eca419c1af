import { indexerHeads } from '../chain/transfers.ts'
import type { Database } from '../database.ts'
import { pendingMigrations } from '../migrate.ts'
import { type RelayerKey, readRelayerKeys } from '../relayer/keys.ts'
import type { WorkKindName } from '../relayer/workItems.ts'

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

/** x402 payments on one chain that are not decided yet. */
export interface PendingPayments {
  readonly networkId: string
  readonly count: number
  readonly oldestAt: Date
}

/** Work on one chain that only a person can decide on. */
export interface ReviewedWork {
  readonly networkId: string
  readonly kind: WorkKindName
  readonly count: number
}

export interface SystemHealth {
  readonly pendingMigrations: readonly string[]
  readonly chains: readonly WatchedChain[]
  /** The newest block that the indexer has worked through, by chain id. */
  readonly indexerHeads: ReadonlyMap<number, bigint>
  readonly relayerKeys: readonly RelayerKey[]
  readonly pendingPayments: readonly PendingPayments[]
  readonly reviews: readonly ReviewedWork[]
  /** When the oldest event was written that no notifier has taken yet; null when none waits. */
  readonly waitingSince: Date | null
}

const UNKNOWN = {
  chains: [],
  indexerHeads: new Map(),
  relayerKeys: [],
  pendingPayments: [],
  reviews: [],
  waitingSince: null,
} as const

/** How long an answer is good for, in ms. */
const KEPT_MS = 1_000
/** After this, in ms, a read that has not ended is no longer waited for by those who come. */
const GIVEN_UP_AFTER_MS = 5_000

export type ReadHealth = () => Promise<SystemHealth>

/**
 * Reads the state of the system for whoever asks, once for all who ask at about the same time: anybody
 * may, as often as they like. `clock` is in ms, from any beginning.
 */
export function openHealth(
  database: Database,
  keptMs = KEPT_MS,
  clock: () => number = () => performance.now(),
): ReadHealth {
  let newest: Promise<SystemHealth> | null = null
  let until = 0
  return () => {
    if (newest !== null && clock() < until) return newest
    const read = readHealth(database)
    newest = read
    until = clock() + GIVEN_UP_AFTER_MS
    const keep = () => {
      if (newest === read) until = clock() + keptMs
    }
    read.then(keep, keep)
    return read
  }
}

/** With migrations missing, nothing else can be told. */
async function readHealth(database: Database): Promise<SystemHealth> {
  const missing = await pendingMigrations(database)
  if (missing.length > 0) {
    return { pendingMigrations: missing, ...UNKNOWN }
  }
  const [chains, heads, relayerKeys, pendingPayments, reviews, waitingSince] = await Promise.all([
    database<WatchedChain[]>`
      select network_id, head, head_seen_at, rpc_error is not null as has_rpc_error, projected_block
      from chain_state`,
    indexerHeads(database),
    readRelayerKeys(database),
    readPending(database),
    readReviews(database),
    readWaitingSince(database),
  ])
  return {
    pendingMigrations: [],
    indexerHeads: heads,
    relayerKeys,
    pendingPayments,
    reviews,
    waitingSince,
    chains,
  }
}

async function readPending(database: Database): Promise<PendingPayments[]> {
  return database<PendingPayments[]>`
    select network_id, count(*)::integer as count, min(created_at) as oldest_at
    from x402_payment where status = 'pending' group by network_id order by network_id`
}

async function readReviews(database: Database): Promise<ReviewedWork[]> {
  return database<ReviewedWork[]>`
    select network_id, kind, count(*)::integer as count
    from work_item where state = 'review' group by network_id, kind order by network_id, kind`
}

async function readWaitingSince(database: Database): Promise<Date | null> {
  const [row] = await database<{ createdAt: Date }[]>`
    select created_at from outbox where position is null order by id limit 1`
  return row?.createdAt ?? null
}
