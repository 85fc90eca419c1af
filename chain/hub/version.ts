import type { Address } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { notAHub } from '../../core/hub/version.ts'
import { openChain } from '../rpc/client.ts'
import { isRpcFault } from '../rpc/faults.ts'
import { readHub } from './contract.ts'

/**
 * On which of the chains HUB_ADDRESS is another contract than a hub that this code can use, in sentences. A
 * chain that doesn't answer, or has no contract there yet, is passed over.
 */
export async function hubVersionProblems(
  hub: Address,
  chains: readonly ActiveChain[],
): Promise<string[]> {
  const found = await Promise.all(
    chains.map(async (chain) => {
      try {
        const { type } = await readHub(openChain(chain).rpc, hub)
        return type === 'other' ? [notAHub(hub, chain.networkId)] : []
      } catch (error) {
        if (!isRpcFault(error)) throw error
        return []
      }
    }),
  )
  return found.flat()
}
