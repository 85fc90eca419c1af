import { hashTypedData, type PublicClient, recoverTypedDataAddress } from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import { type Address, anyCaseAddress, type Hex } from '../../core/chain/evm.ts'
import { isAgreedByWallet } from './wallet.ts'

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

/** Whether the contract wallet at the address agrees. Throws a fault of the node. */
export function isSignedByWallet(
  rpc: PublicClient,
  merchantId: MerchantId,
  address: Address,
  signature: Hex,
): Promise<boolean> {
  const hash = hashTypedData(ownAddressTypedData(merchantId, address))
  return isAgreedByWallet(rpc, address, hash, signature)
}
