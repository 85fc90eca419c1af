import type { PublicClient } from 'viem'
import { type Address, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import {
  type ChannelConfig,
  claimsDigest,
  type Voucher,
  type VoucherClaim,
  voucherDigest,
} from '../../core/channels/channel.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import { isAgreedByWallet } from '../blocks/wallet.ts'
import { recoverSigner } from '../x402/signer.ts'

/** Who has signed what of channels, as the contract would see it. */

/** r, s and v as 27 or 28: the contract takes no other form from a key. */
const KEYS_SIGNATURE = /^0x[0-9a-f]{128}(?:1b|1c)$/

/**
 * Whether a voucher is of the channel's payer: by the key of its authorizer, or, where it names none, by the
 * payer's own key or wallet (ERC-1271). Throws a fault of the node, which is called for wallets only.
 */
export async function isVoucherSigned(
  rpc: PublicClient,
  chainId: number,
  { payer, payerAuthorizer }: ChannelConfig,
  voucher: Voucher,
): Promise<boolean> {
  const digest = voucherDigest(chainId, voucher)
  if (payerAuthorizer !== ZERO_ADDRESS) return isByKey(payerAuthorizer, digest, voucher.signature)
  return isByKeyOrWallet(rpc, payer, digest, voucher.signature)
}

/** Whether the receiver's authorizer has signed these claims. Throws a fault of the node. */
export function areClaimsSigned(
  rpc: PublicClient,
  chainId: number,
  authorizer: Address,
  claims: readonly Pick<VoucherClaim, 'channelId' | 'maxClaimable' | 'totalClaimed'>[],
  signature: Hex,
): Promise<boolean> {
  return isByKeyOrWallet(rpc, authorizer, claimsDigest(chainId, claims), signature)
}

async function isByKeyOrWallet(
  rpc: PublicClient,
  signer: Address,
  digest: Uint8Array,
  signature: Hex,
): Promise<boolean> {
  if (isByKey(signer, digest, signature)) return true
  return isAgreedByWallet(rpc, signer, `0x${digest.toHex()}`, signature)
}

function isByKey(signer: Address, digest: Uint8Array, signature: Hex): boolean {
  if (!KEYS_SIGNATURE.test(signature)) return false
  const parsed = parseSignature(signature)
  return parsed !== null && recoverSigner(digest, parsed) === signer
}
