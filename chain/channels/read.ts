import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  type PublicClient,
} from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { CHANNELS, type ChannelState, MULTICALL } from '../../core/channels/channel.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import { queryNewest } from '../blocks/newest.ts'
import { callAt } from '../rpc/callAt.ts'
import type { View } from '../rpc/view.ts'
import { blockNumberCall } from '../transactions/arbitrum.ts'
import { CHANNELS_ABI, MULTICALL_ABI } from './abi.ts'
import { type Call, creationOf, encodeAll } from './calls.ts'
import { explainChannelRevert } from './errors.ts'

/** The state of channels on chain, and the outcome of a call to them: one request to the node. */

/** Gas for a trial: more than any action takes, so that a wallet can't have the node work for long. */
const TRIAL_GAS = 16_000_000n

export interface ChannelQuery {
  readonly receiver: Address
  readonly token: Address
  /** The channel whose state is wanted; null for none. */
  readonly channelId: Hex | null
  /** Whose balance of the token is wanted. */
  readonly payer: Address
  /** What is tried; null for nothing. */
  readonly calldata: Hex | null
  /** The call that creates the payer's code before (ERC-6492), which may fail; absent for none. */
  readonly preparation?: Deployment | null
  /** When it is tried, in Unix seconds; without it, at the block's own time. */
  readonly time?: bigint
}

/** Amounts in base units. */
export interface ChannelFacts {
  /** The block after which this was so. */
  readonly block: bigint
  readonly channel: ChannelState
  readonly payerBalance: bigint
  /** All that was ever claimed for this receiver and token, and what of it has been paid out. */
  readonly claimed: bigint
  readonly settled: bigint
  /** Why the trial would fail, in words; null when it would not, or nothing was tried. */
  readonly refusal: string | null
  /** The same after the trial. */
  readonly after: { readonly channel: ChannelState; readonly claimed: bigint }
}

const NO_CHANNEL: ChannelState = {
  balance: 0n,
  totalClaimed: 0n,
  withdrawRequestedAt: 0,
  refundNonce: 0n,
}

/**
 * Reads, tries, and reads again: after the view's block, or without one at the newest block, which is never
 * below one that was seen a moment ago. Throws a fault of the node.
 */
export function readChannel(
  client: PublicClient,
  query: ChannelQuery,
  view?: View,
): Promise<ChannelFacts> {
  const read = () => readOnce(client, query, view)
  return view === undefined ? queryNewest(client, read, ({ block }) => block) : read()
}

async function readOnce(
  client: PublicClient,
  query: ChannelQuery,
  view: View | undefined,
): Promise<ChannelFacts> {
  const { receiver, token, channelId, payer, calldata, preparation = null, time } = query
  const reads = [own(receiversOf(receiver, token)), ...(channelId ? stateOf(channelId) : [])]
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer] })
  const number = encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'getBlockNumber' })
  const calls = [
    {
      allowFailure: false,
      ...(blockNumberCall(client) ?? { target: MULTICALL, callData: number }),
    },
    { target: token, allowFailure: false, callData: balance },
    ...reads,
    ...(preparation === null ? [] : [creationOf(preparation)]),
    ...(calldata === null ? [] : [{ ...own(calldata), allowFailure: true }, ...reads]),
  ]
  const call = { to: MULTICALL, data: encodeAll(calls), gas: numberToHex(TRIAL_GAS) }
  const data = await callAt(client, call, { view, time })
  const results = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: 'aggregate3', data })
  const bytes = (i: number): Hex => results[i]?.returnData ?? '0x'
  const readings = (from: number) => ({
    receiver: receiverIn(bytes(from)),
    channel: channelId ? stateIn([bytes(from + 1), bytes(from + 2), bytes(from + 3)]) : NO_CHANNEL,
  })
  const before = readings(2)
  const tried = 2 + reads.length + (preparation === null ? 0 : 1)
  const trial = results[tried]
  const after = trial === undefined ? before : readings(tried + 1)
  return {
    block: decodeFunctionResult({
      abi: MULTICALL_ABI,
      functionName: 'getBlockNumber',
      data: bytes(0),
    }),
    payerBalance: decodeFunctionResult({
      abi: erc20Abi,
      functionName: 'balanceOf',
      data: bytes(1),
    }),
    channel: before.channel,
    claimed: before.receiver.claimed,
    settled: before.receiver.settled,
    refusal: trial === undefined || trial.success ? null : explainChannelRevert(trial.returnData),
    after: { channel: after.channel, claimed: after.receiver.claimed },
  }
}

function own(callData: Hex): Call {
  return { target: CHANNELS, allowFailure: false, callData }
}

function receiversOf(receiver: Address, token: Address): Hex {
  const args = [receiver, token] as const
  return encodeFunctionData({ abi: CHANNELS_ABI, functionName: 'receivers', args })
}

function stateOf(channelId: Hex): Call[] {
  const of = { abi: CHANNELS_ABI, args: [channelId] } as const
  return [
    own(encodeFunctionData({ ...of, functionName: 'channels' })),
    own(encodeFunctionData({ ...of, functionName: 'pendingWithdrawals' })),
    own(encodeFunctionData({ ...of, functionName: 'refundNonce' })),
  ]
}

function receiverIn(data: Hex) {
  const [claimed, settled] = decodeFunctionResult({
    abi: CHANNELS_ABI,
    functionName: 'receivers',
    data,
  })
  return { claimed, settled }
}

function stateIn([amounts, withdrawal, nonce]: readonly [Hex, Hex, Hex]): ChannelState {
  const abi = CHANNELS_ABI
  const [balance, totalClaimed] = decodeFunctionResult({
    abi,
    functionName: 'channels',
    data: amounts,
  })
  const [, withdrawRequestedAt] = decodeFunctionResult({
    abi,
    functionName: 'pendingWithdrawals',
    data: withdrawal,
  })
  const refundNonce = decodeFunctionResult({ abi, functionName: 'refundNonce', data: nonce })
  return { balance, totalClaimed, withdrawRequestedAt, refundNonce }
}
