import type { PublicClient } from 'viem'
import { accountNonce, transactionWithNonce } from '../../chain/blocks/accounts.ts'
import type { Head } from '../../chain/blocks/blocks.ts'
import type { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRefusal } from '../../chain/rpc/faults.ts'
import type { View } from '../../chain/rpc/view.ts'
import { max } from '../../core/base/integers.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { MinedAt } from '../../store/relayer/transactions.ts'

/**
 * Who used account nonces that the database has not assigned: ourselves, and the database has lost it, or
 * another sender with the same key. A transaction of ours calls a hub or a token, or cancels another by calling
 * nothing, so that one which calls anything else is another sender's.
 */
export type Verdict =
  /** Another sender's, all of them, up to but not including `next`. */
  | { readonly type: 'other'; readonly next: bigint; readonly hash: Hex }
  /** One of them may be ours: why. */
  | { readonly type: 'ours'; readonly why: string }
  /** They aren't mined, or not deep enough to decide. */
  | { readonly type: 'open' }

/** So many transactions of one key are examined, at some thirty requests each; beyond that an operator has to. */
const MOST_USES = 16n
/** How far back to search for the use of a nonce, in blocks. Each doubling takes two requests. */
const MAX_DEPTH = 32_768n

/**
 * What an account's nonces were used for, in the blocks that lead to the head, from the `first` that the database
 * has not assigned. `ours` are hubs and tokens.
 */
export async function verifyUse(
  { rpc, chain }: ChainClient,
  canonical: CanonicalBlocks,
  head: Head,
  address: Address,
  first: bigint,
  ours: ReadonlySet<Address>,
): Promise<Verdict> {
  const next = await accountNonce(rpc, address, head)
  if (next <= first) return { type: 'open' }
  if (next - first > MOST_USES) return { type: 'ours', why: `${next - first} transactions` }
  let found: Hex | null = null
  for (let nonce = first; nonce < next; nonce += 1n) {
    const use = await findNonceUse(rpc, canonical, address, nonce, head).catch((error: unknown) => {
      // Nodes refuse states of old blocks, which then prove nothing.
      if (isRefusal(error)) return null
      throw error
    })
    if (use === null) return { type: 'ours', why: `nothing shows what used nonce ${nonce}` }
    if (!hasConfirmations(use.block, head.number, chain.confirmations)) return { type: 'open' }
    const { to } = await rpc.getTransaction({ hash: use.hash })
    const called = to === null ? null : lowerCaseAddress(to)
    const isOurs = called !== null && (called === address || ours.has(called))
    if (isOurs) return { type: 'ours', why: `${use.hash} called ${called}` }
    found ??= use.hash
  }
  return found === null ? { type: 'open' } : { type: 'other', next, hash: found }
}

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
): Promise<Omit<MinedAt, 'outcome'> | null> {
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
