import { encodeFunctionData } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { deadlineOf } from '../../core/x402/permitSigning.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import type { Authorization, Scheme } from '../../core/x402/terms.ts'
import { HUB_ABI } from '../hub/abi.ts'

/** The hub's calls that carry payments by Permit2 to the proxies of x402. */

/** A payment as its payer signed it, and what is to be paid of it. */
export interface PermitItem {
  readonly token: Address
  readonly authorization: Authorization
  /** In base units. */
  readonly amount: bigint
  /** Permit2's. */
  readonly nonce: bigint
  readonly signature: Hex
  /** The payer has code, which takes the signature as it is. */
  readonly isWallet: boolean
  /** The payer's approval of Permit2, in the hub's words; null for none. */
  readonly approval: Hex | null
}

/** The hub's call for payments of one scheme. Items don't affect each other; each gets so much gas. */
export function encodePermits(scheme: Scheme, items: readonly PermitItem[], itemGas: bigint): Hex {
  const functionName = scheme === 'upto' ? 'settleUpto' : 'settleExact'
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName,
    args: [items.map(paymentOf), itemGas],
  })
}

function paymentOf(item: PermitItem) {
  const { from, to, value, validAfter } = item.authorization
  return {
    token: item.token,
    from,
    to,
    permitted: value,
    amount: item.amount,
    nonce: item.nonce,
    deadline: deadlineOf(item.authorization),
    validAfter,
    signature: item.isWallet ? item.signature : signatureOfKey(item.signature),
    permit2612: item.approval ?? '0x',
  }
}

/** Permit2 wants v as 27 or 28. */
function signatureOfKey(signature: Hex): Hex {
  const parts = parseSignature(signature)
  return parts === null ? signature : `${parts.r}${parts.s.slice(2)}${parts.v.toString(16)}`
}
