import { type WatchedNode, watchedNodes } from '../chain/heads.ts'
import { indexerHeads } from '../chain/transfers.ts'
import { type ChannelWithdrawals, channelWithdrawals } from '../channels/withdrawals.ts'
import { lackingRights, mayTouchRelayers } from '../database/access.ts'
import type { Database } from '../database/database.ts'
import { pendingMigrations } from '../database/migrate.ts'
import { type HubReport, readHubReports } from '../hub/hubGovernance.ts'
import { type EntryAlarm, entryAlarms } from '../hub/registryEntries.ts'
import { type KeyPace, readGasPaces } from '../relayer/gas.ts'
import { type HubWaiting, readHubWaiting } from '../relayer/hubWaits.ts'
import { type RelayerKey, readRelayerKeys } from '../relayer/keys.ts'
import { type ScreeningFigures, screeningFigures } from '../screening/screenings.ts'
import { readAlarms, type WorkerAlarm } from '../turns/alarms.ts'

/** The health of the processes behind the API, by their rows. */

export interface WatchedChain {
  readonly networkId: string
  readonly head: bigint
  /** When a worker last heard from the chain's node; null when it never did. */
  readonly headSeenAt: Date | null
  readonly hasRpcError: boolean
  /** When any of the chain's nodes last showed a new block; null when none was recorded. */
  readonly movedAt: Date | null
  /** Up to which block the indexer's transfers are in the ledger. */
  readonly projectedBlock: bigint
}

/** x402 payments on one chain that are not decided yet. */
export interface PendingPayments {
  readonly networkId: string
  readonly count: number
  readonly oldestAt: Date
}

/** Work on one chain that only an operator can decide on. */
export interface ReviewedWork {
  readonly networkId: string
  readonly kind: string
  readonly count: number
}

/** The work of one kind on one chain that could have been sent for longest. */
export interface OldestWork {
  readonly networkId: string
  readonly kind: string
  readonly dueAt: Date
}

export interface SystemHealth {
  readonly pendingMigrations: readonly string[]
  readonly chains: readonly WatchedChain[]
  readonly nodes: readonly WatchedNode[]
  /** The newest block that the indexer has worked through, by chain id. */
  readonly indexerHeads: ReadonlyMap<number, bigint>
  readonly relayerKeys: readonly RelayerKey[]
  /** What each of them has spent on gas lately. */
  readonly gasPaces: readonly KeyPace[]
  readonly pendingPayments: readonly PendingPayments[]
  readonly reviews: readonly ReviewedWork[]
  readonly oldestWork: readonly OldestWork[]
  /** What workers report of themselves. */
  readonly alarms: readonly WorkerAlarm[]
  /** What a worker last saw of each hub, and the work that waits for hubs. */
  readonly hubs: readonly HubReport[]
  readonly hubWaiting: readonly HubWaiting[]
  /** Registry entries that are not as the ledger wants them. */
  readonly entryAlarms: readonly EntryAlarm[]
  /** What the API's database role lacks, in sentences for the operator. */
  readonly lackingRights: readonly string[]
  /** The API connects with more rights than stolen credentials should carry. */
  readonly isOverprivileged: boolean
  /** When the oldest event was written that no notifier has taken yet; null when none waits. */
  readonly waitingSince: Date | null
  /** Payers whose money waits for the operator's service. */
  readonly screening: ScreeningFigures
  /** Payers who withdraw from channels of which something is charged and not claimed. */
  readonly channelWithdrawals: readonly ChannelWithdrawals[]
}

const UNKNOWN = {
  chains: [],
  nodes: [],
  indexerHeads: new Map(),
  relayerKeys: [],
  gasPaces: [],
  pendingPayments: [],
  reviews: [],
  oldestWork: [],
  alarms: [],
  hubs: [],
  hubWaiting: [],
  entryAlarms: [],
  lackingRights: [],
  isOverprivileged: false,
  waitingSince: null,
  screening: { held: 0, refused: 0, unanswered: 0, oldestAt: null },
  channelWithdrawals: [],
} as const

