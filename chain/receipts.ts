import type { Log, PublicClient } from 'viem'
import { newestConfirmed } from '../core/chain/depth.ts'
import { type Address, type Hex, hashFrom } from '../core/chain/evm.ts'
import { max } from '../core/integers.ts'
import type { Header } from './blocks.ts'
import type { ChainClient } from './client.ts'

/** Receipts and account nonces: the only things by which a transaction is said to have happened. */

export interface MinedReceipt {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly succeeded: boolean
  readonly logs: readonly Log[]
}

/** The receipts that this node has, by transaction hash. */
export async function receiptsOf(
  client: PublicClient,
  hashes: readonly Hex[],
): Promise<MinedReceipt[]> {
  const found = await Promise.all(hashes.map((hash) => receiptOf(client, hash)))
  return found.filter((receipt) => receipt !== null)
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<MinedReceipt | null> {
  try {
    const receipt = await client.getTransactionReceipt({ hash })
    return {
      hash,
      block: receipt.blockNumber,
      blockHash: hashFrom(receipt.blockHash),
      succeeded: receipt.status === 'success',
      logs: receipt.logs,
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return null
    throw error
  }
}

/** How many transactions each account has mined, at the node's newest block. */
export async function accountNonces(
  client: PublicClient,
  addresses: readonly Address[],
): Promise<Map<Address, bigint>> {
  const counts = await Promise.all(
    addresses.map((address) => client.getTransactionCount({ address, blockTag: 'latest' })),
  )
  return new Map(addresses.map((address, i) => [address, BigInt(counts[i] ?? 0)]))
}

/** The next account nonce if nothing of this account waits in the node's pool; else null. */
export async function quietNonce(client: PublicClient, address: Address): Promise<bigint | null> {
  const [latest, pending] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
  ])
  return latest === pending ? BigInt(latest) : null
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
      const blockNumber = max(newestConfirmed(head, chain.confirmations + 1), 0n)
      const [nonce, before] = await Promise.all([
        quietNonce(client, address),
        client.getTransactionCount({ address, blockNumber }),
      ])
      return nonce === BigInt(before) ? nonce : null
    }),
  )
  const [first = null] = found
  return found.every((nonce) => nonce === first) ? first : null
}

export interface Head extends Header {
  /** In wei. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
}

/** The newest block, with what a transaction for the next one must know. */
export async function readHead(client: PublicClient): Promise<Head> {
  const block = await client.getBlock({ blockTag: 'latest' })
  return {
    number: block.number,
    hash: hashFrom(block.hash),
    parentHash: hashFrom(block.parentHash),
    time: new Date(Number(block.timestamp) * 1000),
    baseFeePerGas: block.baseFeePerGas ?? 0n,
    gasLimit: block.gasLimit,
  }
}
