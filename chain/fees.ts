import type { PublicClient } from 'viem'
import { max, min } from '../core/integers.ts'

/** Fees of EIP-1559 transactions, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const GWEI = 10n ** 9n
/** Whatever a node suggests, no transaction ever offers more per gas than this. */
export const MAX_FEE_PER_GAS = 5_000n * GWEI
/** How far bumps may go above what the network asks for right now. */
const BUMP_CEILING = 5n
const LEAST_PRIORITY_FEE = 1_000_000n

/**
 * What a transaction should offer now: twice the base fee, so that it survives some full blocks,
 * plus the tip that the node suggests.
 */
export async function suggestFees(client: PublicClient, baseFeePerGas: bigint): Promise<Fees> {
  const suggested = await client.estimateMaxPriorityFeePerGas()
  return offer(baseFeePerGas, suggested)
}

/** The offer for a base fee and a tip, within the limits. */
export function offer(baseFeePerGas: bigint, priorityFee: bigint): Fees {
  const tip = max(priorityFee, LEAST_PRIORITY_FEE)
  const maxFeePerGas = min(baseFeePerGas * 2n + tip, MAX_FEE_PER_GAS)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) }
}

/**
 * The fees of a replacement: both fields at least 12.5 % above the attempt before, which every known
 * node accepts, and at least what the network asks for now. Null when that would go beyond five
 * times the network's price, or beyond MAX_FEE_PER_GAS: then more money won't help.
 */
export function bumpFees(before: Fees, now: Fees): Fees | null {
  const maxFeePerGas = max(raised(before.maxFeePerGas), now.maxFeePerGas)
  const maxPriorityFeePerGas = max(raised(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas)
  const ceiling = min(now.maxFeePerGas * BUMP_CEILING, MAX_FEE_PER_GAS)
  if (maxFeePerGas > ceiling) return null
  return { maxFeePerGas, maxPriorityFeePerGas: min(maxPriorityFeePerGas, maxFeePerGas) }
}

/** An eighth more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n
}
