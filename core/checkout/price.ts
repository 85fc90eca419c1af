import { type ErrorDetail, MOST_DETAILS, type Refusal, refuse } from '../base/errors.ts'
import type { MerchantId, PriceId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { formatAmount, parseAmount } from '../base/money.ts'
import {
  COIN_DECIMALS,
  isTokenSymbol,
  TOKEN_SYMBOLS,
  TOKENS,
  type TokenSymbol,
} from '../chain/tokens.ts'
import type { Config } from '../config/processes.ts'
import { currencyDecimals, parseFiat } from '../fiat/currency.ts'
import { currencyProblem, type Quotes } from '../fiat/quote.ts'
import { MAX_DAYS_AHEAD, metadataProblems } from '../invoice/creation.ts'
import { decideTolerance, readTolerance, readUsualTolerance } from '../invoice/tolerance.ts'
import { chainsOffered } from './present.ts'

/** Prices, from which any number of payers create their own invoices. */

export interface Price {
  readonly id: PriceId
  readonly merchantId: MerchantId
  /** Decimal, in major units: the tokens of a price may differ in their decimals. */
  readonly amount: string
  /** What the amount is in (ISO 4217), converted when a payer chooses; null for the tokens themselves. */
  readonly currency: string | null
  readonly tokens: readonly TokenSymbol[]
  /** Empty for all chains that have the token. */
  readonly chains: readonly string[]
  readonly description: string | null
  /** For how many seconds each session can be paid; null for the merchant's usual time. */
  readonly expiresAfter: number | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** False for a price that can be paid once. */
  readonly isReusable: boolean
  /** How much less is enough, as an amount or in basis points; null for the merchant's usual tolerance. */
  readonly underpaymentTolerance: string | null
  readonly active: boolean
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
}

/** A merchant's request, with the types checked and nothing else. */
export interface PriceRequest {
  readonly amount: number | string
  readonly currency?: string
  readonly tokens: readonly string[]
  readonly chains?: readonly string[]
  readonly description?: string
  readonly expiresAfter?: number
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly reusable?: boolean
  readonly underpaymentTolerance?: number | string
}

export type PriceDraft = Pick<
  Price,
  | 'amount'
  | 'currency'
  | 'tokens'
  | 'chains'
  | 'description'
  | 'expiresAfter'
  | 'metadata'
  | 'isReusable'
  | 'underpaymentTolerance'
>

export type PriceDecision = { readonly ok: true; readonly draft: PriceDraft } | Refusal

export const MAX_DESCRIPTION_LENGTH = 500
export const LEAST_EXPIRY_S = 300
export const MOST_EXPIRY_S = MAX_DAYS_AHEAD * 86_400
/** The payment window of a session where neither price nor merchant sets one. */
export const USUAL_EXPIRY_S = 86_400
/** The key in an invoice's metadata for the session that created it. */
export const SESSION_METADATA = 'checkout'

/** Decides whether a price can be made of a request. */
export function draftPrice(
  request: PriceRequest,
  { chains: active }: Pick<Config, 'chains'>,
  quotes: Pick<Quotes, 'currencies'>,
): PriceDecision {
  const { currency = null } = request
  const tokens = TOKEN_SYMBOLS.filter((symbol) => request.tokens.includes(symbol))
  const chains = [...new Set(request.chains ?? [])]
  const known = active.map(({ networkId }) => networkId)
  const unknown = chains.flatMap((networkId, index) =>
    known.includes(networkId)
      ? []
      : [{ path: `chains.${index}`, message: `must be one of ${known.join(', ')}` }],
  )
  const details = [
    ...tokenProblems(request.tokens),
    ...currencyProblems(currency, tokens),
    ...amountProblems(request.amount, currency, tokens, quotes),
    ...toleranceProblems(request, currency, tokens),
    ...priceProblems(request),
  ]
  if (details.length > 0) return refuse('invalid_request_body', details)
  if (unknown.length > 0) return refuse('unknown_chain', unknown.slice(0, MOST_DETAILS))
  const amount = decimalOf(request.amount, currency, tokens)
  for (const symbol of tokens) {
    if (chainsOffered(symbol, { amount, currency, chains }, active).length > 0) continue
    const message = `no chain of this price takes ${amount} ${currency ?? symbol}: raise the amount, or name other chains`
    return refuse('no_supported_chains', [{ path: 'tokens', message }])
  }
  const draft: PriceDraft = {
    amount,
    currency,
    tokens,
    chains,
    description: request.description ?? null,
    expiresAfter: request.expiresAfter ?? null,
    metadata: request.metadata ?? {},
    isReusable: request.reusable ?? true,
    underpaymentTolerance: toleranceText(request.underpaymentTolerance),
  }
  return { ok: true, draft }
}

/** What is wrong with the parts of a price that can be changed afterwards. */
export function priceProblems({
  description,
  expiresAfter,
  metadata = {},
}: Pick<PriceRequest, 'description' | 'expiresAfter' | 'metadata'>): ErrorDetail[] {
  const length = [...(description ?? 'x')].length
  return [
    ...(length >= 1 && length <= MAX_DESCRIPTION_LENGTH
      ? []
      : [{ path: 'description', message: `must have 1 to ${MAX_DESCRIPTION_LENGTH} characters` }]),
    ...expiryProblems(expiresAfter),
    ...metadataProblems(metadata, JSON.stringify(metadata), ROOM_FOR_SESSION),
    ...(Object.hasOwn(metadata, SESSION_METADATA)
      ? [{ path: `metadata.${SESSION_METADATA}`, message: 'is written by the service itself' }]
      : []),
  ]
}

/** What an invoice's metadata must have left for the name of its session. */
const ROOM_FOR_SESSION = { keys: 1, bytes: 2_048 }

/** Whether an expiry in seconds lies within what invoices allow; undefined is fine. */
export function expiryProblems(seconds: number | undefined, path = 'expiresAfter'): ErrorDetail[] {
  if (seconds === undefined) return []
  const isWhole = Number.isInteger(seconds)
  if (isWhole && seconds >= LEAST_EXPIRY_S && seconds <= MOST_EXPIRY_S) return []
  const message = `must be a whole number of seconds from ${LEAST_EXPIRY_S} to ${MOST_EXPIRY_S}`
  return [{ path, message }]
}

/** A price as the API shows it to its merchant. */
export function presentPrice(price: Price) {
  const { id, amount, currency, tokens, chains, description, expiresAfter, metadata } = price
  return {
    id,
    amount,
    currency,
    tokens,
    chains,
    description,
    expiresAfter,
    metadata,
    reusable: price.isReusable,
    underpaymentTolerance: price.underpaymentTolerance,
    active: price.active,
    createdAt: price.createdAt.toISOString(),
    updatedAt: iso(price.updatedAt),
  }
}

function tokenProblems(tokens: readonly string[]): ErrorDetail[] {
  const known = TOKEN_SYMBOLS.join(', ')
  if (tokens.length === 0) return [{ path: 'tokens', message: `must name one of ${known}` }]
  return tokens.flatMap((symbol, index) =>
    isTokenSymbol(symbol) ? [] : [{ path: `tokens.${index}`, message: `must be one of ${known}` }],
  )
}

/** Without a currency an amount is one of the tokens themselves, which then have to be worth the same. */
function currencyProblems(currency: string | null, tokens: readonly TokenSymbol[]): ErrorDetail[] {
  const currencies = new Set(tokens.map((symbol) => TOKENS[symbol].currency))
  if (currency !== null || currencies.size <= 1) return []
  const message = `must be given: ${tokens.join(' and ')} are in different currencies`
  return [{ path: 'currency', message }]
}

/** The amount must be one of the currency, or else of every token, each with its own decimals. */
function amountProblems(
  amount: number | string,
  currency: string | null,
  tokens: readonly TokenSymbol[],
  quotes: Pick<Quotes, 'currencies'>,
): ErrorDetail[] {
  if (currency !== null) {
    for (const symbol of tokens) {
      const problem = currencyProblem(currency, symbol, quotes)
      if (problem !== null) return [...problem.details]
    }
    const parsed = tokens.length === 0 || parseFiat(amount, currency)
    return parsed === true || parsed.ok ? [] : [{ path: 'amount', message: parsed.message }]
  }
  for (const symbol of tokens) {
    const parsed = parseAmount(amount, TOKENS[symbol].decimals)
    if (!parsed.ok) return [{ path: 'amount', message: parsed.message }]
  }
  return []
}

/**
 * The tolerance must be one of the amount, whichever token is chosen. Of an amount in a currency it is not
 * known yet what it will be in a token: there it is lowered to what is allowed when the payer chooses.
 */
function toleranceProblems(
  { amount, underpaymentTolerance: sent }: PriceRequest,
  currency: string | null,
  tokens: readonly TokenSymbol[],
): ErrorDetail[] {
  if (sent === undefined) return []
  if (currency !== null) {
    const read = readUsualTolerance(sent)
    return read.ok ? [] : [{ path: 'underpaymentTolerance', message: read.message }]
  }
  for (const symbol of tokens) {
    const { decimals } = TOKENS[symbol]
    const parsed = parseAmount(amount, decimals)
    if (!parsed.ok) return []
    const decided = decideTolerance(sent, parsed.amount, decimals)
    if (!decided.ok) return [{ path: 'underpaymentTolerance', message: decided.message }]
  }
  return []
}

function toleranceText(sent: number | string | undefined): string | null {
  if (sent === undefined) return null
  const read = readTolerance(sent, COIN_DECIMALS)
  if (!read.ok) throw new TypeError(`not a tolerance: ${sent}`)
  return read.text
}

/** The shortest decimal of an amount that fits the currency, or each of the tokens. */
function decimalOf(
  amount: number | string,
  currency: string | null,
  tokens: readonly TokenSymbol[],
): string {
  const decimals =
    currency === null ? TOKENS[tokens[0] ?? 'USDC'].decimals : currencyDecimals(currency)
  const parsed = parseAmount(amount, decimals)
  if (!parsed.ok) throw new TypeError(`not an amount: ${amount}`)
  return formatAmount(parsed.amount, decimals)
}
