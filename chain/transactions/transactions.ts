import type { PublicClient } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'

/** What a node knows of a transaction by its hash alone. */
export type TransactionStage =
  /** It has never heard of it. */
  | 'unknown'
  /** It knows it, and no block holds it. */
  | 'not_mined'
  | 'mined'

/** Asks a node about a transaction, in one request. */
export async function stageOfTransaction(
  client: PublicClient,
  hash: Hex,
): Promise<TransactionStage> {
  try {
    const { blockNumber } = await client.getTransaction({ hash })
    return blockNumber === null ? 'not_mined' : 'mined'
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionNotFoundError') return 'unknown'
    throw error
  }
}
