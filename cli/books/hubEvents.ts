import { readInRanges } from '../../chain/blocks/ranges.ts'
import { hubMovements } from '../../chain/hub/movements.ts'
import { type Comparison, compareFees } from './comparison.ts'
import { matchRefunds, reportUnmatchedRefunds } from './refunds.ts'
import { matchSweeps, reportUnmatchedSweeps } from './sweeps.ts'

/**
 * Compares settlements and refunds with the hub's events, one by one and in both directions, and the
 * fees that the collector received with those that the ledger booked. Returns the number of sweeps.
 */
export async function compareHubEvents(comparison: Comparison): Promise<number> {
  const { client, hubs, block, totals } = comparison
  const matched = new Set<string>()
  let count = 0
  const read = (from: bigint, to: bigint) => hubMovements(client.rpc, hubs, from, to)
  const start = BigInt(client.chain.startBlock)
  const pieces = readInRanges(start, block, read, client.logRange)
  for await (const movements of pieces) {
    const sweeps = movements.filter(({ type }) => type === 'swept')
    const refunds = movements.filter(({ type }) => type === 'refunded')
    count += sweeps.length
    if (sweeps.length > 0) await matchSweeps(comparison, sweeps, matched)
    if (refunds.length > 0) await matchRefunds(comparison, refunds, matched)
  }
  await reportUnmatchedSweeps(comparison, matched)
  await reportUnmatchedRefunds(comparison, matched)
  compareFees(comparison, 'sweeps', totals.values())
  return count
}
