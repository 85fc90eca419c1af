import { formatAmount } from '../base/money.ts'
import type { Address } from './evm.ts'
import { type Chain, tokenAt } from './registry.ts'

/**
 * How answers show a token that was found on-chain: its ticker, and amounts in its major unit. Both are null
 * for a token that the registry lacks.
 */
export function foundToken(
  found: { readonly networkId: string; readonly token: Address },
  chains: readonly Chain[],
) {
  const token = tokenAt(found, chains)
  return {
    symbol: token?.symbol ?? null,
    decimal: (baseUnits: bigint) => (token ? formatAmount(baseUnits, token.decimals) : null),
  }
}
