import { hexField } from '../../dev/servers/rpc.ts'
import { type HubChain, startHubChain } from '../../test/support/servers/chain.ts'
import type { Blocks } from './side.ts'

/** What each request costs, in USD. */
export const PRICE = 0.01
/** What a busy chain carries; the gas of one block is not what is measured here. */
const GAS_LIMIT = 200_000_000n
const STATES_KEPT = 50

/** A fresh chain of the kind that both sides get. */
export function startBenchChain(blocks: Blocks, accounts: number): Promise<HubChain> {
  return startHubChain({
    mining: blocks,
    gasLimit: GAS_LIMIT,
    pruneHistory: STATES_KEPT,
    relayers: accounts,
  })
}

/** The newest block. Where blocks come by the clock, one that has only just been mined. */
export async function freshBlock({ client }: HubChain, blocks: Blocks): Promise<bigint> {
  const first = await client.getBlockNumber()
  if (blocks === 'automine') return first
  for (;;) {
    const newest = await client.getBlockNumber()
    if (newest > first) return newest
    await Bun.sleep(5)
  }
}

/** Waits until the node holds no transaction that it could mine, at most ten seconds. */
export async function drained(chain: HubChain, blocks: Blocks): Promise<bigint> {
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    const pool = await chain.node.rpc('txpool_status')
    if (BigInt(hexField(pool, 'pending')) === 0n) break
    await Bun.sleep(50)
  }
  return freshBlock(chain, blocks)
}
