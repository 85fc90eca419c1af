import type { PublicClient } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import { MAX_FEE_PER_GAS } from '../../core/chain/gas.ts'
import { isRefusal } from '../rpc/faults.ts'

/** Fees of EIP-1559 transactions, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** How far bumps of what a node has may go above the network's current fees. */
const BUMP_CEILING = 5n

/**
 * What a transaction should offer now: twice the base fee, so that it survives some full blocks, plus the tip;
 * all in wei per gas, and never more than `most`.
 */
export function offer(baseFeePerGas: bigint, tip: bigint, most: bigint = MAX_FEE_PER_GAS): Fees {
  const maxFeePerGas = min(baseFeePerGas * 2n + tip, most)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) }
}

/** The same fees with at least this tip, in wei per gas. */
export function withTip(fees: Fees, tip: bigint): Fees {
  const more = max(tip - fees.maxPriorityFeePerGas, 0n)
  return {
    maxFeePerGas: fees.maxFeePerGas + more,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas + more,
  }
}

export type Replacement =
  | { readonly type: 'fees'; readonly fees: Fees }
  /** A node has it, and it offers five times the network's price already: more money won't help. */
  | { readonly type: 'enough' }
  /** Nodes would call the most that may be offered underpriced, or it is below what was offered. */
  | { readonly type: 'capped' }

/**
 * The fees of a replacement: both fields at least 12.5 % above the attempt before, which every known node
 * accepts, and the network's current fees, as far as `most` (wei per gas) allows. What a node has refused as
 * too little is raised up to `most`, which no node's suggestion passes.
 */
export function bumpFees(
  before: Fees,
  now: Fees,
  most: bigint = MAX_FEE_PER_GAS,
  isRefused = false,
): Replacement {
  const least = { fee: raised(before.maxFeePerGas), tip: raised(before.maxPriorityFeePerGas) }
  if (!isRefused && least.fee > now.maxFeePerGas * BUMP_CEILING) return { type: 'enough' }
  if (max(least.fee, least.tip) > most) return { type: 'capped' }
  const maxFeePerGas = min(max(least.fee, now.maxFeePerGas), most)
  if (least.tip > maxFeePerGas) return { type: 'enough' }
  const tip = max(least.tip, now.maxPriorityFeePerGas)
  return { type: 'fees', fees: { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) } }
}

/**
 * The fees clamped to `most`, in wei per gas; null when that would not outlast the next full block. The
 * usual offer is twice the base fee, and less will do when there is no other way.
 */
export function clampFees(fees: Fees, baseFeePerGas: bigint, most: bigint): Fees | null {
  const maxFeePerGas = min(fees.maxFeePerGas, most)
  const nextBaseFee = min(raised(baseFeePerGas), 2n * baseFeePerGas)
  if (nextBaseFee + fees.maxPriorityFeePerGas > maxFeePerGas) return null
  return { ...fees, maxFeePerGas }
}

/** How many blocks are read, and which share of a block's gas, in per cent, was paid for with less. */
const HISTORY_BLOCKS = 10
const HISTORY_PERCENTILE = 10

/**
 * The least of the low tips that the last blocks have included, in wei per gas; 0 where they are empty, and
 * where a node has no such history. The least, so that our own bumps can't raise it.
 */
export async function leastIncludedTip(client: PublicClient): Promise<bigint> {
  try {
    const { reward } = await client.getFeeHistory({
      blockCount: HISTORY_BLOCKS,
      rewardPercentiles: [HISTORY_PERCENTILE],
    })
    const tips = (reward ?? []).flat().filter((tip) => tip > 0n)
    return tips.reduce((least, tip) => min(least, tip), tips[0] ?? 0n)
  } catch (error) {
    if (isRefusal(error)) return 0n
    throw error
  }
}

/** An eighth more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + fee / 8n + 1n
}
