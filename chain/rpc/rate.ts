import type { Priority } from './calls.ts'

/** How many calls one URL may be sent within a second, and who goes first when they are scarce. */

/** Longer than the provider's second: requests sent evenly may be received closer together. */
const WINDOW_MS = 1_200
/** What each may use of the window, so that money need not wait until a scan's calls have left it. */
const SHARES: Readonly<Record<Priority, number>> = { money: 1, turn: 0.85, history: 0.6 }
/** After a refusal: this share of what was sent before. */
const AFTER_REFUSAL = 0.5
/**
 * Then so much more for each second, whichever counts for more. Others may share the limit, and a process
 * that had just begun to send when all were refused has learnt next to nothing: it must come back soon.
 */
const GROWTH = { factorPerSecond: 1.04, callsPerSecond: 3 }
const PAUSE_MS = { least: 100, usual: 1_000, most: 5_000 }

export class CallRate {
  private readonly sent: { readonly at: number; readonly calls: number }[] = []
  private pausedUntil = Number.NEGATIVE_INFINITY
  /** What was learnt, and when. */
  private learnt: { readonly perSecond: number; readonly at: number } | null = null

  /** `perSecond` is the configured limit; infinite without one. */
  constructor(private readonly perSecond: number) {}

  /** How many calls of this priority may be sent now. */
  allowance(priority: Priority, now: number): number {
    if (now < this.pausedUntil) return 0
    const limit = this.limit(now)
    if (limit === Number.POSITIVE_INFINITY) return limit
    const share = Math.max(1, Math.floor(limit * SHARES[priority]))
    return Math.max(0, share - this.recent(now))
  }

  take(calls: number, now: number): void {
    this.forgetOld(now)
    this.sent.push({ at: now, calls })
  }

  /** The node has answered 429: nothing is sent until the pause is over, and less afterwards. */
  refused(retryAfterMs: number | null, now: number): void {
    // What was under way together is refused together, and teaches once.
    if (!this.isPaused(now)) {
      const before = Math.min(this.limit(now), this.recent(now))
      this.learnt = { perSecond: Math.max(1, before * AFTER_REFUSAL), at: now }
    }
    const pause = Math.min(Math.max(retryAfterMs ?? PAUSE_MS.usual, PAUSE_MS.least), PAUSE_MS.most)
    this.pausedUntil = Math.max(this.pausedUntil, now + pause)
  }

  isPaused(now: number): boolean {
    return now < this.pausedUntil
  }

  /** How long until something may be sent again, in ms. */
  waitMs(now: number): number {
    if (now < this.pausedUntil) return this.pausedUntil - now
    const [oldest] = this.sent
    return oldest === undefined ? 1 : Math.max(1, oldest.at + WINDOW_MS - now)
  }

  private limit(now: number): number {
    if (this.learnt === null) return this.perSecond
    const seconds = (now - this.learnt.at) / 1_000
    const multiplied = this.learnt.perSecond * GROWTH.factorPerSecond ** seconds
    const added = this.learnt.perSecond + GROWTH.callsPerSecond * seconds
    return Math.min(this.perSecond, Math.max(multiplied, added))
  }

  private forgetOld(now: number): void {
    for (let first = this.sent[0]; first && first.at <= now - WINDOW_MS; first = this.sent[0]) {
      this.sent.shift()
    }
  }

  private recent(now: number): number {
    this.forgetOld(now)
    return this.sent.reduce((sum, { calls }) => sum + calls, 0)
  }
}
