import { keccak256, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import type { DigestSignature } from './signer.ts'

/** Signs a transaction (EIP-1559, EIP-2718) by its digest; the result is what nodes take. */
export async function signTransaction(
  transaction: TransactionSerializableEIP1559,
  sign: (digest: Hex) => Promise<DigestSignature>,
): Promise<Hex> {
  const signature = await sign(keccak256(serializeTransaction(transaction)))
  return serializeTransaction(transaction, signature)
}
