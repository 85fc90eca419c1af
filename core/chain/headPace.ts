/**
 * When a chain's head is polled next. Nodes bill each poll, and blocks have a rhythm: a poll is due
 * when the next block is expected, a little earlier after each success, so that polls settle just
 * behind the blocks. That takes little more than one poll per block, an eighth of a block late on average.
 */
export class HeadPace {
  private misses = 0

  /** `blockTimeMs` is the chain's usual time between two blocks. */
  constructor(private readonly blockTimeMs: number) {}

  /** How long after the start of a poll the next one is due, in ms; by whether it found a new head. */
  after(hasFound: boolean): number {
    if (hasFound) {
      const wasExpected = this.misses === 0
      this.misses = 0
      return this.blockTimeMs * (wasExpected ? 1 - DRIFT : 1)
    }
    this.misses += 1
    return this.blockTimeMs * (PAUSES[this.misses - 1] ?? 1)
  }
}

/** By how much of a block the next poll is earlier after one that found the expected head. */
const DRIFT = 0.05
/** The pauses after polls that found nothing, in blocks: a block that is late may be very late. */
const PAUSES = [0.25, 0.25, 0.5, 0.5]

/**
 * How old an announced head may be, in ms, before a process polls on its own. An unchanged head is announced
 * again about once a second or block: an indexer that is silent for longer is busy or gone, and money waits
 * meanwhile.
 */
export function silentAfterMs(blockTimeMs: number): number {
  return Math.max(2_000, blockTimeMs + 1_000)
}
