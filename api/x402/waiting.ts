import type { X402PaymentId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { type Database, isContention } from '../../store/database/database.ts'
import type { ListenLog } from '../../store/database/listen.ts'
import { listenForDecided } from '../../store/x402/outcomes.ts'

/**
 * How long verify and settle wait, and for what. Stock servers retry a pending settle only if the response has a
 * transaction; without one they have the payer sign again, who then pays twice. So a pending payment has a hash, and
 * one without a hash at the deadline is withdrawn. The same applies to actions of channels.
 */

/** The longest wait for an outcome, in ms; `maxTimeoutSeconds` may be shorter. */
const WAIT_MS = 25_000

/** The deadline passed before there was a result. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** When a call that began at `startedAt` must be answered; both by performance.now(). */
export function deadlineOf({ requirements }: PaymentRequest, startedAt: number): number {
  return startedAt + Math.min(requirements.maxTimeoutSeconds * 1_000, WAIT_MS)
}

/** The same for actions of channels, whose requirements may have a timeout of 0. */
export function channelDeadline(startedAt: number): number {
  return startedAt + WAIT_MS
}

/**
 * The result of read-only work. At the deadline the work is no longer awaited.
 * @throws DeadlinePassed at the deadline, by performance.now().
 */
export async function untilDeadline<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const end = () => late.reject(new DeadlinePassed('the call timed out'))
  const timer = setTimeout(end, Math.max(0, deadline - performance.now()))
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A started payment or action that this call of settle waits for. */
export interface Begun<Outcome> {
  readonly signal: AbortSignal
  /** The caller's deadline. Like all times here, by performance.now(). */
  readonly deadline: number
  /** Decisions since this time count. */
  readonly since: number
  /** Whether it may be decided already. */
  readonly readsFirst: boolean
  read(): Promise<Outcome | 'pending' | 'withdrawn'>
  /** Resolves once it is decided after `since`, after `ms`, or when the caller has disconnected. */
  wait(since: number, ms: number): Promise<void>
  /** The hash of its newest stored transaction; null if there is none. */
  attempt(): Promise<Hex | null>
  /** Withdraws it if nothing was ever signed for it and it has waited long enough. */
  withdraw(): Promise<boolean>
}

export type End<Outcome> =
  | { readonly type: 'decided'; readonly outcome: Outcome }
  /** The hash is null only if the caller has disconnected. */
  | { readonly type: 'pending'; readonly transaction: Hex | null }
  /** Nothing is signed for it, now or later. */
  | { readonly type: 'withdrawn' }

export const NOTHING_BEGUN = 'it could not be executed in time; nothing was begun, try again'

/** Polling interval of the outcome without a notification, in ms. */
const POLL_MS = 2_000
/** Polling interval of a missing hash at the deadline, in ms. */
const LATE_POLL_MS = 500

/**
 * Waits until it is decided or the deadline passes; longer only for a hash, or until it
 * may be withdrawn, at most ten seconds after its claim, or once a worker has compared a new server of the database.
 */
export async function untilEnd<Outcome>(begun: Begun<Outcome>): Promise<End<Outcome>> {
  let { since } = begun
  for (let isDue = begun.readsFirst; ; isDue = true) {
    if (isDue) {
      since = performance.now()
      const outcome = await begun.read()
      if (outcome === 'withdrawn') return { type: 'withdrawn' }
      if (outcome !== 'pending') return { type: 'decided', outcome }
    }
    const left = begun.deadline - performance.now()
    if (left <= 0 || begun.signal.aborted) {
      const end = await endNow(begun)
      if (end !== null) return end
    }
    await begun.wait(since, left <= 0 ? LATE_POLL_MS : Math.min(left, POLL_MS))
  }
}

/** The result at the deadline; null if there is no safe one yet. */
async function endNow<Outcome>(begun: Begun<Outcome>): Promise<End<Outcome> | null> {
  const transaction = await begun.attempt()
  // The caller has disconnected: the payment continues, for the next call.
  if (transaction !== null || begun.signal.aborted) return { type: 'pending', transaction }
  try {
    return (await begun.withdraw()) ? { type: 'withdrawn' } : null
  } catch (error) {
    // Its work item or payment is being changed concurrently.
    if (isContention(error)) return null
    throw error
  }
}

/** How long a decision is kept for requests that are about to wait for it, in ms. */
const REMEMBERED_MS = 10_000

export interface Wait {
  readonly paymentId: X402PaymentId
  /** Decisions since this time count, by performance.now(). */
  readonly since: number
  readonly ms: number
  readonly signal: AbortSignal
}

/** Resolves the waits of this process's calls when payments are decided; calls poll for missed decisions. */
export function openDecisions(database: Database, log: ListenLog) {
  const waits = new Map<string, Set<() => void>>()
  /** When payments were decided, the oldest first: a notification may precede its waiting call. */
  const decided = new Map<string, number>()

  function wake(paymentIds: readonly X402PaymentId[]): void {
    const now = performance.now()
    for (const [id, at] of decided) {
      if (now - at < REMEMBERED_MS) break
      decided.delete(id)
    }
    for (const id of paymentIds) {
      // Deleted first, so that it moves to the end of the map.
      decided.delete(id)
      decided.set(id, now)
      for (const end of [...(waits.get(id) ?? [])]) end()
    }
  }

  return {
    wait({ paymentId, since, ms, signal }: Wait): Promise<void> {
      const decidedAt = decided.get(paymentId)
      if (decidedAt !== undefined && decidedAt >= since) return Promise.resolve()
      return new Promise((resolve) => {
        const ofPayment = waits.get(paymentId) ?? new Set()
        waits.set(paymentId, ofPayment)
        const end = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          ofPayment.delete(end)
          if (ofPayment.size === 0 && waits.get(paymentId) === ofPayment) waits.delete(paymentId)
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal.addEventListener('abort', end)
        ofPayment.add(end)
      })
    },
    close: listenForDecided(database, { hear: wake, begin: () => {}, log }),
  }
}
