import type { Entry } from '../hub/registryEntry.ts'
import type { Invoice, Settlement } from './state.ts'

/** When a sweep that moved nothing is tried again, and what of that counts as a failure. */

/** Rounds on one chain that may fail before each further one waits for a pause. */
export const MAX_FAILED_ROUNDS = 3
/** The first pause, in ms: the cause may pass. Each further failure doubles it. */
export const FIRST_PAUSE_MS = 3_600_000
export const LONGEST_PAUSE_MS = 24 * FIRST_PAUSE_MS
/** How long a sweep waits after each round that moved nothing: 0 s, 15 s, 60 s. */
const RETRY_PAUSES_MS = [0, 15_000, 60_000]
/** How often the very same sweep is planned again before its refusal is a failure. */
const MAX_SAME_PLANS = 3

/** Rounds that failed. One that was planned again is none of them. */
export function failures(settlements: readonly Settlement[]): Settlement[] {
  return settlements.filter((s) => s.status === 'failed' && !s.replanned)
}

/**
 * The newest failure of a settlement that is being tried again; null when none is. What is paused, or
 * waits for something else, is not being tried.
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

/** Whether one of these sweeps, planned just now, comes directly after a round that failed. */
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

/** A failing settlement is tried again after a change of the recipient, or after a pause. */
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

/** The pause after so many failed rounds, in ms. */
function pauseAfter(count: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (count - MAX_FAILED_ROUNDS), LONGEST_PAUSE_MS)
}

type Plan = Pick<
  Settlement,
  'networkId' | 'token' | 'round' | 'amount' | 'fee' | 'leave' | 'deploys'
>

/** How long a planned sweep waits before it is sent, in ms, after the rounds before it. */
export function retryPause(settlements: readonly Settlement[], plan: Plan): number {
  const failed = failures(settlements).filter((s) => s.networkId === plan.networkId).length
  const tries = Math.max(failed, samePlansBefore(settlements, plan))
  return RETRY_PAUSES_MS[Math.min(tries, RETRY_PAUSES_MS.length - 1)] ?? 0
}

/** Why a round moved nothing, and what the chain showed of the deposit afterwards. */
export interface Refusal {
  /** The hub's error by name; null when it was another one, or none. */
  readonly error: string | null
  readonly isDeployed: boolean
}

/**
 * Whether a round that moved nothing is planned again with fresh figures instead of having failed: the deposit
 * was not as the plan had it. Something had left it since, its contract was there already or not yet, or less
 * could be charged on it. When nothing that the ledger learns changes the plan, the ledger is at fault, and the
 * same refusal is a failure like any other in the end.
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

/** How many rounds directly before this one had the same plan and were planned again. */
function samePlansBefore(settlements: readonly Settlement[], plan: Plan): number {
  const before = settlements
    .filter((s) => s.networkId === plan.networkId && s.token === plan.token && s.round < plan.round)
    .toSorted((a, b) => b.round - a.round)
  const other = before.findIndex((s) => !s.replanned || !isSamePlan(s, plan))
  return other === -1 ? before.length : other
}

function isSamePlan(a: Plan, b: Plan): boolean {
  return a.amount === b.amount && a.fee === b.fee && a.leave === b.leave && a.deploys === b.deploys
}
