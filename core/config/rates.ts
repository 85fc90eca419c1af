import type { Environment } from '../chain/table.ts'
import { isCurrency } from '../fiat/currency.ts'
import type { RateTerms } from '../fiat/known.ts'
import { FIXED_SOURCE } from '../fiat/quote.ts'
import type { Reader } from './reader.ts'

/** Where the operator has rates from. */
export interface RateSource extends RateTerms {
  /** It may hold the source's key, and is never logged. */
  readonly url: string
  /** What invoices and merchants are shown of it. */
  readonly name: string
  readonly currencies: readonly string[]
}

const NAME = /^[A-Za-z0-9.-]{1,40}$/
/** So that a request for all of them stays a short one. */
const MOST_CURRENCIES = 50
const LOCAL = ['127.0.0.1', 'localhost', '[::1]']

/** The source of rates; null without one: then amounts can only be in a token's own currency. */
export function rateSource(reader: Reader, environment: Environment): RateSource | null {
  const url = reader.optional('RATE_URL')
  const currencies = [...new Set(reader.list('RATE_CURRENCIES'))]
  const name = reader.text('RATE_SOURCE', 'operator')
  const terms = {
    maxAgeMs: reader.integer('RATE_MAX_AGE_S', 600, 60, 604_800) * 1_000,
    maxJumpPercent: reader.integer('RATE_MAX_JUMP_PERCENT', 20, 1, 100_000),
  }
  if (url === null && currencies.length === 0) return null
  if (url === null) reader.problem('RATE_URL is missing: RATE_CURRENCIES need a source of rates')
  else checkUrl(reader, url, environment)
  if (currencies.length === 0 || currencies.length > MOST_CURRENCIES) {
    reader.problem(`RATE_CURRENCIES must name 1 to ${MOST_CURRENCIES} currencies, e.g. EUR,GBP`)
  }
  for (const currency of currencies.filter((text) => !isCurrency(text))) {
    reader.problem(`RATE_CURRENCIES holds ${currency}, which is no code of ISO 4217`)
  }
  if (!NAME.test(name) || name === FIXED_SOURCE) {
    reader.problem(
      'RATE_SOURCE must be 1 to 40 letters, digits, points or hyphens, and not "fixed"',
    )
  }
  return { url: url ?? '', name, currencies, ...terms }
}

/** A rate decides how much is paid, so that in live it needs TLS. */
function checkUrl(reader: Reader, text: string, environment: Environment): void {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    reader.problem('RATE_URL must be a URL of http or https')
  } else if (environment === 'live' && url.protocol === 'http:' && !LOCAL.includes(url.hostname)) {
    reader.problem('RATE_URL must begin with https:// in live, unless it leads to this machine')
  }
}
