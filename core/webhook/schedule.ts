/** When a delivery is tried, and what an answer means. All times are by our own clock. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long each attempt waits after the one before it, in ms, give or take a tenth. */
export const PAUSES_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const JITTER = 0.1
/** An answer must be complete by then. */
export const ANSWER_LIMIT_MS = 15 * SECOND
/** Nothing but failures for so long disables an endpoint. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR
/** The longest wait that a receiver may request. */
const LONGEST_WAIT_MS = 24 * HOUR

/** How long a secret that was replaced still signs. */
export const OVERLAP_MS = 24 * HOUR

/** What came of one attempt, or why nothing did. */
export type DeliveryAnswer =
  | { readonly type: 'answered'; readonly status: number; readonly retryAfter: string | null }
  | { readonly type: 'failed'; readonly error: DeliveryFault }

/** Why there was no answer. */
export type DeliveryFault =
  | 'timeout'
  | 'unknown_host'
  | 'address_not_allowed'
  | 'https_required'
  | 'connection_refused'
  | 'tls_error'
  | 'connection_failed'

export type DeliveryVerdict =
  | { readonly type: 'succeeded' }
  | { readonly type: 'retry'; readonly at: Date; readonly error: string }
  /** The schedule has ended. */
  | { readonly type: 'failed'; readonly error: string }
  /** The receiver wants no more of these: the endpoint is to be disabled. */
  | { readonly type: 'gone'; readonly error: string }

/**
 * Decides what an attempt means. `step` counts it within the schedule, from 1; `random` is a number
 * from 0 to 1 that spreads the next attempt.
 */
export function deliveryVerdict(
  answer: DeliveryAnswer,
  step: number,
  now: Date,
  random: number,
): DeliveryVerdict {
  const error = failureOf(answer)
  if (error === null) return { type: 'succeeded' }
  if (answer.type === 'answered' && answer.status === 410) return { type: 'gone', error }
  const pause = PAUSES_MS[step]
  if (pause === undefined) return { type: 'failed', error }
  const own = pause * (1 + JITTER * (2 * random - 1))
  return {
    type: 'retry',
    at: new Date(now.getTime() + Math.max(own, requestedPauseMs(answer, now))),
    error,
  }
}

/** Why the attempt is a failure; null when it is none. */
function failureOf(answer: DeliveryAnswer): string | null {
  if (answer.type === 'failed') return answer.error
  const { status } = answer
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : `http_${status}`
}

/** The wait of Retry-After, in ms: RFC 9110, section 10.2.3; seconds, or a date. */
function requestedPauseMs(answer: DeliveryAnswer, now: Date): number {
  if (answer.type === 'failed' || answer.retryAfter === null) return 0
  if (answer.status !== 429 && answer.status !== 503) return 0
  const text = answer.retryAfter.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}
