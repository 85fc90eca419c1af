import { type ParsedAmount, parseAmount, type TokenDecimals, tokenDecimals } from '../base/money.ts'

/** Money of countries: ISO 4217. */

const FORM = /^[A-Z]{3}$/
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether a text is the code of a currency, in capitals. */
export function isCurrency(text: string): boolean {
  return FORM.test(text) && CODES.has(text)
}

/** How many decimals the currency's major unit has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function currencyDecimals(currency: string): TokenDecimals {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return tokenDecimals(format.resolvedOptions().maximumFractionDigits ?? 2)
}

/**
 * Reads an amount of a currency, in its major unit, as a count of its smallest. More decimals than the
 * currency has are refused, never rounded.
 */
export function parseFiat(value: number | string, currency: string): ParsedAmount {
  return parseAmount(value, currencyDecimals(currency))
}
