import { hexToBytes, keccak256, type PublicClient } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'

/** The bloom filter of a block's header: whether a contract may have logged something in it. */

const BYTES = 256

/** Whether one of the contracts may have logged one of the topics; false is certain. */
export function mayHold(
  bloom: Hex,
  { addresses, topics }: { readonly addresses: readonly Hex[]; readonly topics: readonly Hex[] },
): boolean {
  const bytes = hexToBytes(bloom)
  // What is no bloom filter rules nothing out.
  if (bytes.length !== BYTES) return true
  const has = (input: Hex) => isIn(bytes, input)
  return addresses.some(has) && topics.some(has)
}

/** The bloom filter of a block, or null when the node has no such block. */
export async function bloomOf(client: PublicClient, blockHash: Hex): Promise<Hex | null> {
  try {
    return (await client.getBlock({ blockHash })).logsBloom
  } catch (error) {
    if (error instanceof Error && error.name === 'BlockNotFoundError') return null
    throw error
  }
}

/** Three bits for each input, named by its hash: the yellow paper's M3:2048. */
function isIn(bloom: Uint8Array, input: Hex): boolean {
  const hash = hexToBytes(keccak256(input))
  return [0, 2, 4].every((i) => {
    const bit = (((hash[i] ?? 0) << 8) + (hash[i + 1] ?? 0)) & 0x7ff
    return ((bloom[BYTES - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0
  })
}
