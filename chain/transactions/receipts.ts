import type { Log, PublicClient, TransactionReceipt } from 'viem'
import { type Hex, hashFrom } from '../../core/chain/evm.ts'

/** Receipts: the only proof that a transaction has happened. */

export interface MinedReceipt {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly succeeded: boolean
  /** Of its limit; null when the receipt doesn't have it. */
  readonly gasUsed: bigint | null
  /** What its sender paid for it, in wei; null when the receipt doesn't have it. */
  readonly gasCost: bigint | null
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
        // Old nodes leave it out, despite the type.
        gasUsed: typeof receipt.gasUsed === 'bigint' ? receipt.gasUsed : null,
        gasCost: gasCostOf(receipt),
        logs,
      },
    ]
  })
}

/** Gas at its price, and on rollups of the OP stack what the publication on the chain below has cost besides. */
function gasCostOf(receipt: TransactionReceipt): bigint | null {
  const { gasUsed, effectiveGasPrice } = receipt
  // Nodes of chains without EIP-1559 leave the price out, despite the type.
  if (typeof gasUsed !== 'bigint' || typeof effectiveGasPrice !== 'bigint') return null
  const published = 'l1Fee' in receipt ? receipt.l1Fee : null
  const isQuantity = typeof published === 'string' && /^0x[0-9a-fA-F]+$/.test(published)
  const fee = isQuantity || typeof published === 'bigint' ? BigInt(published) : 0n
  return gasUsed * effectiveGasPrice + fee
}
