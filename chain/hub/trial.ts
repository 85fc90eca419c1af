import { BaseError, isHex, type PublicClient } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import type { UnsignedCall } from './deployment.ts'

/**
 * What a hub would refuse an account's call with now: its revert data, or null when it would take it. Throws
 * a fault of the node.
 */
export async function refusalOf(
  client: PublicClient,
  from: Address,
  { to, data }: UnsignedCall,
): Promise<Hex | null> {
  try {
    await client.call({ account: from, to, data })
    return null
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const found = revertDataIn(error)
    if (found === null) throw error
    return found
  }
}

/** Nodes answer with the data itself, or with an object that holds it. */
function revertDataIn(error: BaseError): Hex | null {
  const data: unknown = rpcErrorIn(error)?.data
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(inner) ? inner : null
}
