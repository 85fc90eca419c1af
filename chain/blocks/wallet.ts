import { encodeFunctionData, type PublicClient, parseAbi, size } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { isRateLimited, rpcErrorIn } from '../rpc/faults.ts'

/** Signature verification of contract wallets: ERC-1271. */

const WALLET_ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
/** What a wallet answers that agrees: the selector of the call. */
const AGREED = '0x1626ba7e'
/** As much as a wallet gets for an authorization, and more than any real one needs. */
const WALLET_GAS = 1_000_000n

/** Whether the contract wallet at the address agrees. Throws a fault of the node. */
export async function isAgreedByWallet(
  rpc: PublicClient,
  address: Address,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const args = [hash, signature] as const
  const data = encodeFunctionData({ abi: WALLET_ABI, functionName: 'isValidSignature', args })
  try {
    const { data: answer } = await rpc.call({ to: address, data, gas: WALLET_GAS })
    return answer?.startsWith(AGREED) === true && size(answer) === 32
  } catch (error) {
    // It reverted, or used up its gas: that is an answer, and no fault of the node.
    if (rpcErrorIn(error) !== null && !isRateLimited(error)) return false
    throw error
  }
}
