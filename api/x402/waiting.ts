import type { Hex } from '../../core/chain/evm.ts'
import { isContention } from '../../store/database/database.ts'

/**
 * How settle waits for what it has claimed, be it a payment or an action of channels. Stock servers repeat a
 * settle that is pending only where the answer names a transaction; without one they have the payer sign again,
 * who then pays twice. So what is pending has a hash, and what has none by the deadline is withdrawn.
 */

/** What was begun, as this call of settle waits for it. */
export interface Begun<Outcome> {
  readonly signal: AbortSignal
  /** By performance.now(), as all that follows: when the caller wants an answer. */
  readonly deadline: number
  /** Since when a decision counts. */
  readonly since: number
  /** Whether it may be decided already. */
  readonly readsFirst: boolean
  read(): Promise<Outcome | 'pending' | 'withdrawn'>
  /** Resolves once it is decided after `since`, or after so many ms, or when the caller has hung up. */
  wait(since: number, ms: number): Promise<void>
  /** The hash of the newest transaction that is stored for it; null while there is none. */
  attempt(): Promise<Hex | null>
  /** Withdraws it if nothing was ever signed for it and it has waited for long enough. */
  withdraw(): Promise<boolean>
}

export type End<Outcome> =
  | { readonly type: 'decided'; readonly outcome: Outcome }
  /** The hash is null for a caller alone who has hung up. */
  | { readonly type: 'pending'; readonly transaction: Hex | null }
  /** Nothing was signed for it, and nothing will be. */
  | { readonly type: 'withdrawn' }

export const NOTHING_BEGUN = 'it could not be carried out in time; nothing was begun, try again'

/** How often the outcome is read while no notification comes, in ms. */
const LOOK_EVERY_MS = 2_000
/** How often a hash is looked for that is missing at the deadline, in ms. */
const LATE_LOOK_EVERY_MS = 500

/**
 * Waits until it is decided or the deadline passes; longer only for a hash, or for the moment from which it
 * may be withdrawn, which comes ten seconds after it was claimed at the latest.
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
    await begun.wait(since, left <= 0 ? LATE_LOOK_EVERY_MS : Math.min(left, LOOK_EVERY_MS))
  }
}

/** What a caller is told who waits no longer; null when there is nothing yet that is safe to tell. */
async function endNow<Outcome>(begun: Begun<Outcome>): Promise<End<Outcome> | null> {
  const transaction = await begun.attempt()
  // A caller that has hung up hears no answer: it continues, for the next call.
  if (transaction !== null || begun.signal.aborted) return { type: 'pending', transaction }
  try {
    return (await begun.withdraw()) ? { type: 'withdrawn' } : null
  } catch (error) {
    // Its item or its payment is being changed by others.
    if (isContention(error)) return null
    throw error
  }
}
