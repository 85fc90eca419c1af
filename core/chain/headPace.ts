/**
 * When a chain's head is polled next. Nodes bill each poll, and blocks have a rhythm: a poll is due
 * when the next block is expected, a little earlier after each success, so that polls settle just
 * behind the blocks. That takes about 1.2 polls per block, an eighth of a block late on average.
 *
 * The rhythm is observed: a chain that is faster than its usual block time (a local one, or after an upgrade)
 * is polled as often as its blocks come.
 */
export class HeadPace {
  private misses = 0
  private observedMs: number
  private last: { readonly number: bigint; readonly atMs: number } | null = null

  /** `usualMs` is the chain's usual time between two blocks; polls are never further apart. */
  constructor(private readonly usualMs: number) {
    this.observedMs = usualMs
  }

  /** The time between two blocks as observed, in ms; at most the usual. */
  get blockTimeMs(): number {
    return this.observedMs
  }

  /** Notes when a new head was first seen, by a poll or an announcement. */
  see(number: bigint, atMs: number): void {
    const { last } = this
    this.last = { number, atMs }
    if (last === null || number <= last.number) return
    const betweenMs = (atMs - last.atMs) / Number(number - last.number)
    const smoothMs = this.observedMs + WEIGHT * (betweenMs - this.observedMs)
    this.observedMs = Math.min(Math.max(smoothMs, LEAST_MS), this.usualMs)
  }

  /** How long after the start of a poll the next one is due, in ms; by whether it found a new head. */
  after(hasFound: boolean): number {
    if (hasFound) {
      const wasExpected = this.misses === 0
      this.misses = 0
      return this.observedMs * (wasExpected ? 1 - DRIFT : 1)
    }
    this.misses += 1
    const blocks = PAUSES[this.misses - 1] ?? 2 ** (this.misses - PAUSES.length - 1)
    return Math.min(this.observedMs * blocks, this.usualMs)
  }
}

/** By how much of a block the next poll is earlier after one that found the expected head. */
const DRIFT = 0.05
/**
 * The pauses after polls that found nothing, in blocks: a block that is late may be very late. Those that follow
 * double up to the usual block time.
 */
const PAUSES = [0.25, 0.25, 0.5, 0.5]
/** The weight of the newest interval in the observed block time. */
const WEIGHT = 0.25
/** No chain is polled more often for long, in ms. */
const LEAST_MS = 100

/**
 * How old an announced head may be, in ms, before a process polls on its own. An unchanged head is announced
 * again about once a second or block: an indexer that is silent for longer is busy or gone, and money waits
 * meanwhile.
 */
export function silentAfterMs(blockTimeMs: number): number {
  return Math.max(2_000, blockTimeMs + 1_000)
}
