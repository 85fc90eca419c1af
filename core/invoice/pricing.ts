import type { Refusal } from '../base/errors.ts'
import { isTokenSymbol } from '../chain/tokens.ts'
import { convert, type Quotes } from '../fiat/quote.ts'
import type { InvoiceRequest } from './creation.ts'

/** A request whose amount may be in money of a country. */
export interface PricedRequest extends InvoiceRequest {
  readonly currency?: string
}

/**
 * The request with its amount in the token. An unknown token is left to be refused with all else that is
 * wrong with the request.
 */
export function inToken<R extends PricedRequest>(
  request: R,
  quotes: Quotes,
  now: Date,
): { readonly ok: true; readonly request: InvoiceRequest } | Refusal {
  const { currency, tokenSymbol, amountExpected } = request
  if (currency === undefined || !isTokenSymbol(tokenSymbol)) return { ok: true, request }
  const requested = { amount: amountExpected, currency, path: 'amountExpected' }
  const converted = convert(requested, tokenSymbol, quotes, now)
  if (!converted.ok) return converted
  const { amount, fiat } = converted
  return { ok: true, request: { ...request, amountExpected: amount, fiat } }
}
