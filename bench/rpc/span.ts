import type { CountedStack } from './stack.ts'

/** The calls of all processes over a range of blocks. */
export interface Span {
  readonly blocks: number
  readonly calls: ReadonlyMap<string, number>
}

/** Counts calls from one block to another during some work, for a least number of blocks. */
export async function countBlocks<T>(
  { chain, calls }: CountedStack,
  during: () => Promise<T>,
  leastBlocks = 0,
): Promise<Span & { readonly result: T }> {
  const first = await nextBlock(chain)
  const before = calls()
  const result = await during()
  let last = await chain.client.getBlockNumber()
  while (last - first < BigInt(leastBlocks)) last = await nextBlock(chain)
  const after = calls()
  const made = new Map<string, number>()
  for (const [method, count] of after) {
    const more = count - (before.get(method) ?? 0)
    if (more > 0) made.set(method, more)
  }
  return { blocks: Number(last - first), calls: made, result }
}

/** The number of the next block, once it is there. */
async function nextBlock({ client }: CountedStack['chain']): Promise<bigint> {
  const first = await client.getBlockNumber()
  for (;;) {
    const newest = await client.getBlockNumber()
    if (newest > first) return newest
    await Bun.sleep(10)
  }
}

export function total({ calls }: Span): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0)
}

/** The methods with their shares, the most frequent first: so many for each of what they were made for. */
export function byMethod(calls: ReadonlyMap<string, number>, of: number): string {
  return [...calls]
    .sort(([, a], [, b]) => b - a)
    .map(([method, count]) => `${method.replace('eth_', '')} ${(count / of).toFixed(2)}`)
    .join(', ')
}
