import { COIN_DECIMALS } from '../core/chain/registry.ts'
import type { ActiveChain, ApiConfig } from '../core/config/processes.ts'
import { formatAmount } from '../core/money.ts'
import type { SystemHealth } from '../store/books/health.ts'
import type { RelayerKey } from '../store/relayer/keys.ts'

/** Judges whether everything that invoices depend on works, in words for the operator. */
export interface Readiness {
  /** What keeps invoices from being paid or settled, or merchants from being notified. */
  readonly problems: readonly string[]
  /** What will do so if nobody intervenes. */
  readonly warnings: readonly string[]
}

/** x402 payments of all chains that are not decided yet. */
export interface PendingFigures {
  readonly count: number
  /** The age of the oldest one, in whole seconds; null while there is none. */
  readonly oldestSeconds: number | null
}

/** A head older than this is followed by no worker; an event that waits longer, by no notifier. */
const STALE_AFTER_MS = 30_000
/** How far the indexer may lag behind a chain's head: whichever of the two is more blocks. */
const TOLERATED_LAG_MS = 30_000
const TOLERATED_LAG_BLOCKS = 10
/** A settle takes seconds, so something holds up a payment this old. */
const OLD_PAYMENT_MS = 120_000

export function judgeReadiness(health: SystemHealth, config: ApiConfig, now: Date): Readiness {
  const missing = health.pendingMigrations
  if (missing.length > 0) {
    const names = missing.join(', ')
    return {
      problems: [`the database lacks migrations (${names}): run \`bun run remit migrate\``],
      warnings: [],
    }
  }
  const problems = notifierProblems(health, now)
  const warnings: string[] = []
  for (const chain of config.chains) {
    problems.push(...indexerProblems(health, chain), ...workerProblems(health, chain, now))
    const keys = health.relayerKeys.filter((key) => key.networkId === chain.networkId)
    const relayers = judgeRelayers(keys, chain, config.lowBalanceWei)
    problems.push(...relayers.problems)
    warnings.push(...relayers.warnings, ...workWarnings(health, chain, now))
  }
  return { problems, warnings }
}

export function pendingFigures({ pendingPayments }: SystemHealth, now: Date): PendingFigures {
  const ages = pendingPayments.map(({ oldestAt }) => ageInSeconds(oldestAt, now))
  const count = pendingPayments.reduce((sum, chain) => sum + chain.count, 0)
  return { count, oldestSeconds: ages.length === 0 ? null : Math.max(...ages) }
}

function workWarnings(health: SystemHealth, { networkId }: ActiveChain, now: Date): string[] {
  const old = health.pendingPayments
    .filter((pending) => pending.networkId === networkId)
    .filter(({ oldestAt }) => now.getTime() - oldestAt.getTime() > OLD_PAYMENT_MS)
    .map(({ count, oldestAt }) => {
      const age = ageInSeconds(oldestAt, now)
      return `${networkId}: ${count} x402 payments are pending, the oldest since ${age} s: see \`bun run remit payments list --status pending\``
    })
  const reviews = health.reviews
    .filter((review) => review.networkId === networkId)
    .map(
      ({ kind, count }) => `${networkId}: ${count} ${kind} work items wait for a person (review)`,
    )
  return [...old, ...reviews]
}

function ageInSeconds(since: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000))
}

function indexerProblems(health: SystemHealth, chain: ActiveChain): string[] {
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

function workerProblems(health: SystemHealth, chain: ActiveChain, now: Date): string[] {
  const { networkId } = chain
  const state = headOf(health, networkId)
  if (!state?.headSeenAt) {
    return [`${networkId}: no worker has reported yet; is \`bun run worker\` running?`]
  }
  const age = now.getTime() - state.headSeenAt.getTime()
  if (age <= STALE_AFTER_MS) return []
  const seconds = Math.round(age / 1000)
  const reason = state.hasRpcError
    ? "its RPC can't be reached (the worker's log says why)"
    : 'is `bun run worker` running?'
  return [`${networkId}: the head is from ${seconds} s ago; ${reason}`]
}

function notifierProblems({ waitingSince }: SystemHealth, now: Date): string[] {
  if (waitingSince === null) return []
  const age = now.getTime() - waitingSince.getTime()
  if (age <= STALE_AFTER_MS) return []
  const seconds = Math.round(age / 1000)
  return [
    `webhooks: the oldest event that waits is from ${seconds} s ago; is \`bun run worker\` (or \`bun run worker --notifier\`) running?`,
  ]
}

function headOf(health: SystemHealth, networkId: string) {
  return health.chains.find((chain) => chain.networkId === networkId)
}

function judgeRelayers(
  keys: readonly RelayerKey[],
  chain: ActiveChain,
  lowBalance: bigint,
): Readiness {
  const { networkId, symbol } = chain
  const problems: string[] = []
  const warnings: string[] = []
  const able = keys.filter((key) => key.status === 'active' && key.isLeased)
  if (able.length === 0) {
    const why = keys.length === 0 ? 'there is none yet' : keys.map(describe).join(', ')
    problems.push(`${networkId}: no relayer can send transactions (${why})`)
  }
  for (const key of keys) {
    const name = `${networkId}: relayer ${key.address}`
    if (key.status === 'quarantined') {
      warnings.push(`${name} is quarantined: an account nonce of it was used by somebody else`)
    } else if (key.balance !== null && key.balance < lowBalance) {
      const left = formatAmount(key.balance, COIN_DECIMALS)
      warnings.push(`${name} is low on gas: it holds ${left} ${symbol}`)
    } else if (key.status === 'no_funds') {
      warnings.push(`${name} can't pay for gas`)
    }
  }
  return { problems, warnings }
}

function describe(key: RelayerKey): string {
  const status = key.status === 'no_funds' ? 'without funds' : key.status
  return `${key.address} is ${status === 'active' ? 'held by no worker' : status}`
}
