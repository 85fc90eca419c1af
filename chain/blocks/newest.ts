import type { PublicClient } from 'viem'

/** Questions about a node's newest state, where a pool's nodes differ in what is newest. */

/** How often a question is asked for an answer that is not older than the ones before. */
const TRIES = 8
/** What was seen longer ago, in ms, says nothing any more: heads may fall in a reorganisation. */
const REMEMBERED_MS = 30_000

interface Seen {
  readonly block: bigint
  readonly at: number
}

const newest = new WeakMap<PublicClient, Seen>()

/**
 * Asks about the newest state until the answer comes from a block at least as high as any that this
 * client has shown of late, a few times at most. What a node that is behind lacks would otherwise look
 * as if it were not so. `blockOf` says which block an answer is about; null when that can't be told.
 */
export async function askNewest<T>(
  client: PublicClient,
  ask: () => Promise<T>,
  blockOf: (answer: T) => bigint | null,
): Promise<T> {
  let best: { readonly answer: T; readonly block: bigint } | null = null
  for (let left = TRIES; ; left -= 1) {
    const answer = await ask()
    const block = blockOf(answer)
    if (block === null) return answer
    if (best === null || block > best.block) best = { answer, block }
    const now = performance.now()
    const seen = newest.get(client)
    const isKnown = seen !== undefined && now - seen.at < REMEMBERED_MS
    if (!isKnown || block >= seen.block) {
      newest.set(client, { block, at: now })
      return answer
    }
    if (left === 1) return best.answer
  }
}
