import type { PublicClient } from 'viem'
import { UnknownBlockError } from '../rpc/faults.ts'
import { heightsOf } from '../rpc/heights.ts'

/** Questions about a node's newest state, where a pool's nodes differ in what is newest. */

/** How often a call is repeated for an answer that is not older than the ones before, and the pause, in ms. */
const TRIES = 8
const PAUSE_MS = 60

/**
 * Queries the newest state until the answer is of a block at least as high as any that views of the
 * chain have shown, a few times at most: data that a lagging node lacks would otherwise seem absent. Throws an
 * UnknownBlockError when only older views answer. `blockOf` returns the block of an answer; null when unknown.
 */
export async function queryNewest<T>(
  client: PublicClient,
  query: () => Promise<T>,
  blockOf: (answer: T) => bigint | null,
): Promise<T> {
  const heights = heightsOf(client)
  for (let left = TRIES; left > 0; left -= 1) {
    const answer = await query()
    // Before anything else is awaited, it is known whose answer this is.
    const view = heights.servedBy ?? client
    const block = blockOf(answer)
    if (block === null) return answer
    if (!heights.isBehind(block)) {
      heights.note(view, block)
      return answer
    }
    heights.noteBehind(view)
    if (left > 1) await Bun.sleep(PAUSE_MS)
  }
  throw new UnknownBlockError('the node is behind a block that was shown before')
}
