import { isCallFault, isRpcFault, isUnknownBlock, rpcErrorIn } from '../chain/faults.ts'
import { shortMessage } from '../core/telemetry/logging.ts'
import { isContention, isDatabaseDown } from '../store/database.ts'

/**
 * Work on many things, each by itself. One that can't be worked on is put aside, tried again after a
 * pause that grows, and stops nothing else.
 */

export interface Pauses {
  /** After the first failure, in ms; twice as long after each further one. */
  readonly firstMs: number
  readonly longestMs: number
}

/** Why something is put aside, and until when. */
export interface Setback {
  readonly reason: string
  readonly failures: number
  readonly pauseMs: number
  /** When the first of these failures was, and when it is tried again, in ms of the clock. */
  readonly since: number
  readonly until: number
}

/** The things that failed in a row, by a key of their own. */
export class Aside<Key> {
  private readonly setbacks = new Map<Key, Setback>()

  constructor(
    private readonly pauses: Pauses,
    private readonly clock: () => number = Date.now,
  ) {}

  /** True while it is not to be tried again. */
  has(key: Key): boolean {
    const setback = this.setbacks.get(key)
    return setback !== undefined && setback.until > this.clock()
  }

  /** True until it has worked once more, also while it is tried again. */
  isKnown(key: Key): boolean {
    return this.setbacks.has(key)
  }

  /** What is not to be tried again yet. */
  waiting(now: number = this.clock()): Key[] {
    return [...this.setbacks].filter(([, { until }]) => until > now).map(([key]) => key)
  }

  /** All that has failed and not worked since. */
  all(): ReadonlyMap<Key, Setback> {
    return this.setbacks
  }

  put(key: Key, error: unknown): Setback {
    const before = this.setbacks.get(key)
    const now = this.clock()
    const failures = (before?.failures ?? 0) + 1
    const { firstMs, longestMs } = this.pauses
    const pauseMs = Math.min(longestMs, firstMs * 2 ** (failures - 1))
    const since = before?.since ?? now
    // What the node says is of more use than what viem makes of it.
    const reason = shortMessage(rpcErrorIn(error)?.details ?? error)
    const setback = { reason, failures, pauseMs, since, until: now + pauseMs }
    this.setbacks.set(key, setback)
    return setback
  }

  /** Forgets what should have been tried again by then: nobody works on it any more. */
  forgetBefore(time: number): void {
    for (const [key, { until }] of this.setbacks) if (until < time) this.setbacks.delete(key)
  }

  /** It works again, or is no longer worked on. */
  forget(key: Key): void {
    this.setbacks.delete(key)
  }
}

/**
 * True for a fault of what was being worked on, which others need not share. A node that is away or
 * busy and a database that is down concern everyone; what a node answers in words of its own is about
 * what it was asked, as is an answer that is too large or never comes while others do. Contention, and a block that a node doesn't know yet, are nobody's fault.
 */
export function isOwnFault(error: unknown): boolean {
  if (isDatabaseDown(error) || isPassing(error)) return false
  return !isRpcFault(error) || rpcErrorIn(error) !== null || isCallFault(error)
}

/** True for what need only be tried again: lost against others, or asked of a node that lags behind. */
export function isPassing(error: unknown): boolean {
  return isContention(error) || isUnknownBlock(error)
}
