import { BaseError, type PublicClient, type Transaction } from 'viem'
import { type Hex, hashFrom } from '../../core/chain/evm.ts'

/** What a node knows of a transaction by its hash alone. */
export type TransactionStage =
  /** It has never heard of it. */
  | 'unknown'
  /** It knows it, and no block holds it. */
  | 'not_mined'
  | 'mined'

/** Reads a transaction from a node, in one request. */
export async function stageOfTransaction(
  client: PublicClient,
  hash: Hex,
): Promise<TransactionStage> {
  const found = await findTransaction(client, hash)
  if (found === null) return 'unknown'
  return found.blockNumber === null ? 'not_mined' : 'mined'
}

/**
 * The transaction as the node has it, or null when it has never heard of it. Throws when its answer is not about
 * this transaction: that would pass for one that is in no block.
 */
export async function findTransaction(
  client: PublicClient,
  hash: Hex,
): Promise<Transaction | null> {
  try {
    const found = await client.getTransaction({ hash })
    if (found.hash !== hash) throw new BaseError('the node has answered of another transaction')
    return found
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionNotFoundError') return null
    throw error
  }
}

/** The hash of the block that holds this transaction, or null when none does. */
export async function blockOfTransaction(client: PublicClient, hash: Hex): Promise<Hex | null> {
  const blockHash = (await findTransaction(client, hash))?.blockHash ?? null
  return blockHash === null ? null : hashFrom(blockHash)
}
