import { formatAmount, tokenDecimals } from '../base/money.ts'
import { MAX_FEE_PER_GAS } from '../chain/gas.ts'
import type { Chain } from '../chain/registry.ts'
import { COIN_DECIMALS } from '../chain/tokens.ts'
import type { Reader } from './reader.ts'

const GWEI_DECIMALS = tokenDecimals(9)

/** What transactions may offer on a chain: at least `minTip` and at most `maxFeePerGas`, and `txFeeMax` in all. */
export type FeeLimits = Pick<Chain, 'minTip' | 'maxFeePerGas' | 'txFeeMax'>

/** A chain's limits of fees, with those that the operator has set for it. */
export function feeLimits(reader: Reader, usual: FeeLimits, id: string): FeeLimits {
  const gwei = (name: string, fallback: bigint) =>
    reader.amount(`${name}_${id}`, formatAmount(fallback, GWEI_DECIMALS), GWEI_DECIMALS)
  const limits = {
    minTip: gwei('MIN_TIP_GWEI', usual.minTip),
    maxFeePerGas: gwei('MAX_FEE_GWEI', usual.maxFeePerGas),
    txFeeMax: reader.amount(
      `MAX_TX_FEE_${id}`,
      formatAmount(usual.txFeeMax, COIN_DECIMALS),
      COIN_DECIMALS,
    ),
  }
  const { minTip, maxFeePerGas, txFeeMax } = limits
  const isWithin = minTip <= maxFeePerGas && maxFeePerGas <= MAX_FEE_PER_GAS
  if (!isWithin || maxFeePerGas === 0n) {
    reader.problem(
      `MAX_FEE_GWEI_${id} must be above 0, at least MIN_TIP_GWEI_${id} and at most 5000`,
    )
  }
  if (txFeeMax === 0n) reader.problem(`MAX_TX_FEE_${id} must be above 0`)
  return limits
}
