import { accountNonce } from '../../chain/blocks/accounts.ts'
import type { Head } from '../../chain/blocks/blocks.ts'
import type { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRefusal } from '../../chain/rpc/faults.ts'
import { hasConfirmations } from '../../core/chain/depth.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { findNonceUse } from './nonces.ts'

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

/**
 * What an account's nonces were used for, in the blocks that lead to the head, from the `first` that the database has not
 * assigned. `ours` are hubs and tokens.
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
