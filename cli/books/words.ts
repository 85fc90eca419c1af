import type { TokenDecimals } from '../../core/base/money.ts'
import { signedAmount } from '../terminal/output.ts'

/** The wording of differences. */

/** A fact that both record: its name in a message, and the value of each. */
type Fact = readonly [name: string, ledger: unknown, chain: unknown]

/** In words, each fact in which the chain contradicts the ledger. */
export function contradictions(facts: readonly Fact[]): string[] {
  return facts
    .filter(([, ledger, chain]) => ledger !== chain)
    .map(([name, ledger, chain]) => `${name} ${ledger}, by the chain ${chain}`)
}

interface Denomination {
  readonly decimals: TokenDecimals
  readonly symbol: string
}

/** An amount in major units with its symbol; negative when the ledger is at fault. */
export function amountText(amount: bigint, { decimals, symbol }: Denomination): string {
  return `${signedAmount(amount, decimals)} ${symbol}`
}
