import { field, isQuantity } from './calls.ts'
import type { Heights } from './heights.ts'
import type { RpcUrl } from './url.ts'

/** Heads as URLs show them, and which is the highest. */

/** True for a head, a block or its height, that is lower than this, which counts for it. */
export function isBelow(head: unknown, number: bigint, heights: Heights): boolean {
  const height = isQuantity(head) ? head : field(head, 'number')
  return isQuantity(height) && BigInt(height) < number && heights.counts(number, BigInt(height))
}

/** The highest block that one of these has shown lately, but for those that name one far above all others. */
export function newestOf(urls: readonly RpcUrl[], heights: Heights): bigint | null {
  const honest = urls.filter((url) => !heights.isAhead(url))
  return honest.reduce<bigint | null>((most, { highest }) => {
    return most === null || (highest !== null && highest > most) ? highest : most
  }, null)
}