/** How long an answer is good for, in ms. */
const KEPT_MS = 1_000
/** After this, in ms, new callers no longer wait for a read that has not ended. */
const GIVEN_UP_AFTER_MS = 5_000

export type ReadHealth = () => Promise<SystemHealth>

/**
 * Reads the state of the system, once for all concurrent callers: the route is public and not limited. `clock`
 * is in ms, from any beginning.
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

/** One read holds one connection: a table that is locked must not hold up other requests. */
async function readHealth(pool: Database): Promise<SystemHealth> {
  const database = await pool.reserve()
  try {
    return await readAll(database)
  } finally {
    database.release()
  }
}

/** With migrations missing, nothing else can be read. */
async function readAll(database: Database): Promise<SystemHealth> {
  const missing = await pendingMigrations(database)
  if (missing.length > 0) {
    return { pendingMigrations: missing, ...UNKNOWN }
  }
  // Without them, what follows would fail with a less specific error.
  const lacking = await lackingRights(database, 'api')
  if (lacking.length > 0) return { pendingMigrations: [], ...UNKNOWN, lackingRights: lacking }
  const reads = [
    database<WatchedChain[]>`
      select network_id, s.head, s.head_seen_at, s.rpc_error is not null as has_rpc_error,
        s.projected_block, greatest(s.head_moved_at, h.moved_at) as moved_at
      from chain_state s left join chain_head h using (network_id)`,
    watchedNodes(database),
    indexerHeads(database),
    readRelayerKeys(database),
    readGasPaces(database, new Date()),
    readPending(database),
    readReviews(database),
    readOldestWork(database),
    readAlarms(database),
    readHubReports(database),
    readHubWaiting(database),
    entryAlarms(database),
    readWaitingSince(database),
    screeningFigures(database),
    channelWithdrawals(database),
    mayTouchRelayers(database),
  ] as const
  // One that fails must leave no other on the connection, which would never come back then.
  await Promise.allSettled(reads)
  const [
    chains,
    nodes,
    heads,
    relayerKeys,
    gasPaces,
    pendingPayments,
    reviews,
    oldestWork,
    alarms,
    hubs,
    hubWaiting,
    entries,
    waitingSince,
    screening,
    withdrawals,
    isOverprivileged,
  ] = await Promise.all(reads)
  return {
    pendingMigrations: [],
    indexerHeads: heads,
    relayerKeys,
    gasPaces,
    pendingPayments,
    reviews,
    oldestWork,
    alarms,
    hubs,
    hubWaiting,
    entryAlarms: entries,
    waitingSince,
    screening,
    channelWithdrawals: withdrawals,
    lackingRights: [],
    isOverprivileged,
    chains,
    nodes,
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

/** Kinds that move money for a waiting caller, and the registry entries that they may need. */
async function readOldestWork(database: Database): Promise<OldestWork[]> {
  return database<OldestWork[]>`
    select s.network_id, k.kind, oldest.not_before as due_at
    from chain_state s cross join unnest(array['sweep', 'refund', 'x402_refund', 'configure']) as k (kind)
    cross join lateral (
      select not_before from work_item w
      where w.network_id = s.network_id and w.kind = k.kind and w.state = 'queued'
        and w.waits_for is null and w.not_before <= now()
      order by w.not_before, w.id limit 1
    ) oldest
    order by s.network_id, k.kind`
}

async function readWaitingSince(database: Database): Promise<Date | null> {
  const [row] = await database<{ createdAt: Date }[]>`
    select created_at from outbox where position is null order by id limit 1`
  return row?.createdAt ?? null
}

/** Whether a worker that follows a chain is connected at this moment. */
export async function isFollowed(database: Database): Promise<boolean> {
  const rows = await database`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'remit-leader' limit 1`
  return rows.length > 0
}
