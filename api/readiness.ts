import { COIN_DECIMALS } from '../core/chain/registry.ts'
import type { ActiveChain } from '../core/config/chains.ts'
import type { ApiConfig } from '../core/config/processes.ts'
import { hoursLeft } from '../core/gas.ts'
import { formatAmount } from '../core/money.ts'
import type { SystemHealth, WatchedChain } from '../store/books/health.ts'
import type { NodeFault } from '../store/chain/heads.ts'
import type { AlarmKind } from '../store/relayer/alarms.ts'
import type { RelayerKey } from '../store/relayer/keys.ts'
import { channelWarnings } from './channelReadiness.ts'
import { hubWarnings } from './hubReadiness.ts'

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
/** Nodes that show no new block for so many block times, and at least so many ms, stand still. */
const FROZEN_AFTER_BLOCKS = 10
const FROZEN_AFTER_MS = 10_000
/** What is wrong with a node that is not asked. */
const FAULTS: Readonly<Record<NodeFault, string>> = {
  wrong_chain: 'it answers for another chain, see RPC_URL_<NETWORK>',
  forked: 'its branch parts from the chain deeper than reorganisations reach',
}
/** How far the indexer may lag behind a chain's head: whichever of the two is more blocks. */
const TOLERATED_LAG_MS = 30_000
const TOLERATED_LAG_BLOCKS = 10
/** So many refunds that wait for the hub's limit or its owner are named. */
const REFUNDS_SHOWN = 10
/** A key that is empty sooner is warned about: time enough for somebody to come to the office. */
const LEAST_HOURS = 24
/** Work that could be sent is sent within seconds, unless there is no key, money or node. */
const OLD_WORK_MS = 10 * 60_000
/** A service that screens payers answers within seconds. */
const OLD_SCREENING_MS = 60_000
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
  if (health.lackingRights.length > 0) return { problems: health.lackingRights, warnings: [] }
  const problems = notifierProblems(health, now)
  const warnings: string[] = []
  if (health.isOverprivileged) {
    warnings.push(
      'the API connects to the database with the rights of a worker or of the owner: give it a role of its own, see `bun run remit database roles --help`',
    )
  }
  for (const chain of config.chains) {
    problems.push(...indexerProblems(health, chain), ...workerProblems(health, chain, now))
    const keys = health.relayerKeys.filter((key) => key.networkId === chain.networkId)
    const relayers = judgeRelayers(keys, chain, config.lowBalanceWei, strangersTo(health, chain))
    warnings.push(...paceWarnings(health, keys, chain))
    problems.push(...relayers.problems)
    warnings.push(...relayers.warnings, ...workWarnings(health, chain, now))
    warnings.push(...nodeWarnings(health, chain, now))
    const alarms = judgeAlarms(health, chain, now)
    problems.push(...alarms.problems)
    warnings.push(...alarms.warnings)
    warnings.push(...channelWarnings(health, chain.networkId, now))
    warnings.push(...hubWarnings(health, chain, config.environment, now))
  }
  warnings.push(...screeningWarnings(health, now))
  return { problems, warnings }
}

/** Payers about whom the operator's service says nothing, or whom it holds. */
function screeningWarnings({ screening }: SystemHealth, now: Date): string[] {
  const { held, unanswered, oldestAt } = screening
  const isLate = oldestAt !== null && now.getTime() - oldestAt.getTime() > OLD_SCREENING_MS
  return [
    ...(isLate
      ? [
          `screening: ${unanswered} payers are without an answer, the first for ${ageInSeconds(oldestAt, now)} s: is SCREENING_URL set for the workers, and does it answer? See \`bun run remit screening list\``,
        ]
      : []),
    ...(held > 0
      ? [
          `screening: the money of ${held} payers is held, and nobody has decided yet: see \`bun run remit screening list\``,
        ]
      : []),
  ]
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
      ({ kind, count }) =>
        `${networkId}: ${count} ${kind} work items wait for a person (review): see \`bun run remit work list\``,
    )
  const queued = health.oldestWork
    .filter((work) => work.networkId === networkId)
    .filter(({ dueAt }) => now.getTime() - dueAt.getTime() > OLD_WORK_MS)
    .map(({ kind, dueAt }) => {
      const age = ageInSeconds(dueAt, now)
      return `${networkId}: ${kind} work has been due for ${age} s and is not sent`
    })
  return [...old, ...queued, ...reviews]
}

