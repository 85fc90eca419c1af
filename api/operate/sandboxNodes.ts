import type { ChainClient } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { type LocalNode, localNode } from '../../chain/rpc/localNode.ts'
import type { ActiveChain } from '../../core/config/chains.ts'

/** The development nodes behind this deployment's chains. */

export interface PlayableChain {
  readonly chain: ActiveChain
  readonly node: LocalNode
}

/** Finds the development chains. Chains with unreachable nodes are omitted. */
export async function findNodes(
  clients: ReadonlyMap<string, ChainClient>,
): Promise<PlayableChain[]> {
  const found = await Promise.all(
    [...clients.values()].map(async ({ chain, rpc }) => {
      try {
        const node = await localNode(chain, rpc)
        return node && { chain, node }
      } catch (error) {
        if (isRpcFault(error)) return null
        throw error
      }
    }),
  )
  return found.filter((entry) => entry !== null)
}
