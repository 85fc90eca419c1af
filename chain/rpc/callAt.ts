import {
  type ExactPartial,
  numberToHex,
  type PublicClient,
  type RpcStateOverride,
  type RpcTransactionRequest,
} from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { rpcErrorIn } from './faults.ts'
import type { View } from './view.ts'

export interface CallOptions {
  /** Without it, the node's newest block. */
  readonly view?: View | undefined
  /** What the block's time is taken for, in Unix seconds. */
  readonly time?: bigint | undefined
  readonly overrides?: RpcStateOverride
}

/**
 * An eth_call after the view's block. A node that takes no other time for a block is called at the block's own, where
 * what is not valid yet fails.
 */
export async function callAt(
  client: PublicClient,
  call: ExactPartial<RpcTransactionRequest>,
  { view, time, overrides }: CallOptions,
): Promise<Hex> {
  const at = view === undefined ? 'latest' : { blockHash: view.hash }
  const callUntimed = () =>
    client.request({
      method: 'eth_call',
      params: overrides === undefined ? [call, at] : [call, at, overrides],
    })
  if (time === undefined) return callUntimed()
  try {
    const params = [call, at, overrides ?? {}, { time: numberToHex(time) }] as const
    return await client.request({ method: 'eth_call', params: [...params] })
  } catch (error) {
    if (rpcErrorIn(error) === null) throw error
    return callUntimed()
  }
}
