import { rpcErrorIn } from '../../chain/rpc/faults.ts'
import { shortMessage } from '../../core/base/logging.ts'

/**
 * What can't be worked on. It is quarantined, tried again after a pause that grows, and stops nothing
 * else. That it is quarantined proves nothing: its money stays promised and its claims stay claimed.
 */

/** What loses against others so often in a row, and for so long (in ms), is quarantined like what fails. */
const LOSSES_MAX = 8
const LOSING_FOR_MS = 60_000

export interface Pauses {
  /** After the first failure, in ms; twice as long after each further one. */
  readonly firstMs: number
  readonly longestMs: number
}

/** Why something is quarantined, and until when. */
export interface Setback {
  readonly reason: string
  /** The class of the error, or its code where it has one. */
  readonly fault: string
  /** 0 while it has only lost against others. */
  readonly failures: number
  /** How often in a row it has lost against others. */
  readonly losses: number
  readonly pauseMs: number
  /** When the first of these failures was, and when it is tried again, in ms of the clock. */
  readonly since: number
  readonly until: number
}

/** What must be stored of a thing: a setback, or null when it has worked or is forgotten. */
export type Change = Setback | null

/** A stored setback. */
export interface StoredSetback {
  readonly reason: string
  readonly fault: string
  readonly failures: number
  readonly since: number
  readonly until: number
}

/** The things that failed in a row, by a key of their own. */
export class Quarantine<Key extends string> {
  private readonly setbacks = new Map<Key, Setback>()
  private readonly changed = new Map<Key, Change>()

  constructor(
    private readonly pauses: Pauses,
    private readonly clock: () => number = Date.now,
  ) {}

  /** True while it is not to be tried again. */
  has(key: Key): boolean {
    const setback = this.setbacks.get(key)
    return setback !== undefined && setback.until > this.clock()
  }

  /** True until it has succeeded again, also while it is retried. */
  isKnown(key: Key): boolean {
    return this.setbacks.has(key)
  }

  find(key: Key): Setback | undefined {
    return this.setbacks.get(key)
  }

  /** What is not to be tried again yet. */
  waiting(now: number = this.clock()): Key[] {
    return [...this.setbacks].filter(([, { until }]) => until > now).map(([key]) => key)
  }

  /** All that has failed and not worked since. */
  all(): ReadonlyMap<Key, Setback> {
    return new Map([...this.setbacks].filter(([, { failures }]) => failures > 0))
  }

  put(key: Key, error: unknown): Setback {
    const before = this.setbacks.get(key)
    const now = this.clock()
    const failures = (before?.failures ?? 0) + 1
    const { firstMs, longestMs } = this.pauses
    const pauseMs = Math.min(longestMs, firstMs * 2 ** (failures - 1))
    const since = before?.since ?? now
    const setback = { ...wordsOf(error), failures, losses: 0, pauseMs, since, until: now + pauseMs }
    this.setbacks.set(key, setback)
    this.changed.set(key, setback)
    return setback
  }

  /**
   * Notes that it lost against others, or met a node that lags, and is tried again at the next turn. True
   * when that has lasted too long: it is quarantined then.
   */
  lose(key: Key, error: unknown): boolean {
    const before = this.setbacks.get(key)
    const now = this.clock()
    const losses = (before?.losses ?? 0) + 1
    const since = before?.since ?? now
    if (losses >= LOSSES_MAX && now - since >= LOSING_FOR_MS) {
      this.put(key, error)
      return true
    }
    const failures = before?.failures ?? 0
    this.setbacks.set(key, { ...wordsOf(error), failures, losses, pauseMs: 0, since, until: now })
    return false
  }

  /** Forgets what should have been tried again by then: it is no longer worked on. */
  forgetBefore(time: number): void {
    for (const [key, { until }] of this.setbacks) if (until < time) this.forget(key)
  }

  /** It works again, or is no longer worked on. */
  forget(key: Key): void {
    const before = this.setbacks.get(key)
    if (before === undefined) return
    this.setbacks.delete(key)
    if (before.failures > 0) this.changed.set(key, null)
  }

  /** What is not stored yet. */
  unstored(): ReadonlyMap<Key, Change> {
    return new Map(this.changed)
  }

  /** Notes that these changes are stored. */
  hasStored(changes: ReadonlyMap<Key, Change>): void {
    for (const [key, change] of changes) {
      if (this.changed.get(key) === change) this.changed.delete(key)
    }
  }

  /**
   * Takes over what is stored: what was released is tried at once, and what an earlier process has stored
   * waits on, if `isFirst`.
   */
  adopt(stored: ReadonlyMap<Key, StoredSetback>, isFirst: boolean): void {
    for (const [key, own] of this.setbacks) {
      if (own.failures === 0 || this.changed.has(key)) continue
      const row = stored.get(key)
      if (row === undefined) this.setbacks.delete(key)
      else if (row.until < own.until) this.setbacks.set(key, { ...own, until: row.until })
    }
    if (!isFirst) return
    for (const [key, row] of stored) {
      if (this.setbacks.has(key) || this.changed.has(key)) continue
      this.setbacks.set(key, { ...row, losses: 0, pauseMs: 0 })
    }
  }
}

/** The text of an error of any class, or of another thrown value. */
function wordsOf(error: unknown): { readonly reason: string; readonly fault: string } {
  // The node's message is more useful than viem's.
  const reason = shortMessage(rpcErrorIn(error)?.details ?? error)
  if (!(error instanceof Error)) return { reason, fault: typeof error }
  const fault = 'code' in error ? `${error.name} ${String(error.code)}` : error.name
  return { reason, fault: fault.slice(0, 80) }
}
