import { BaseError, type PublicClient } from 'viem'
import { max } from '../../core/base/integers.ts'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainClient } from '../rpc/client.ts'
import { UnknownBlockError } from '../rpc/faults.ts'
import { atView, type View } from '../rpc/view.ts'
import { readHead, viewAt } from './blocks.ts'

/** Reading accounts: their nonces, native coin and code. Throws a fault of the node, isUnknownBlock among them. */

/** How many transactions an account had sent by the end of a block: its next account nonce. */
export async function accountNonce(
  client: PublicClient,
  address: Address,
  block: View | 'latest' | 'pending',
): Promise<bigint> {
  const at = typeof block === 'string' ? block : { blockHash: block.hash }
  const count = await client.request({ method: 'eth_getTransactionCount', params: [address, at] })
  return BigInt(count)
}

/**
 * The hash of the account's transaction with this nonce in a block; null when the block holds none.
 * Throws an UnknownBlockError when the node doesn't know the block.
 */
export async function transactionWithNonce(
  client: PublicClient,
  address: Address,
  nonce: bigint,
  blockHash: Hex,
): Promise<Hex | null> {
  const block = await client.request({ method: 'eth_getBlockByHash', params: [blockHash, true] })
  if (block === null) throw new UnknownBlockError(`the node has no block ${blockHash}`)
  for (const tx of block.transactions) {
    if (typeof tx === 'string') throw new BaseError('the node sent no transactions but hashes')
    const isIt = lowerCaseAddress(tx.from) === address && BigInt(tx.nonce) === nonce
    if (isIt) return hashFrom(tx.hash)
  }
  return null
}

/** The next account nonce if nothing of this account waits in the node's pool; else null. */
export async function quietNonce(client: PublicClient, address: Address): Promise<bigint | null> {
  const [latest, pending] = await Promise.all([
    accountNonce(client, address, 'latest'),
    accountNonce(client, address, 'pending'),
  ])
  return latest === pending ? latest : null
}

/**
 * The next account nonce when all nodes agree on it, nothing of this account waits in their pools, and
 * nothing was mined within the chain's confirmations; else null.
 */
export async function settledNonce(
  { each, chain }: ChainClient,
  address: Address,
): Promise<bigint | null> {
  const found = await Promise.all(
    each.map(async (client) => {
      const head = await readHead(client)
      const before = max(newestConfirmed(head.number, chain.confirmations + 1), 0n)
      const [nonce, nonceBefore] = await Promise.all([
        quietNonce(client, address),
        accountNonce(client, address, await viewAt(client, before)),
      ])
      return nonce === nonceBefore ? nonce : null
    }),
  )
  const [first = null] = found
  return found.every((nonce) => nonce === first) ? first : null
}

/** The native coin that each account had at the end of the view's block, in their order, in wei. */
export async function readNativeBalances(
  client: PublicClient,
  holders: readonly Address[],
  view: View,
): Promise<BaseUnits[]> {
  const balances = holders.map((address) => client.getBalance({ address, blockHash: view.hash }))
  return (await Promise.all(balances)).map(baseUnits)
}

/** True when there is a contract at this address after the view's block, by default the newest. */
export async function hasCode(
  client: PublicClient,
  address: Address,
  view?: View,
): Promise<boolean> {
  const code = await client.getCode({ address, ...atView(view) })
  return code !== undefined && code !== '0x'
}
