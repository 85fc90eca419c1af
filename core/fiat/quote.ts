import { type Refusal, refuse } from '../base/errors.ts'
import { type BaseUnits, formatAmount } from '../base/money.ts'
import { TOKENS, type TokenSymbol } from '../chain/tokens.ts'
import { currencyDecimals, parseFiat } from './currency.ts'
import { convertUp, storedRate } from './rate.ts'

/** Amounts in money of a country, and the rate by which they become amounts of a token. */

/** A rate with where it is from. */
export interface Quote {
  /** How much of the token one unit of the currency is worth, as its source wrote it. */
  readonly rate: string
  /** The time of the rate, by its source. */
  readonly at: Date
  readonly source: string
}

/** The rates that are known at a moment. */
export interface Quotes {
  /** The currencies that prices in tokens of this currency may be in; that currency itself comes first. */
  currencies(ofTokens: string): readonly string[]
  /** What one unit of `currency` is worth in `ofTokens`; null while no fresh rate is known. */
  quote(currency: string, ofTokens: string, now: Date): Quote | null
}

/** The amount in fiat currency, as the invoice keeps it. Decimals in major units, `at` ISO 8601. */
export interface InvoiceFiat {
  readonly currency: string
  readonly amount: string
  readonly rate: string
  readonly at: string
  readonly source: string
}

/** The source of the rate of a token's own currency, which is 1 by definition. */
export const FIXED_SOURCE = 'fixed'

/** The rate of a token's own currency. */
function fixedQuote(now: Date): Quote {
  return { rate: '1', at: now, source: FIXED_SOURCE }
}

/** The quotes of a deployment without a source of rates: a token's own currency, and no other. */
export const FIXED_QUOTES: Quotes = {
  currencies: (ofTokens) => [ofTokens],
  quote: (currency, ofTokens, now) => (currency === ofTokens ? fixedQuote(now) : null),
}

/** An invoice's own rate, by which a repeat of the request that made it is converted; others as they are now. */
export function quotesOf({ currency, rate, at, source }: InvoiceFiat, now: Quotes): Quotes {
  const own = { rate, at: new Date(at), source }
  return {
    currencies: (ofTokens) => [...new Set([...now.currencies(ofTokens), currency])],
    quote: (wanted, ...rest) => (wanted === currency ? own : now.quote(wanted, ...rest)),
  }
}

/** An amount as it is requested: in the token's major unit, with what it was converted from. */
export interface ConvertedAmount {
  readonly amount: string
  readonly fiat: InvoiceFiat
}

/** Why a currency can't be used with a token; null when it can. */
export function currencyProblem(
  currency: string,
  symbol: TokenSymbol,
  quotes: Pick<Quotes, 'currencies'>,
): Refusal | null {
  const known = quotes.currencies(TOKENS[symbol].currency)
  if (known.includes(currency)) return null
  const message = `must be one of ${known.join(', ')}`
  return refuse('invalid_request_body', [{ path: 'currency', message }])
}

/**
 * Converts an amount of a currency into a token, rounded up to its base unit. `path` is the request's field
 * with the amount. Refuses with `rate_unavailable` while no fresh rate is known.
 */
export function convert(
  requested: { readonly amount: number | string; readonly currency: string; readonly path: string },
  symbol: TokenSymbol,
  quotes: Quotes,
  now: Date,
): ({ readonly ok: true } & ConvertedAmount) | Refusal {
  const { currency, path } = requested
  const problem = currencyProblem(currency, symbol, quotes)
  if (problem !== null) return problem
  const parsed = parseFiat(requested.amount, currency)
  if (!parsed.ok) return refuse('invalid_request_body', [{ path, message: parsed.message }])
  const token = TOKENS[symbol]
  const quote = quotes.quote(currency, token.currency, now)
  if (quote === null) return refuse('rate_unavailable')
  const decimals = currencyDecimals(currency)
  const inToken: BaseUnits = convertUp(
    parsed.amount,
    decimals,
    storedRate(quote.rate),
    token.decimals,
  )
  return {
    ok: true,
    amount: formatAmount(inToken, token.decimals),
    fiat: {
      currency,
      amount: formatAmount(parsed.amount, decimals),
      rate: quote.rate,
      at: quote.at.toISOString(),
      source: quote.source,
    },
  }
}
