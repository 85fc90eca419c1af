import type { PublicClient } from 'viem'
import type { Hex } from '../core/chain/evm.ts'
import { type Header, headersBetween } from './blocks.ts'

/**
 * Which block is the chain's at a height, by one reader's own eyes. Headers are linked by their
 * parents down from the newest one, so that an answer holds for the whole way up to that head.
 */
export class CanonicalBlocks {
  private readonly blocks = new Map<bigint, Header>()
  private head: Header | null = null
  private lowest = 0n

  /** `depth` is how many blocks below the head a reorganisation is expected to reach at most. */
  constructor(
    private readonly client: PublicClient,
    private readonly depth: bigint,
  ) {}

  /** Takes a new head. Everything that isn't linked to it is forgotten and read again when needed. */
  async advance(head: Header): Promise<void> {
    if (this.head?.hash === head.hash) return
    const below = this.head
    this.head = head
    if (below === null || head.number > below.number + this.depth) return this.restart(head)
    this.forgetAbove(head.number)
    const from = below.number + 1n
    const gap = from < head.number ? await headersBetween(this.client, from, head.number - 1n) : []
    if (gap === null) return this.restart(head)
    const linked = this.link([...gap, head])
    if (!linked) this.restart(head)
    const floor = head.number - this.depth
    for (; this.lowest < floor; this.lowest += 1n) this.blocks.delete(this.lowest)
  }

  /**
   * The hash of the block at this height in the chain that ends in the head. Null when that can't be
   * said now: the height is above the head, or the node's answers don't fit together.
   */
  async hashAt(number: bigint): Promise<Hex | null> {
    const { head } = this
    if (head === null || number > head.number) return null
    const known = this.blocks.get(number)
    if (known) return known.hash
    if (number < head.number - this.depth) {
      // Too deep to be reorganised: one look is enough, if the head above it is no invention.
      if ((await this.hashAt(head.number - this.depth)) === null) return null
      const [old] = (await headersBetween(this.client, number, number)) ?? []
      return old?.hash ?? null
    }
    const lowest = this.blocks.get(this.lowest)
    if (lowest === undefined) return null
    const missing = await headersBetween(this.client, number, lowest.number - 1n)
    if (missing === null || this.blocks.get(lowest.number) !== lowest) return null
    if (!isLinked([...missing, lowest])) {
      this.restart(head)
      return null
    }
    for (const header of missing) this.blocks.set(header.number, header)
    if (number < this.lowest) this.lowest = number
    return this.blocks.get(number)?.hash ?? null
  }

  private restart(head: Header): void {
    this.blocks.clear()
    this.blocks.set(head.number, head)
    this.lowest = head.number
  }

  private forgetAbove(number: bigint): void {
    for (const known of this.blocks.keys()) if (known >= number) this.blocks.delete(known)
  }

  /** Adds headers on top; false when they don't stand on what is known. */
  private link(headers: readonly Header[]): boolean {
    const [first] = headers
    if (first === undefined) return true
    const parent = this.blocks.get(first.number - 1n)
    if (parent === undefined || !isLinked([parent, ...headers])) return false
    for (const header of headers) this.blocks.set(header.number, header)
    return true
  }
}

function isLinked(headers: readonly Header[]): boolean {
  return headers.every((header, i) => i === 0 || headers[i - 1]?.hash === header.parentHash)
}
