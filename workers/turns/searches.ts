import type { ChainClient } from '../../chain/rpc/client.ts'
import { min } from '../../core/base/integers.ts'

/** Blocks per eth_getLogs at most; fewer for nodes that allow fewer. */
const BLOCKS_PER_SCAN = 2_000n
/** eth_getLogs calls per turn; a longer search continues in the next one. */
export const SCANS_PER_TURN = 20

export type Found<T> =
  | { readonly type: 'found'; readonly value: T }
  | { readonly type: 'nothing' }
  /** Only a part of the blocks was searched: it continues in the next turn. */
  | { readonly type: 'open' }

/**
 * Searches through blocks, all together with so many calls per turn, however few blocks the nodes take in one.
 * Progress is lost with the process; the next one starts over.
 */
export class Searches {
  /** The first block that a search has not read. */
  private readonly next = new Map<string, bigint>()
  private left = 0

  constructor(private readonly client: Pick<ChainClient, 'logRange'>) {}

  /** Lets a new turn make so many calls again. */
  beginTurn(): void {
    this.left = SCANS_PER_TURN
  }

  /** Searches on from where the last turn ended. `read` answers what it has found, or null. */
  async find<T>(
    key: string,
    fromBlock: bigint,
    toBlock: bigint,
    read: (from: bigint, to: bigint) => Promise<T | null>,
  ): Promise<Found<T>> {
    for (let from = this.next.get(key) ?? fromBlock; from <= toBlock; ) {
      if (this.left === 0) return { type: 'open' }
      this.left -= 1
      const to = min(from + min(BLOCKS_PER_SCAN, this.client.logRange()) - 1n, toBlock)
      const value = await read(from, to)
      if (value !== null) return { type: 'found', value }
      from = to + 1n
      this.next.set(key, from)
    }
    return { type: 'nothing' }
  }

  /** The next search for it starts over. */
  forget(key: string): void {
    this.next.delete(key)
  }
}
