import type { PublicClient } from 'viem'
import { max, min } from '../../core/base/integers.ts'
import { MAX_FEE_PER_GAS } from '../../core/chain/gas.ts'
import { isRefusal } from '../rpc/faults.ts'

/** Fees of EIP-1559 transactions, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Once a node has a transaction, bumps stop at this multiple of the network's current fees. */
const BUMP_CEILING = 5n

/**
 * The fees of a new transaction: twice the base fee, so that it survives several full blocks, plus the tip. All in wei
 * per gas, and never more than `most`.
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
  /** A node has it, and it already offers five times the network's fees: a bump won't help. */
  | { readonly type: 'enough' }
  /** Nodes would reject even `most` as an underpriced replacement, or it is below the previous offer. */
  | { readonly type: 'capped' }

/**
 * The fees of a replacement: both fields at least 12.5 % above the previous attempt, which every known node accepts,
 * and at least the network's current fees, as far as `most` (wei per gas) allows. A transaction that a node rejected as
 * underpriced is raised up to `most`, which no node's suggestion can exceed.
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
 * The fees clamped to `most`, in wei per gas; null if they would not survive the next full block. The usual offer is
 * twice the base fee; less is accepted only if nothing else is possible.
 */
export function clampFees(fees: Fees, baseFeePerGas: bigint, most: bigint): Fees | null {
  const maxFeePerGas = min(fees.maxFeePerGas, most)
  const nextBaseFee = min(raised(baseFeePerGas), 2n * baseFeePerGas)
  if (nextBaseFee + fees.maxPriorityFeePerGas > maxFeePerGas) return null
  return { ...fees, maxFeePerGas }
}

/** The number of blocks to read, and the percentile of their tips, by gas. */
const HISTORY_BLOCKS = 10
const HISTORY_PERCENTILE = 10

/**
 * The lowest of the low tips in the last blocks, in wei per gas; 0 if they are empty, or if the node has no fee
 * history. The lowest, so that our own bumps can't raise it.
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
