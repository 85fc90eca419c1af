import { decodeFunctionResult, encodeFunctionData, numberToHex, type PublicClient } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { CHANNELS, MULTICALL } from '../../core/channels/channel.ts'
import { UnknownBlockError } from '../rpc/faults.ts'
import type { View } from '../rpc/view.ts'
import { blockNumberCall } from '../transactions/arbitrum.ts'
import { CHANNELS_ABI, MULTICALL_ABI } from './abi.ts'
import { encodeAll } from './calls.ts'

/** The state of many channels at one block: one request to the node. */

/** More than a hundred channels take. */
const READ_GAS = 16_000_000n

/** Amounts in base units. */
export interface ChannelAtBlock {
  readonly balance: bigint
  readonly totalClaimed: bigint
  /** What the payer has begun to withdraw, and when it began, in Unix seconds; null for nothing. */
  readonly withdrawal: { readonly amount: bigint; readonly begunAt: number } | null
}

/**
 * The channels with these ids, in their order, after the view's block. Throws a fault of the node, or an
 * UnknownBlockError where it has answered from another block, and never takes a missing answer for zero.
 */
export async function channelsAt(
  client: PublicClient,
  channelIds: readonly Hex[],
  view: View,
): Promise<ChannelAtBlock[]> {
  const number = encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'getBlockNumber' })
  const calls = [
    { ...(blockNumberCall(client) ?? { target: MULTICALL, callData: number }) },
    ...channelIds.flatMap(stateOf),
  ]
  const data = encodeAll(calls.map((call) => ({ ...call, allowFailure: false })))
  const call = { to: MULTICALL, data, gas: numberToHex(READ_GAS) }
  const answer = await client.request({
    method: 'eth_call',
    params: [call, { blockHash: view.hash }],
  })
  const results = decodeFunctionResult({
    abi: MULTICALL_ABI,
    functionName: 'aggregate3',
    data: answer,
  })
  const bytes = (i: number): Hex => results[i]?.returnData ?? '0x'
  const block = decodeFunctionResult({
    ...{ abi: MULTICALL_ABI, functionName: 'getBlockNumber', data: bytes(0) },
  })
  if (block !== view.number) {
    throw new UnknownBlockError(`requested block ${view.number}, the node answered for ${block}`)
  }
  return channelIds.map((_, i) => stateIn(bytes(1 + 2 * i), bytes(2 + 2 * i)))
}

function stateOf(channelId: Hex) {
  const of = { abi: CHANNELS_ABI, args: [channelId] } as const
  return [
    { target: CHANNELS, callData: encodeFunctionData({ ...of, functionName: 'channels' }) },
    {
      target: CHANNELS,
      callData: encodeFunctionData({ ...of, functionName: 'pendingWithdrawals' }),
    },
  ]
}

function stateIn(amounts: Hex, pending: Hex): ChannelAtBlock {
  const abi = CHANNELS_ABI
  const [balance, totalClaimed] = decodeFunctionResult({
    ...{ abi, functionName: 'channels', data: amounts },
  })
  const [amount, begunAt] = decodeFunctionResult({
    ...{ abi, functionName: 'pendingWithdrawals', data: pending },
  })
  return { balance, totalClaimed, withdrawal: begunAt === 0 ? null : { amount, begunAt } }
}
