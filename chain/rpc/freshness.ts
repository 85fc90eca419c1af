import type { ActiveChain } from '../../core/config/chains.ts'
import { isHeadCall, type RpcCall } from './calls.ts'
import { newestOf } from './heads.ts'
import type { Heights } from './heights.ts'
import type { Identities } from './identity.ts'
import type { RpcUrl } from './url.ts'

/** How often URLs that are down, behind or not needed are polled, in ms. */
const POLL_OTHERS_MS = 15_000
/** How long a failed URL is not used where heads are not polled, in ms. */
const BACK_AFTER_MS = 2_000

/** Which URLs of a chain have its newest blocks, by what they have shown, and which to use first. */
export class Freshness {
  /** When a URL was last found behind the others, and when it was last polled. */
  private readonly lagging = new Map<RpcUrl, number>()
  private readonly polledAt = new Map<RpcUrl, number>()

  constructor(
    private readonly chain: ActiveChain,
    private readonly urls: readonly RpcUrl[],
    private readonly identities: Identities,
    private readonly heights: Heights,
  ) {}

  /** The best first: those that answer, that are not behind and that are not rate limited. */
  order(urls: readonly RpcUrl[]): RpcUrl[] {
    const rank = (url: RpcUrl) =>
      Number(url.isDown) * 4 + Number(this.isSuspect(url)) * 2 + Number(url.isPaused)
    return urls.filter((url) => this.identities.isUsable(url)).toSorted((a, b) => rank(a) - rank(b))
  }

  private isSuspect(url: RpcUrl): boolean {
    return this.lagging.has(url) || this.heights.isLate(url) || this.heights.isAhead(url)
  }

  /** Notes that a URL was found behind the others. */
  noteLag(url: RpcUrl): void {
    this.lagging.set(url, performance.now())
  }

  /** The highest block that a URL is known to have; null when none was requested. */
  get newest(): bigint | null {
    return newestOf(this.identities.usable, this.heights)
  }

  /** Compares heads after a new one was read, and polls the other URLs where that may help. */
  learn(url: RpcUrl, urls: readonly RpcUrl[], call: RpcCall): void {
    const { head } = url
    if (isHeadCall(call) && head !== null) {
      const newest = this.newest ?? head.number
      if (head.number >= newest) this.lagging.delete(url)
      else if (urls.length > 1) this.noteLag(url)
      void this.identities.anchorBehind(url).catch(() => undefined)
      const unchangedMs = performance.now() - head.since
      if (unchangedMs > Math.max(3 * this.chain.blockTimeMs, 2_000)) {
        this.pollOthers(url, this.chain.blockTimeMs, () => true)
      }
    }
    // Also where heads are not polled: a URL that failed once would be tried last forever.
    const until = performance.now() - (isHeadCall(call) ? 0 : BACK_AFTER_MS)
    this.pollOthers(url, POLL_OTHERS_MS, (other) => {
      const laggedAt = this.lagging.get(other)
      const isBehind = laggedAt !== undefined && laggedAt <= until
      return isBehind || (other.isDown && other.failedAt <= until)
    })
  }

  /** Polls other URLs than this one, each once within so many ms. */
  private pollOthers(url: RpcUrl, pauseMs: number, isDue: (other: RpcUrl) => boolean): void {
    const now = performance.now()
    for (const other of this.urls) {
      const last = this.polledAt.get(other) ?? Number.NEGATIVE_INFINITY
      if (other === url || !isDue(other) || now - last < pauseMs) continue
      this.polledAt.set(other, now)
      void this.poll(other)
    }
  }

  /** Reads the head of a URL, which may rank it before the others again. Never throws. */
  private async poll(url: RpcUrl): Promise<void> {
    try {
      if ((await this.identities.ensure(url)).type !== 'right') return
      await url.send({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    } catch {
      return
    }
    const newest = this.newest
    for (const one of this.urls) {
      const age = performance.now() - (one.head?.seenAt ?? Number.NEGATIVE_INFINITY)
      // What it showed long ago says nothing about its present head.
      if (one.head === null || newest === null || age > POLL_OTHERS_MS) continue
      if (one.head.number >= newest) this.lagging.delete(one)
      else if (one.head.number + 1n < newest) this.noteLag(one)
    }
  }
}
