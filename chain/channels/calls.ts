import {
  BaseError,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  toFunctionSelector,
} from 'viem'
import { type Address, type Hex, lowerCaseAddress, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { CHANNELS, DEPOSIT_COLLECTOR, type VoucherClaim } from '../../core/channels/channel.ts'
import type { ChannelAction, ChannelTerms, ClaimRequest } from '../../core/channels/requests.ts'
import { unwrapErc6492 } from '../../core/x402/signature.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import { CHANNELS_ABI, MULTICALL_ABI } from './abi.ts'

/** Calls to the contract of x402's channels. Anyone may send each of them: they carry signatures. */

const COLLECTED = [
  { type: 'uint256' },
  { type: 'uint256' },
  { type: 'uint256' },
  { type: 'bytes' },
] as const

/** The call that carries an action out. */
export function encodeChannelAction(
  action: ChannelAction,
  { payTo, asset }: Pick<ChannelTerms, 'payTo' | 'asset'>,
): Hex {
  switch (action.type) {
    case 'deposit': {
      const { config, deposit } = action
      const { validAfter, validBefore, salt, signature } = deposit
      const data = encodeAbiParameters(COLLECTED, [
        validAfter,
        validBefore,
        BigInt(salt),
        // The token knows no wrapping.
        unwrapErc6492(signature)?.signature ?? signature,
      ])
      return encodeFunctionData({
        abi: CHANNELS_ABI,
        functionName: 'deposit',
        args: [config, deposit.amount, DEPOSIT_COLLECTOR, data],
      })
    }
    case 'claim':
      return encodeClaim(action)
    case 'settle':
      return encodeFunctionData({ abi: CHANNELS_ABI, functionName: 'settle', args: [payTo, asset] })
    case 'refund': {
      const { config, amount, refundNonce, refundSignature, claim } = action
      const refund = encodeFunctionData({
        abi: CHANNELS_ABI,
        functionName: 'refundWithSignature',
        args: [config, amount, refundNonce, refundSignature],
      })
      if (claim === null) return refund
      const calls = [encodeClaim(claim), refund]
      return encodeFunctionData({ abi: CHANNELS_ABI, functionName: 'multicall', args: [calls] })
    }
    default:
      return action satisfies never
  }
}

function encodeClaim({ claims, authorizerSignature }: ClaimRequest): Hex {
  return encodeFunctionData({
    abi: CHANNELS_ABI,
    functionName: 'claimWithSignature',
    args: [claims.map(claimStruct), authorizerSignature],
  })
}

/** Calls to the channels that don't stop each other, for Multicall3. */
export function encodeTogether(calls: readonly Hex[]): Hex {
  return encodeAll(calls.map((callData) => ({ target: CHANNELS, allowFailure: true, callData })))
}

/**
 * A deposit of a wallet that doesn't exist yet, for Multicall3: its creation, which may fail because another
 * transaction was faster, and then the call to the channels, which may not.
 */
export function encodeAfterCreation(deployment: Deployment, callData: Hex): Hex {
  return encodeAll([creationOf(deployment), { target: CHANNELS, allowFailure: false, callData }])
}

/**
 * The factory that such a call has create a wallet; null for a call to the channels alone. Calls of Multicall3 to
 * anything else have the zero address, which is never listed.
 */
export function factoryIn(calldata: Hex): Address | null {
  if (!calldata.startsWith(AGGREGATE3)) return null
  try {
    const { args } = decodeFunctionData({ abi: MULTICALL_ABI, data: calldata })
    const [first, second, ...others] = args?.[0] ?? []
    const isDeposit = second?.allowFailure === false && second.target.toLowerCase() === CHANNELS
    if (first && isDeposit && others.length === 0) return lowerCaseAddress(first.target)
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
  }
  return ZERO_ADDRESS
}

const AGGREGATE3 = toFunctionSelector(getAbiItem({ abi: MULTICALL_ABI, name: 'aggregate3' }))

export function creationOf({ factory, data }: Deployment): Call {
  return { target: factory, allowFailure: true, callData: data }
}

export interface Call {
  readonly target: Address
  readonly allowFailure: boolean
  readonly callData: Hex
}

/** What Multicall3 is given to make several calls. */
export function encodeAll(calls: readonly Call[]): Hex {
  return encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'aggregate3', args: [calls] })
}

function claimStruct({ config, maxClaimable, signature, totalClaimed }: VoucherClaim) {
  const voucher = { channel: config, maxClaimableAmount: maxClaimable }
  return { voucher, signature, totalClaimed }
}
