import { formatAmount } from '../base/money.ts'
import type { Chain } from '../chain/registry.ts'
import { TOKENS } from '../chain/tokens.ts'
import { usualCost } from '../invoice/signature.ts'
import type { ChainPace } from './session.ts'
import type { NetworkChoice } from './view.ts'

/** What a payer is shown of a network: whether it is slow, and what it usually takes. */

/** More than ten block times without a block, or so many unread blocks, are slow. */
const SLOW_BLOCKS = 10

export function presentNetwork(
  chain: Chain,
  paces: readonly ChainPace[],
  now: Date,
): NetworkChoice {
  const { networkId, name, confirmations, blockTimeMs } = chain
  const pace = paces.find((candidate) => candidate.networkId === networkId)
  const usualSeconds = Math.max(1, Math.ceil((confirmations * blockTimeMs) / 1_000))
  const health = isSlow(chain, pace, now) ? 'slow' : 'ok'
  return { networkId, name, health, usualSeconds, usualFeeUsd: usualFeeUsd(chain) }
}

/** Gas of a token's transfer to an address that had none of it. */
const TRANSFER_GAS = 65_000n
const CENT = 10_000n
const MILL = 1_000n

/**
 * What a payer's own transfer costs at the gas prices of the table, rounded up to a cent, or a tenth of one. It is no
 * reading of the chain: a figure that changed with every block would have every page drawn again with it.
 */
function usualFeeUsd(chain: Chain): string | null {
  const { decimals } = TOKENS.USDC
  const fee = usualCost(chain, TRANSFER_GAS)
  const step = fee < CENT ? MILL : CENT
  return fee === 0n ? null : formatAmount(((fee + step - 1n) / step) * step, decimals)
}

function isSlow({ blockTimeMs }: Chain, pace: ChainPace | undefined, now: Date): boolean {
  if (pace === undefined || pace.movedAt === null) return true
  const silentMs = now.getTime() - pace.movedAt.getTime()
  return (
    silentMs > SLOW_BLOCKS * blockTimeMs || pace.head - pace.projectedBlock > BigInt(SLOW_BLOCKS)
  )
}
