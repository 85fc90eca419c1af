import {
  decodeFunctionData,
  encodeFunctionData,
  getAbiItem,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainGas } from '../../core/chain/gas.ts'
import {
  addressWord,
  bytesIn,
  bytesTail,
  bytesWord,
  integerWord,
  uuidToBytes16,
  uuidWord,
} from '../../core/chain/words.ts'
import { permitKey } from '../../core/x402/permitSigning.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'
import type { Authorization } from '../../core/x402/terms.ts'
import { HUB_ABI } from '../hub/abi.ts'

/** The calls that carry payers' EIP-3009 authorizations to a token and pay forwarders out. */

/** An authorization as the payer signed it; the hub takes its payee as it is. */
export interface SettleItem {
  readonly authorization: Authorization
  readonly signature: EcdsaSignature
}

/** The same of a payer with code: the signature has the form that its ERC-1271 check expects. */
export interface WalletSettleItem extends Omit<SettleItem, 'signature'> {
  readonly signature: Hex
}

/** A forwarder to pay out, and the registry version that the hub must have for its merchant. */
export interface DistributionCall {
  readonly merchantId: MerchantId
  readonly version: number
}

const SETTLE = toFunctionSelector(getAbiItem({ abi: HUB_ABI, name: 'settle' }))
/** transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32) */
const TRANSFER_WITH_PARTS = '0xe3ee160e'
/** transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes) */
const TRANSFER_WITH_BYTES = '0xcf092995'

/** The hub's call for plain accounts. Items don't affect each other; distributions follow them. */
export function encodeSettle(
  token: Address,
  items: readonly SettleItem[],
  distributions: readonly DistributionCall[],
  { authorization: itemGas, distribution: gas }: ChainGas,
): Hex {
  const carried = items.map(({ authorization, signature }) =>
    terms(authorization).concat(parts(signature)),
  )
  const paidOut = distributions.map(
    ({ merchantId, version }) => uuidWord(merchantId) + integerWord(version),
  )
  const itemsArray = integerWord(items.length) + carried.join('')
  const distributionsArray = integerWord(distributions.length) + paidOut.join('')
  const head = 7 * 32
  const words = [
    addressWord(token),
    integerWord(head),
    integerWord(itemGas),
    integerWord(head + bytesIn(itemsArray)),
    integerWord(gas.item),
    integerWord(gas.fee),
    integerWord(gas.reserve),
  ]
  return `${SETTLE}${words.join('')}${itemsArray}${distributionsArray}`
}

/**
 * The hub's call for contract wallets. Each item gets exactly what the chain's figures allow, however much its
 * wallet would like to burn.
 */
export function encodeSettleWallets(
  token: Address,
  items: readonly WalletSettleItem[],
  distributions: readonly DistributionCall[],
  { walletAuthorization, distribution }: ChainGas,
): Hex {
  const structs = items.map(({ authorization, signature }) => ({ ...authorization, signature }))
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'settleWallets',
    args: [token, structs, walletAuthorization, distributionStructs(distributions), distribution],
  })
}

/** The hub's call that splits forwarders' balances between treasuries and collector. */
export function encodeDistribute(
  token: Address,
  distributions: readonly DistributionCall[],
  { distribution }: ChainGas,
): Hex {
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'distribute',
    args: [token, distributionStructs(distributions), distribution],
  })
}

/** The hub's call that creates a merchant's forwarder, if it isn't there yet. */
export function encodeDeployForwarder(merchantId: MerchantId): Hex {
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'deployForwarder',
    args: [uuidToBytes16(merchantId)],
  })
}

/** The token's own call for one authorization, which is cheaper than a batch of one. EIP-3009. */
export function encodeAuthorization({
  authorization,
  signature,
}: {
  readonly authorization: Authorization
  readonly signature: EcdsaSignature | Hex
}): Hex {
  const signed = terms(authorization)
  if (typeof signature !== 'string') return `${TRANSFER_WITH_PARTS}${signed}${parts(signature)}`
  const offset = integerWord(bytesIn(signed) + 32)
  return `${TRANSFER_WITH_BYTES}${signed}${offset}${bytesTail(signature)}`
}

/** The six words of an authorization. */
function terms(authorization: Authorization): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const times = integerWord(validAfter) + integerWord(validBefore)
  return addressWord(from) + addressWord(to) + integerWord(value) + times + bytesWord(nonce)
}

function parts({ v, r, s }: EcdsaSignature): string {
  return integerWord(v) + bytesWord(r) + bytesWord(s)
}

function distributionStructs(distributions: readonly DistributionCall[]) {
  return distributions.map(({ merchantId, version }) => ({
    merchantId: uuidToBytes16(merchantId),
    version,
  }))
}

const TOKEN_CALLS = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const CALLS = [...HUB_ABI, ...TOKEN_CALLS] as const

export interface EncodedAuthorization {
  readonly token: Address
  readonly payer: Address
  readonly nonce: Hex
}

/** The authorizations in a stored call to the hub, or in one to the token itself. */
export function authorizationsIn(target: Address, calldata: Hex): EncodedAuthorization[] {
  const { functionName, args } = decodeFunctionData({ abi: CALLS, data: calldata })
  switch (functionName) {
    case 'settle':
    case 'settleWallets':
      return args[1].map(({ from, nonce }) => encodedAuthorization(args[0], from, nonce))
    case 'transferWithAuthorization':
      return [encodedAuthorization(target, args[0], args[5])]
    case 'settleUpto':
    case 'settleExact':
      return args[0].map(({ token, from, nonce }) =>
        encodedAuthorization(token, from, permitKey(nonce)),
      )
    default:
      return []
  }
}

function encodedAuthorization(token: Hex, payer: Hex, nonce: Hex): EncodedAuthorization {
  return {
    token: lowerCaseAddress(token),
    payer: lowerCaseAddress(payer),
    nonce: hashFrom(nonce.toLowerCase()),
  }
}
