import type { TokenDecimals } from '../../core/base/money.ts'
import { signedAmount } from '../terminal/output.ts'

/** The wording of differences. */

/** A value that both sides record: its name in a message, and both values. */
type Fact = readonly [name: string, ledger: unknown, chain: unknown]

/** The values that differ, as text. */
export function contradictions(facts: readonly Fact[]): string[] {
  return facts
    .filter(([, ledger, chain]) => ledger !== chain)
    .map(([name, ledger, chain]) => `${name} ${ledger}, on the chain ${chain}`)
}

interface Denomination {
  readonly decimals: TokenDecimals
  readonly symbol: string
}

/** An amount in major units with its symbol; can be negative if the ledger is wrong. */
export function amountText(amount: bigint, { decimals, symbol }: Denomination): string {
  return `${signedAmount(amount, decimals)} ${symbol}`
}
