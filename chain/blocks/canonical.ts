import type { PublicClient } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { type Header, headerAt, headersBetween } from './blocks.ts'

/** Following a chain's head: headers are linked by their parents, so that a reorganisation shows. */

/** What a reader knows of a chain already. */
export interface KnownBlocks {
  /** The highest block. */
  readonly head: bigint
  hashAt(number: bigint): Hex | null | Promise<Hex | null>
  /** A header that need not be read again; null for any other. */
  headerOf?(hash: Hex): Header | null
}

/**
 * The headers that lead from the known blocks up to a new head, from the first one that is unknown or
 * that another one replaces, but none below `floor`. Each is the parent of the next, and the
 * first one's parent is known, unless it is at the floor. Null when the node's answers don't fit
 * together, because it changed its mind meanwhile.
 */
export async function newHeaders(
  client: PublicClient,
  head: Header,
  known: KnownBlocks,
  floor: bigint,
): Promise<Header[] | null> {
  const lowest = max(known.head + 1n, floor)
  const read = headersKnown(known, lowest, head)
  const first = read[0] ?? head
  const below = first.number > lowest ? await headersUpTo(client, lowest, first) : [first]
  if (below === null) return null
  const headers = [...below, ...read.slice(1)]
  for (;;) {
    const [first] = headers
    if (first === undefined || first.number <= floor) return headers
    if ((await known.hashAt(first.number - 1n)) === first.parentHash) return headers
    const below = await headerAt(client, first.number - 1n)
    if (below?.hash !== first.parentHash) return null
    headers.unshift(below)
  }
}

/** The headers that are known without a gap, from this height or above it up to the given one. */
function headersKnown({ headerOf }: KnownBlocks, from: bigint, top: Header): Header[] {
  const headers = [top]
  for (let [first = top] = headers; first.number > from; ) {
    const below = headerOf?.(first.parentHash) ?? null
    if (below === null) break
    headers.unshift(below)
    first = below
  }
  return headers
}

/** The headers from this height up to the given one, or null when they aren't linked. */
async function headersUpTo(
  client: PublicClient,
  from: bigint,
  top: Header,
): Promise<Header[] | null> {
  const below = from < top.number ? await headersBetween(client, from, top.number - 1n) : []
  if (below === null) return null
  const headers = [...below, top]
  const areLinked = headers.every((header, i) => {
    return i === 0 || headers[i - 1]?.hash === header.parentHash
  })
  return areLinked ? headers : null
}

/**
 * Which block is canonical at a height, as one reader sees the chain. Blocks are linked down from the
 * head, so that an answer holds for the whole way up to it.
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

  /**
   * Takes a new head. Blocks that it isn't linked to are forgotten, and read again when needed.
   * Throws when the node doesn't answer; then nothing has changed.
   */
  async advance(head: Header): Promise<void> {
    const known = this.head
    if (known?.hash === head.hash) return
    let floor = min(head.number, max(this.lowest, head.number - this.depth))
    let headers: Header[] | null = null
    if (known !== null && head.number <= known.number + this.depth) {
      const hashAt = (number: bigint) => this.blocks.get(number)?.hash ?? null
      headers = await newHeaders(this.client, head, { head: known.number, hashAt }, floor)
    }
    if (headers === null) {
      headers = [head]
      floor = head.number
    }
    const first = headers[0]?.number ?? head.number
    for (const number of this.blocks.keys()) {
      if (number < floor || number >= first) this.blocks.delete(number)
    }
    for (const header of headers) this.blocks.set(header.number, header)
    this.lowest = floor
    this.head = head
  }

  /**
   * The hash of the block at this height in the chain that ends in the head. Null when that can't be
   * decided now: the height is above the head, or the node's answers are inconsistent.
   */
  async hashAt(number: bigint): Promise<Hex | null> {
    const { head } = this
    if (head === null || number > head.number) return null
    const known = this.blocks.get(number)
    if (known) return known.hash
    if (number < head.number - this.depth) {
      // Too deep to be reorganised: one read is enough, if the head above it is real.
      if ((await this.hashAt(head.number - this.depth)) === null) return null
      return (await headerAt(this.client, number))?.hash ?? null
    }
    const lowest = this.blocks.get(this.lowest)
    if (lowest === undefined) return null
    const headers = await headersUpTo(this.client, number, lowest)
    if (headers === null || this.blocks.get(lowest.number) !== lowest) return null
    for (const header of headers) this.blocks.set(header.number, header)
    this.lowest = min(this.lowest, number)
    return this.blocks.get(number)?.hash ?? null
  }
}