/** What workers say of themselves. The errors are in their logs and in `remit work list`, not here. */
function judgeAlarms(health: SystemHealth, { networkId }: ActiveChain, now: Date): Readiness {
  const ours = health.alarms.filter((alarm) => alarm.networkId === networkId)
  const of = (kind: AlarmKind) => ours.filter((alarm) => alarm.kind === kind)
  const subjects = (kind: AlarmKind) => [...new Set(of(kind).map(({ subject }) => subject))]
  const aside = of('aside')
  const oldest = aside.map(({ since }) => since.getTime()).sort((a, b) => a - b)[0]
  const asideFor = oldest === undefined ? 0 : ageInSeconds(new Date(oldest), now)
  return {
    problems: [
      ...subjects('turn').map(
        (loop) => `${networkId}: the turns of the ${loop} fail (the worker's log says why)`,
      ),
      ...subjects('signer').map(
        (address) =>
          `${networkId}: the store with the key of ${address} does not sign, and what needs it waits (the worker's log says why)`,
      ),
    ],
    warnings: [
      ...(aside.length === 0
        ? []
        : [
            `${networkId}: ${aside.length} transactions, work items or invoices are put aside, the oldest for ${asideFor} s: see \`bun run remit work list\``,
          ]),
      ...subjects('operator').map(
        (address) =>
          `${networkId}: relayer ${address} is no operator of the hub: see \`bun run remit relayer add --help\``,
      ),
      ...subjects('fee_ceiling').map(
        (subject) =>
          `${networkId}: the network asks for more than nodes let a transaction offer (${subject}): what waits goes out when fees fall`,
      ),
      ...subjects('nonce').map(
        (subject) =>
          `${networkId}: an account nonce is used and no node shows by which transaction (${subject})`,
      ),
      ...of('refund_waits')
        .slice(0, REFUNDS_SHOWN)
        .map(({ detail }) => `${networkId}: ${detail}`),
    ],
  }
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
  if (age <= STALE_AFTER_MS) return frozenProblems(state, chain, now)
  const seconds = Math.round(age / 1000)
  const reason = state.hasRpcError
    ? "its RPC can't be reached (the worker's log says why)"
    : 'is `bun run worker` running?'
  return [`${networkId}: the head is from ${seconds} s ago; ${reason}`]
}

/** A node that stands still answers like any other; only that nothing new comes gives it away. */
function frozenProblems({ movedAt }: WatchedChain, chain: ActiveChain, now: Date): string[] {
  if (movedAt === null || !isFrozen(movedAt, chain, now)) return []
  const seconds = ageInSeconds(movedAt, now)
  return [`${chain.networkId}: no node has shown a new block for ${seconds} s`]
}

/** Nodes that are not asked, and those that stand still beside one that doesn't. */
function nodeWarnings(health: SystemHealth, chain: ActiveChain, now: Date): string[] {
  const all = health.nodes.filter(({ networkId }) => networkId === chain.networkId)
  const wrong = all.flatMap(({ host, fault }) =>
    fault === null ? [] : [`${chain.networkId}: the node ${host} is not asked: ${FAULTS[fault]}`],
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
    return `${chain.networkId}: the node ${host} has shown no new block for ${seconds} s; others are used`
  })
}

function isFrozen(movedAt: Date, { blockTimeMs }: ActiveChain, now: Date): boolean {
  const tolerated = Math.max(FROZEN_AFTER_BLOCKS * blockTimeMs, FROZEN_AFTER_MS)
  return now.getTime() - movedAt.getTime() > tolerated
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
  strangers: ReadonlySet<string>,
): Readiness {
  const { networkId, symbol } = chain
  const problems: string[] = []
  const warnings: string[] = []
  const able = keys
    .filter((key) => key.status === 'active' && key.isLeased && key.balance !== 0n)
    .filter(({ address }) => !strangers.has(address))
  if (able.length === 0) {
    const describeKey = (key: RelayerKey) =>
      strangers.has(key.address) ? `${key.address} is no operator of the hub` : describe(key)
    const why = keys.length === 0 ? 'there is none yet' : keys.map(describeKey).join(', ')
    problems.push(`${networkId}: no relayer can send transactions (${why})`)
  }
  for (const key of keys) {
    const name = `${networkId}: relayer ${key.address}`
    if (key.status === 'quarantined') {
      const why = key.note ?? 'an account nonce of it was used by somebody else'
      warnings.push(`${name} is quarantined: ${why}`)
    } else if (key.balance !== null && key.balance < lowBalance) {
      const left = formatAmount(key.balance, COIN_DECIMALS)
      warnings.push(`${name} is low on gas: it holds ${left} ${symbol}`)
    } else if (key.status === 'no_funds') {
      warnings.push(`${name} can't pay for gas`)
    }
  }
  return { problems, warnings }
}

/** Keys that will be empty soon, in time for somebody to send them coin. */
function paceWarnings(
  { gasPaces }: SystemHealth,
  keys: readonly RelayerKey[],
  { networkId }: ActiveChain,
): string[] {
  return keys.flatMap(({ address, balance }) => {
    const pace = gasPaces.find((one) => one.networkId === networkId && one.address === address)
    const left = pace === undefined || balance === null ? null : hoursLeft(balance, pace)
    if (left === null || left >= LEAST_HOURS) return []
    const hours = left < 1 ? 'less than an hour' : `${Math.floor(left)} hours`
    return [
      `${networkId}: relayer ${address} runs out of gas money in ${hours} at the present rate: send it coin`,
    ]
  })
}

/** The relayers that a worker has said to be no operators of the hub: it takes nothing from them. */
function strangersTo(health: SystemHealth, { networkId }: ActiveChain): ReadonlySet<string> {
  const ours = health.alarms.filter((alarm) => alarm.networkId === networkId)
  return new Set(ours.filter(({ kind }) => kind === 'operator').map(({ subject }) => subject))
}

function describe(key: RelayerKey): string {
  const isPoor = key.status === 'no_funds' || (key.status === 'active' && key.balance === 0n)
  const status = isPoor ? 'without funds' : key.status
  return `${key.address} is ${status === 'active' ? 'held by no worker' : status}`
}
