import { max, min } from '../../core/integers.ts'

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
 * What a transaction should offer now: twice the base fee, so that it survives some full blocks, plus the
 * tip that a node suggests; both in wei per gas, and within the limits.
 */
export function offer(baseFeePerGas: bigint, priorityFee: bigint): Fees {
  const tip = max(priorityFee, LEAST_PRIORITY_FEE)
  const maxFeePerGas = min(baseFeePerGas * 2n + tip, MAX_FEE_PER_GAS)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) }
}

export type Replacement =
  | { readonly type: 'fees'; readonly fees: Fees }
  /** What was offered is five times the network's price already: more money won't help. */
  | { readonly type: 'enough' }
  /** Nodes would call the most that may be offered underpriced, or it is below what was offered. */
  | { readonly type: 'capped' }

/**
 * The fees of a replacement: both fields at least 12.5 % above the attempt before, which every known node
 * accepts, and what the network asks for now, as far as `most` (wei per gas) and MAX_FEE_PER_GAS allow.
 */
export function bumpFees(before: Fees, now: Fees, most: bigint = MAX_FEE_PER_GAS): Replacement {
  const least = { fee: raised(before.maxFeePerGas), tip: raised(before.maxPriorityFeePerGas) }
  if (least.fee > now.maxFeePerGas * BUMP_CEILING) return { type: 'enough' }
  const cap = min(most, MAX_FEE_PER_GAS)
  if (max(least.fee, least.tip) > cap) return { type: 'capped' }
  const maxFeePerGas = min(max(least.fee, now.maxFeePerGas), cap)
  if (least.tip > maxFeePerGas) return { type: 'enough' }
  const tip = max(least.tip, now.maxPriorityFeePerGas)
  return { type: 'fees', fees: { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) } }
}

/**
 * The fees clamped to `most`, in wei per gas; null when that would not outlast the next full block. The
 * usual offer is twice the base fee, and less will do when there is no other way.
 */
export function clampFees(fees: Fees, baseFeePerGas: bigint, most: bigint): Fees | null {
  if (fees.maxFeePerGas <= most) return fees
  if (raised(baseFeePerGas) + fees.maxPriorityFeePerGas > most) return null
  return { ...fees, maxFeePerGas: most }
}

/** An eighth more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n
}
