import { max, min } from '../core/integers.ts'
import { isRefusal, isUnanswered } from './faults.ts'

const FIRST_RANGE = 10_000n
const LARGEST_RANGE = 100_000n

/**
 * Reads a stretch of blocks piece by piece, in order. Nodes limit ranges, results or time, each in
 * words of its own, so any refusal makes the next piece smaller, and success a little larger. Throws
 * the node's error when it refuses even a single block, or is silent twice in a row: once may be for
 * the size of the piece. What is no fault of the node's is thrown at once.
 */
export async function* readInRanges<T>(
  fromBlock: bigint,
  toBlock: bigint,
  read: (from: bigint, to: bigint) => Promise<T>,
  firstRange = FIRST_RANGE,
): AsyncGenerator<T> {
  let range = firstRange
  let from = fromBlock
  let isSilent = false
  while (from <= toBlock) {
    const to = min(from + range - 1n, toBlock)
    let result: T
    try {
      result = await read(from, to)
    } catch (error) {
      const wasSilent = isSilent
      isSilent = isUnanswered(error) && !isRefusal(error)
      if (from === to || (isSilent ? wasSilent : !isRefusal(error))) throw error
      range = max((to - from + 1n) / (isSilent ? 16n : 4n), 1n)
      continue
    }
    isSilent = false
    yield result
    from = to + 1n
    // Slowly, because every refusal costs a request.
    range = min(range + range / 8n + 1n, LARGEST_RANGE)
  }
}
