import { numberToHex, type PublicClient } from 'viem'
import { newestConfirmed } from '../core/chain/depth.ts'
import type { Address } from '../core/chain/evm.ts'
import { max } from '../core/integers.ts'
import { type BaseUnits, baseUnits } from '../core/money.ts'
import type { ChainClient } from './client.ts'

/** Reading accounts: their nonces, native coin and code. */

/** How many transactions an account had sent by the end of a block: its next account nonce. */
export async function accountNonce(
  client: PublicClient,
  address: Address,
  block: bigint | 'latest' | 'pending',
): Promise<bigint> {
  const at = typeof block === 'bigint' ? numberToHex(block) : block
  const count = await client.request({ method: 'eth_getTransactionCount', params: [address, at] })
  return BigInt(count)
}

/** The next account nonce of each account, at the node's newest block. */
export async function accountNonces(
  client: PublicClient,
  addresses: readonly Address[],
): Promise<Map<Address, bigint>> {
  const nonces = addresses.map(
    async (address) => [address, await accountNonce(client, address, 'latest')] as const,
  )
  return new Map(await Promise.all(nonces))
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
      const head = await client.getBlockNumber()
      const block = max(newestConfirmed(head, chain.confirmations + 1), 0n)
      const [nonce, before] = await Promise.all([
        quietNonce(client, address),
        accountNonce(client, address, block),
      ])
      return nonce === before ? nonce : null
    }),
  )
  const [first = null] = found
  return found.every((nonce) => nonce === first) ? first : null
}

/** The native coin that each account had at the end of one block, in their order, in wei. */
export async function readNativeBalances(
  client: PublicClient,
  holders: readonly Address[],
  blockNumber: bigint,
): Promise<BaseUnits[]> {
  const balances = holders.map((address) => client.getBalance({ address, blockNumber }))
  return (await Promise.all(balances)).map(baseUnits)
}

/** True when there is a contract at this address at the end of the block, by default the newest. */
export async function hasCode(
  client: PublicClient,
  address: Address,
  blockNumber?: bigint,
): Promise<boolean> {
  const at = blockNumber === undefined ? {} : { blockNumber }
  const code = await client.getCode({ address, ...at })
  return code !== undefined && code !== '0x'
}
