import {
  encodeFunctionData,
  hashTypedData,
  type PublicClient,
  parseAbi,
  recoverTypedDataAddress,
  size,
} from 'viem'
import { type Address, anyCaseAddress, type Hex } from '../core/chain/evm.ts'
import type { MerchantId } from '../core/ids.ts'
import { rpcErrorIn } from './faults.ts'

/** What the holder of an address signs, so that a merchant may be paid there (EIP-712). */

/** The typed data as wallets show it. No chain is in it: a key has its address on all of them. */
export function ownAddressTypedData(merchantId: MerchantId, payTo: Address) {
  return {
    domain: { name: 'Remit', version: '1' },
    types: {
      OwnAddress: [
        { name: 'payTo', type: 'address' },
        { name: 'merchantId', type: 'string' },
      ],
    },
    primaryType: 'OwnAddress',
    message: { payTo, merchantId },
  } as const
}

/** Whether the key behind the address has signed. */
export async function isSignedByKey(
  merchantId: MerchantId,
  address: Address,
  signature: Hex,
): Promise<boolean> {
  const data = ownAddressTypedData(merchantId, address)
  // It throws for what is no signature.
  const signer = await recoverTypedDataAddress({ ...data, signature }).catch(() => null)
  return signer !== null && anyCaseAddress(signer) === address
}

const WALLET_ABI = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
/** What a wallet answers that agrees: the selector of the call (ERC-1271). */
const AGREED = '0x1626ba7e'
/** As much as a wallet gets for an authorization, and more than any real one needs. */
const WALLET_GAS = 1_000_000n

/** Whether the contract wallet at the address agrees. Throws a fault of the node. */
export async function isSignedByWallet(
  rpc: PublicClient,
  merchantId: MerchantId,
  address: Address,
  signature: Hex,
): Promise<boolean> {
  const hash = hashTypedData(ownAddressTypedData(merchantId, address))
  const data = encodeFunctionData({
    abi: WALLET_ABI,
    functionName: 'isValidSignature',
    args: [hash, signature],
  })
  try {
    const { data: answer } = await rpc.call({ to: address, data, gas: WALLET_GAS })
    return answer?.startsWith(AGREED) === true && size(answer) === 32
  } catch (error) {
    // It reverted, or used up its gas: that is an answer, and no fault of the node.
    if (rpcErrorIn(error) !== null) return false
    throw error
  }
}
