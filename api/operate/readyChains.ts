import type { ActiveChain } from '../../core/config/chains.ts'
import type { SystemHealth, WatchedChain } from '../../store/books/health.ts'
import type { NodeFault } from '../../store/chain/heads.ts'
import { ageInSeconds, STALE_AFTER_MS } from './readiness.ts'

/** Readiness of a chain's indexer, worker and nodes. */

/** A node without a new block for this many block times, and at least this many ms, is stalled. */
const FROZEN_AFTER_BLOCKS = 10
const FROZEN_AFTER_MS = 10_000
/** Why a node is excluded, or used last. */
const FAULTS: Readonly<Record<NodeFault, string>> = {
  wrong_chain: 'it serves another chain: check RPC_URL_<NETWORK>',
  forked: 'it is on a fork deeper than any reorganisation',
  ahead: 'it reports a block far above all other nodes',
}
/** The allowed lag of the indexer behind a chain's head: the larger of both in blocks. */
const TOLERATED_LAG_MS = 30_000
const TOLERATED_LAG_BLOCKS = 10

export function indexerProblems(health: SystemHealth, chain: ActiveChain): string[] {
  const { networkId } = chain
  const indexed = health.indexerHeads.get(chain.chainId)
  if (indexed === undefined) {
    return [`${networkId}: the indexer has not reported yet; is \`bun run indexer\` running?`]
  }
  const head = headOf(health, networkId)?.head
  if (head === undefined) return []
  const tolerated = Math.max(TOLERATED_LAG_BLOCKS, TOLERATED_LAG_MS / chain.blockTimeMs)
  const lag = head - indexed
  if (lag <= BigInt(Math.ceil(tolerated))) return []
  return [`${networkId}: the indexer is ${lag} blocks behind (${indexed} of ${head})`]
}

export function workerProblems(health: SystemHealth, chain: ActiveChain, now: Date): string[] {
  const { networkId } = chain
  const state = headOf(health, networkId)
  if (!state?.headSeenAt) {
    return [`${networkId}: no worker has reported yet; is \`bun run worker\` running?`]
  }
  const age = now.getTime() - state.headSeenAt.getTime()
  if (age <= STALE_AFTER_MS) return frozenProblems(state, chain, now)
  const seconds = Math.round(age / 1000)
  const reason = state.hasRpcError
    ? "its RPC can't be reached (see the worker's log)"
    : 'is `bun run worker` running?'
  return [`${networkId}: the head is ${seconds} s old; ${reason}`]
}

/** A stalled node responds, but has no new blocks. */
function frozenProblems({ movedAt }: WatchedChain, chain: ActiveChain, now: Date): string[] {
  if (movedAt === null || !isFrozen(movedAt, chain, now)) return []
  const seconds = ageInSeconds(movedAt, now)
  return [`${chain.networkId}: no node has returned a new block for ${seconds} s`]
}

/** Excluded nodes, and stalled ones if another one isn't. */
export function nodeWarnings(health: SystemHealth, chain: ActiveChain, now: Date): string[] {
  const all = health.nodes.filter(({ networkId }) => networkId === chain.networkId)
  const wrong = all.flatMap(({ host, fault }) =>
    fault === null ? [] : [`${chain.networkId}: the node ${host} is not used: ${FAULTS[fault]}`],
  )
  return [
    ...wrong,
    ...frozenWarnings(
      all.filter(({ fault }) => fault === null),
      chain,
      now,
    ),
  ]
}

function frozenWarnings(nodes: SystemHealth['nodes'], chain: ActiveChain, now: Date): string[] {
  const frozen = nodes.filter(({ movedAt }) => isFrozen(movedAt, chain, now))
  if (frozen.length === nodes.length) return []
  return frozen.map(({ host, movedAt }) => {
    const seconds = ageInSeconds(movedAt, now)
    return `${chain.networkId}: the node ${host} has returned no new block for ${seconds} s; others are used`
  })
}

function isFrozen(movedAt: Date, { blockTimeMs }: ActiveChain, now: Date): boolean {
  const tolerated = Math.max(FROZEN_AFTER_BLOCKS * blockTimeMs, FROZEN_AFTER_MS)
  return now.getTime() - movedAt.getTime() > tolerated
}

function headOf(health: SystemHealth, networkId: string) {
  return health.chains.find((chain) => chain.networkId === networkId)
}
