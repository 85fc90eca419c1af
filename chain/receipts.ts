import type { Log, PublicClient, TransactionReceipt } from 'viem'
import { type Hex, hashFrom } from '../core/chain/evm.ts'

/** Receipts: the only proof that a transaction has happened. */

export interface MinedReceipt {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly succeeded: boolean
  readonly logs: readonly Log[]
}

/** The node's receipt of a transaction, or null when it has none. */
export async function findReceipt(
  client: PublicClient,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return null
    throw error
  }
}

/** The receipts that this node has, in the order of the hashes. */
export async function receiptsOf(
  client: PublicClient,
  hashes: readonly Hex[],
): Promise<MinedReceipt[]> {
  const found = await Promise.all(hashes.map((hash) => findReceipt(client, hash)))
  return found.flatMap((receipt, i) => {
    const hash = hashes[i]
    if (receipt === null || hash === undefined) return []
    const { blockNumber: block, status, logs } = receipt
    return [
      {
        hash,
        block,
        blockHash: hashFrom(receipt.blockHash),
        succeeded: status === 'success',
        logs,
      },
    ]
  })
}

/** The hash of the block that holds this transaction successfully, or null when none does. */
export async function blockOfTransaction(client: PublicClient, hash: Hex): Promise<Hex | null> {
  const [receipt] = await receiptsOf(client, [hash])
  return receipt?.succeeded ? receipt.blockHash : null
}
