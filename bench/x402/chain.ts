import { hexField } from '../../dev/servers/rpc.ts'
import { type HubChain, startHubChain } from '../../test/support/servers/chain.ts'
import type { Blocks } from './side.ts'

/** What each request costs, in USD. */
export const PRICE = 0.01
/** What a busy chain carries; the gas of one block is not what is measured here. */
const GAS_LIMIT = 200_000_000n
const STATES_KEPT = 50
/**
 * A node's memory grows with each block by a copy of all slots, however few states it is configured to keep
 * (anvil 1.7.1), and with each transaction, whose calls it keeps. Workers look at states of the newest
 * blocks, and at receipts of those that are not final.
 */
const LONG_RUN = { pruneHistory: 8, keepTransactions: 300 }

/** A fresh chain of the kind that both sides get; one for a `long` run forgets what is old. */
export function startBenchChain(
  blocks: Blocks,
  accounts: number,
  length: 'short' | 'long' = 'short',
): Promise<HubChain> {
  return startHubChain({
    mining: blocks,
    gasLimit: GAS_LIMIT,
    relayers: accounts,
    ...(length === 'long' ? LONG_RUN : { pruneHistory: STATES_KEPT }),
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
