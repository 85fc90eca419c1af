import { encodeFunctionData, keccak256, type PublicClient } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { HUB_ABI } from './abi.ts'
import type { UnsignedCall } from './deployment.ts'

/** What the owner adds once it has a delay: proposed first, sent when it is ripe, dead some days later. */

/** The name of a proposed call. */
export function proposalId(data: Hex): Hex {
  return keccak256(data)
}

/** The owner's call that proposes another one. */
export function proposeCall(hub: Address, data: Hex): UnsignedCall {
  return {
    to: hub,
    data: encodeFunctionData({ abi: HUB_ABI, functionName: 'propose', args: [data] }),
  }
}

/** From when on a proposal may be carried out, in Unix seconds; 0 when there is none, or it was vetoed. */
export function proposalReadyAt(client: PublicClient, hub: Address, id: Hex): Promise<bigint> {
  return client.readContract({ address: hub, abi: HUB_ABI, functionName: 'readyAt', args: [id] })
}
