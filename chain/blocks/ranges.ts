import { min } from '../../core/base/integers.ts'

/** A stretch without a client's own limit is cut into these, which bounds what is held at a time. */
const BLOCKS_PER_PIECE = 10_000n

/**
 * Reads a stretch of blocks piece by piece, in order, both ends included. How narrow ranges of logs must be
 * for a node is the client's business (chain/rpc/logs.ts): pieces of its `logRange()` are read by one
 * request each where the node allows them.
 */
export async function* readInRanges<T>(
  fromBlock: bigint,
  toBlock: bigint,
  read: (from: bigint, to: bigint) => Promise<T>,
  blocksPerPiece: () => bigint = () => BLOCKS_PER_PIECE,
): AsyncGenerator<T> {
  for (let from = fromBlock; from <= toBlock; ) {
    const to = min(from + blocksPerPiece() - 1n, toBlock)
    yield await read(from, to)
    from = to + 1n
  }
}
