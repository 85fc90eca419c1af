import type { ActiveChain } from '../../core/config/chains.ts'
import { isHeadCall, type RpcCall } from './calls.ts'
import { newestOf } from './heads.ts'
import type { Heights } from './heights.ts'
import type { Identities } from './identity.ts'
import type { RpcUrl } from './url.ts'

/** How often URLs that are down, behind or not needed are looked at, in ms. */
const LOOK_AGAIN_MS = 15_000
/** How long a failed URL is not used where heads are not polled, in ms. */
const BACK_AFTER_MS = 2_000

/** Which URLs of a chain have its newest blocks, by what they have shown, and whom to ask first. */
export class Freshness {
  /** When a URL was last found behind the others, and when it was last looked at. */
  private readonly lagging = new Map<RpcUrl, number>()
  private readonly lookedAt = new Map<RpcUrl, number>()

  constructor(
    private readonly chain: ActiveChain,
    private readonly urls: readonly RpcUrl[],
    private readonly identities: Identities,
    private readonly heights: Heights,
  ) {}

  /** The best first: those that answer, that are not behind and that want to be asked. */
  order(urls: readonly RpcUrl[]): RpcUrl[] {
    const rank = (url: RpcUrl) =>
      Number(url.isDown) * 4 + Number(this.isSuspect(url)) * 2 + Number(url.isPaused)
    return urls
      .filter((url) => this.identities.mayBeAsked(url))
      .toSorted((a, b) => rank(a) - rank(b))
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
    return newestOf(this.identities.askable, this.heights)
  }

  /** Compares heads after a new one was read, and looks at the other URLs where that may help. */
  learn(url: RpcUrl, urls: readonly RpcUrl[], call: RpcCall): void {
    const { head } = url
    if (isHeadCall(call) && head !== null) {
      const newest = this.newest ?? head.number
      if (head.number >= newest) this.lagging.delete(url)
      else if (urls.length > 1) this.noteLag(url)
      void this.identities.anchorBehind(url).catch(() => undefined)
      const standsFor = performance.now() - head.since
      if (standsFor > Math.max(3 * this.chain.blockTimeMs, 2_000)) {
        this.lookAtOthers(url, this.chain.blockTimeMs, () => true)
      }
    }
    // Also where heads are not polled: a URL that failed once would be tried last for ever.
    const until = performance.now() - (isHeadCall(call) ? 0 : BACK_AFTER_MS)
    this.lookAtOthers(url, LOOK_AGAIN_MS, (other) => {
      const laggedAt = this.lagging.get(other)
      const isBehind = laggedAt !== undefined && laggedAt <= until
      return isBehind || (other.isDown && other.failedAt <= until)
    })
  }

  /** Looks at other URLs than this one, at each once within so many ms. */
  private lookAtOthers(url: RpcUrl, pauseMs: number, isDue: (other: RpcUrl) => boolean): void {
    const now = performance.now()
    for (const other of this.urls) {
      const last = this.lookedAt.get(other) ?? Number.NEGATIVE_INFINITY
      if (other === url || !isDue(other) || now - last < pauseMs) continue
      this.lookedAt.set(other, now)
      void this.look(other)
    }
  }

  /** Asks a URL for its head, which may bring it back before the others. Never throws. */
  private async look(url: RpcUrl): Promise<void> {
    try {
      if ((await this.identities.ensure(url)).type !== 'right') return
      await url.ask({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    } catch {
      return
    }
    const newest = this.newest
    for (const one of this.urls) {
      const age = performance.now() - (one.head?.seenAt ?? Number.NEGATIVE_INFINITY)
      // What it showed long ago says nothing about where it is now.
      if (one.head === null || newest === null || age > LOOK_AGAIN_MS) continue
      if (one.head.number >= newest) this.lagging.delete(one)
      else if (one.head.number + 1n < newest) this.noteLag(one)
    }
  }
}
