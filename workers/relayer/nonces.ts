import type { PublicClient } from 'viem'
import { accountNonce, transactionWithNonce } from '../../chain/blocks/accounts.ts'
import type { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { View } from '../../chain/rpc/view.ts'
import { max } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'

/** The transaction by which an account used one of its nonces. */
export interface NonceUse {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
}

/** How far back to search for the use of a nonce, in blocks. Each doubling takes two requests. */
const MAX_DEPTH = 32_768n

/**
 * Finds the transaction by which an account used a nonce that the view shows as used: searches the ancestors of the
 * view for the block in which the account's nonce passed it, then that block for the account's transaction. Null if
 * the chain's responses don't show it, which proves nothing.
 */
export async function findNonceUse(
  rpc: PublicClient,
  canonical: CanonicalBlocks,
  address: Address,
  nonce: bigint,
  view: View,
): Promise<NonceUse | null> {
  /** Null for a block that isn't known to be an ancestor of the view. */
  const isUsedAt = async (number: bigint): Promise<boolean | null> => {
    const hash = number === view.number ? view.hash : await canonical.hashAt(number)
    return hash === null ? null : (await accountNonce(rpc, address, { number, hash })) > nonce
  }
  let used = view.number
  let unused = view.number
  for (let step = 1n; unused === used; step *= 2n) {
    const number = max(view.number - step, 0n)
    const isUsed = await isUsedAt(number)
    if (isUsed === null) return null
    if (!isUsed) unused = number
    else if (number === 0n || step >= MAX_DEPTH) return null
    else [used, unused] = [number, number]
  }
  while (used - unused > 1n) {
    const middle: bigint = (used + unused) / 2n
    const isUsed = await isUsedAt(middle)
    if (isUsed === null) return null
    if (isUsed) used = middle
    else unused = middle
  }
  const blockHash = used === view.number ? view.hash : await canonical.hashAt(used)
  if (blockHash === null) return null
  const hash = await transactionWithNonce(rpc, address, nonce, blockHash)
  return hash === null ? null : { hash, block: used, blockHash }
}
