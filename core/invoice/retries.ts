import type { Entry } from '../hub/registryEntry.ts'
import type { Invoice, Settlement } from './state.ts'

/** When a sweep that moved nothing is retried, and when that counts as a failure. */

/** After this many failed rounds on a chain, each further round waits for a pause. */
export const MAX_FAILED_ROUNDS = 3
/** The first pause, in ms, as the cause may be temporary. Each further failure doubles it. */
export const FIRST_PAUSE_MS = 3_600_000
export const LONGEST_PAUSE_MS = 24 * FIRST_PAUSE_MS
/** How long a sweep waits after each round that moved nothing: 0 s, 15 s, 60 s. */
const RETRY_PAUSES_MS = [0, 15_000, 60_000]
/** After this many identical plans in a row, a rejected sweep counts as a failure. */
const MAX_SAME_PLANS = 3

/** The failed rounds, except those that were replanned. */
export function failures(settlements: readonly Settlement[]): Settlement[] {
  return settlements.filter((s) => s.status === 'failed' && !s.replanned)
}

/**
 * The newest failure of a settlement that is being retried; null if there is none. A settlement that is paused, or
 * waits for something else, is not being retried.
 */
export function retriedFailure(
  { settlementState }: Pick<Invoice, 'settlementState'>,
  settlements: readonly Settlement[],
): Settlement | null {
  if (settlementState !== 'none' && settlementState !== 'due') return null
  const isRetried = (failed: Settlement) => {
    const later = settlements.filter((s) => isSameDeposit(s, failed) && s.round > failed.round)
    const hasMoved = later.some(({ status }) => status === 'mined' || status === 'confirmed')
    return !hasMoved && (settlementState === 'due' || later.some(({ status }) => status === 'open'))
  }
  return failures(settlements).findLast(isRetried) ?? null
}

/** Whether one of these new sweeps directly follows a failed round. */
export function hasRetry(
  settlements: readonly Settlement[],
  planned: readonly Pick<Settlement, 'networkId' | 'token' | 'round'>[],
): boolean {
  const failed = failures(settlements)
  return planned.some((sweep) =>
    failed.some((s) => isSameDeposit(s, sweep) && s.round === sweep.round - 1),
  )
}

function isSameDeposit(
  a: Pick<Settlement, 'networkId' | 'token'>,
  b: Pick<Settlement, 'networkId' | 'token'>,
): boolean {
  return a.networkId === b.networkId && a.token === b.token
}

/** A failing settlement is retried after a change of the recipient, or after a pause. */
export function isPausing(
  sweeps: readonly Settlement[],
  { treasury, version }: Entry,
  now: Date,
): boolean {
  const failed = failures(sweeps).filter(
    (s) => s.recipient === treasury && s.registryVersion === version,
  )
  if (failed.length < MAX_FAILED_ROUNDS) return false
  const last = Math.max(...failed.map((s) => s.createdAt.getTime()))
  return now.getTime() < last + pauseAfter(failed.length)
}

/** In ms. */
function pauseAfter(count: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (count - MAX_FAILED_ROUNDS), LONGEST_PAUSE_MS)
}

type Plan = Pick<
  Settlement,
  'networkId' | 'token' | 'round' | 'amount' | 'fee' | 'leave' | 'deploys'
>

/** How long a planned sweep waits before it is sent, in ms, given the rounds before it. */
export function retryPause(settlements: readonly Settlement[], plan: Plan): number {
  const failed = failures(settlements).filter((s) => s.networkId === plan.networkId).length
  const tries = Math.max(failed, samePlansBefore(settlements, plan))
  return RETRY_PAUSES_MS[Math.min(tries, RETRY_PAUSES_MS.length - 1)] ?? 0
}

/** Why a round moved nothing, and the state of the deposit on the chain afterwards. */
export interface Refusal {
  /** The name of the hub's error; null for another error, or for none. */
  readonly error: string | null
  readonly isDeployed: boolean
}

/**
 * Whether a round that moved nothing is replanned from current figures instead of counting as a failure, because the
 * deposit differed from the plan: money had left it, its contract was already or not yet deployed, or less could be
 * charged on it. If the plan stays the same, the ledger is wrong, and the repeated rejection becomes a failure.
 */
export function isReplanned(
  settlements: readonly Settlement[],
  ended: Plan,
  { error, isDeployed }: Refusal,
): boolean {
  const isOutdated =
    error === 'DepositLeavesLess' || error === 'FeeNotAvailable' || isDeployed === ended.deploys
  return isOutdated && samePlansBefore(settlements, ended) + 1 < MAX_SAME_PLANS
}

/** How many rounds directly before this one had the same plan and were replanned. */
function samePlansBefore(settlements: readonly Settlement[], plan: Plan): number {
  const before = settlements
    .filter((s) => s.networkId === plan.networkId && s.token === plan.token && s.round < plan.round)
    .toSorted((a, b) => b.round - a.round)
  const firstOther = before.findIndex((s) => !s.replanned || !isSamePlan(s, plan))
  return firstOther === -1 ? before.length : firstOther
}

function isSamePlan(a: Plan, b: Plan): boolean {
  return a.amount === b.amount && a.fee === b.fee && a.leave === b.leave && a.deploys === b.deploys
}
