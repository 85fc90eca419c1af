import { openChain } from '../../chain/client.ts'
import { isRpcFault } from '../../chain/faults.ts'
import { type LocalNode, localNode } from '../../chain/localNode.ts'
import type { ActiveChain } from '../../core/config/processes.ts'
import { AppError } from '../../core/errors.ts'

/** The development nodes behind this deployment's chains. */

export interface PlayableChain {
  readonly chain: ActiveChain
  readonly node: LocalNode
}

/** Finds out which chains are development chains. A node that is away is none for now. */
export function findNodes(chains: readonly ActiveChain[]): () => Promise<PlayableChain[]> {
  const clients = chains.map(openChain)
  return async () => {
    const found = await Promise.all(
      clients.map(async ({ chain, rpc }) => {
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
}

/** A node that stops answering in the middle is a fault of ours that passes. */
export async function played<T>(play: () => Promise<T>): Promise<T> {
  try {
    return await play()
  } catch (error) {
    if (isRpcFault(error)) throw new AppError('service_unavailable', [], { cause: error })
    throw error
  }
}
