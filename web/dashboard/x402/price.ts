import { parseAmount, tokenDecimals } from '../../../core/base/money.ts'
import type { Token } from '../session/boot.ts'

/**
 * A price as the API takes it: in dollars as it was entered, and in other currencies in base units. What is no
 * amount is passed on as it is, and refused there.
 */
export function priceIn(
  entered: string,
  token: Token | undefined,
): { readonly amountUsd: string } | { readonly amount: string } {
  if (token === undefined || token.currency === 'USD') return { amountUsd: entered }
  const parsed = parseAmount(entered, tokenDecimals(token.decimals))
  return { amount: parsed.ok ? parsed.amount.toString() : entered }
}
