import { field, isQuantity, type RpcCall } from './calls.ts'
import type { RpcUrl } from './url.ts'

/** Heads as URLs show them: what asks for one, and which is the highest. */

/** True for a question about the newest block, or its height. */
export function isHeadCall({ method, params }: RpcCall): boolean {
  const isLatest = method === 'eth_getBlockByNumber' && field(params, '0') === 'latest'
  return isLatest || method === 'eth_blockNumber'
}

/** True for a head, a block or its height, that is lower than this. */
export function isBelow(head: unknown, number: bigint): boolean {
  const height = isQuantity(head) ? head : field(head, 'number')
  return isQuantity(height) && BigInt(height) < number
}

/** The highest block that one of these has shown lately. */
export function newestOf(urls: readonly RpcUrl[]): bigint | null {
  return urls.reduce<bigint | null>((most, { highest }) => {
    return most === null || (highest !== null && highest > most) ? highest : most
  }, null)
}
