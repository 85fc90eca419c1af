import type { PublicClient } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import type { Hex } from '../../core/chain/evm.ts'

/**
 * How far a chain has come by what its views have shown, so that no answer from an older view counts as a no. A
 * height counts once a second view has reached it, or its header is linked to one that is known. Until then it
 * counts for answers close below it only: one view that names a far block holds up nothing.
 */

/** How far above an answer a height may be that nothing confirms, in blocks. */
export const NEAR_BLOCKS = 64n
/** What was not reached again for so long is forgotten, in ms. */
const REMEMBERED_MS = 10 * 60_000
/** What a view has shown within so many ms counts as its present height. */
const FRESH_MS = 60_000
/** For so long a view that was found behind is used last, in ms. */
const LATE_MS = 2_000
/** How many headers are remembered to link others to. */
const HEADERS_KEPT = 256

/** A header that a view has shown, as far as linking needs to know it. */
export interface Link {
  readonly hash: Hex
  readonly parentHash: Hex
}

interface Reached {
  readonly height: bigint
  /** When it was last reached. */
  readonly at: number
}

/** The highest block that a view has shown. */
interface Claim extends Reached {
  readonly hash: Hex | null
  /** Since when the view has been above all that is confirmed. */
  readonly since: number
  /** What it has shown last. */
  readonly latest: Reached
}

export class Heights {
  /** The view that has given the answer which is handed on now; null before the first. */
  servedBy: object | null = null
  private confirmed: Reached | null = null
  private readonly claims = new Map<object, Claim>()
  /** When views were last found behind. */
  private readonly late = new WeakMap<object, number>()
  /** Hashes of blocks whose height is confirmed. */
  private readonly headers = new Set<Hex>()

  /** `isSole` is true for a chain with one view: what it shows twice is confirmed. */
  constructor(
    private readonly isSole: boolean,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Notes that a view has shown a block of this height. */
  note(view: object, height: bigint, link: Link | null = null): void {
    this.forget()
    const now = this.clock()
    const before = this.claims.get(view)
    const isLinked = link !== null && this.headers.has(link.parentHash)
    const others = [...this.claims].filter(([other]) => other !== view || this.isSole)
    const second = others.reduce((most, [, claim]) => max(most, claim.height), -1n)
    this.confirm(isLinked ? height : min(height, second), now)
    const latest = { height, at: now }
    if (before !== undefined && height < before.height) this.claims.set(view, { ...before, latest })
    else {
      const isNew = before === undefined || this.isConfirmed(before.height)
      const since = isNew ? now : before.since
      this.claims.set(view, { height, at: now, hash: link?.hash ?? null, since, latest })
    }
    for (const { height: most, hash } of this.claims.values()) {
      if (hash !== null && this.isConfirmed(most)) this.learn(hash)
    }
  }

  /** True for an answer about this block when a newer one has been shown that counts. */
  isBehind(height: bigint): boolean {
    this.forget()
    if (this.confirmed !== null && height < this.confirmed.height) return true
    return [...this.claims.values()].some(
      (claim) => height < claim.height && this.counts(claim.height, height),
    )
  }

  /** True when a height counts for answers about a lower block. */
  counts(height: bigint, answer: bigint): boolean {
    return this.isConfirmed(height) || height - answer <= NEAR_BLOCKS
  }

  /** True for a view that names a block far above all that others show, which nothing confirms. */
  isAhead(view: object): boolean {
    this.forget()
    const latest = this.claims.get(view)?.latest
    if (latest === undefined || this.isConfirmed(latest.height)) return false
    const fresh = this.clock() - FRESH_MS
    const others = [...this.claims].flatMap(([other, claim]) =>
      other !== view && claim.latest.at >= fresh ? [claim.latest.height] : [],
    )
    return others.length > 0 && others.every((height) => latest.height - height > NEAR_BLOCKS)
  }

  /** Notes that a view has answered about an older block than one that counts: others are used first. */
  noteBehind(view: object): void {
    this.late.set(view, this.clock())
  }

  isLate(view: object): boolean {
    return this.clock() - (this.late.get(view) ?? Number.NEGATIVE_INFINITY) < LATE_MS
  }

  private isConfirmed(height: bigint): boolean {
    return this.confirmed !== null && height <= this.confirmed.height
  }

  private confirm(height: bigint, now: number): void {
    if (height < 0n || (this.confirmed !== null && height < this.confirmed.height)) return
    this.confirmed = { height, at: now }
  }

  private learn(hash: Hex): void {
    this.headers.delete(hash)
    this.headers.add(hash)
    const [oldest] = this.headers
    if (this.headers.size > HEADERS_KEPT && oldest !== undefined) this.headers.delete(oldest)
  }

  private forget(): void {
    const least = this.clock() - REMEMBERED_MS
    if (this.confirmed !== null && this.confirmed.at < least) this.confirmed = null
    for (const [view, claim] of this.claims) {
      const isDoubted = claim.since < least && !this.isConfirmed(claim.height)
      if (claim.at < least || isDoubted) this.claims.delete(view)
    }
  }
}

const heights = new WeakMap<PublicClient, Heights>()

/** The heights of a client's chain. */
export function heightsOf(client: PublicClient): Heights {
  const known = heights.get(client)
  if (known !== undefined) return known
  const own = new Heights(true)
  heights.set(client, own)
  return own
}

/** Has clients of one chain share what is known of its height. */
export function shareHeights(client: PublicClient, shared: Heights): void {
  heights.set(client, shared)
}
