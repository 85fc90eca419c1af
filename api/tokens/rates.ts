import type { Logger } from 'pino'
import type { RateSource } from '../../core/config/rates.ts'
import { evaluateOffer, type KnownRate, pairOf, usable } from '../../core/fiat/known.ts'
import { FIXED_QUOTES, type Quotes } from '../../core/fiat/quote.ts'
import { noteRates, readRates } from '../../store/chain/fiatRates.ts'
import type { Database } from '../../store/database/database.ts'
import { fetchRates } from './source.ts'

/**
 * Exchange rates, read in the background with one request at a time, so that no
 * caller waits for the source. Between reads, the last rates are used while they are fresh.
 */

export interface Rates extends Quotes {
  /** Problems with conversion, for the operator. */
  warnings(now: Date): readonly string[]
  /** Reads the rates now, or waits for a running read. Never rejects. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export interface RateDependencies {
  readonly source: RateSource | null
  /** The currencies of the offered tokens (ISO 4217). */
  readonly ofTokens: () => readonly string[]
  readonly database: Database
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly now: () => Date
  /** The pause between reads, in ms; null to read only on request. */
  readonly refreshMs?: number | null
  readonly limitMs?: number
}

const REFRESH_MS = 60_000
/** The rates of a deployment without a source. */
const FIXED_RATES: Rates = {
  ...FIXED_QUOTES,
  warnings: () => [],
  refresh: async () => {},
  close: async () => {},
}

/** Starts reading rates, if there is a source; must be closed. */
export function openRates(deps: RateDependencies): Rates {
  const { source } = deps
  return source === null ? FIXED_RATES : openSource({ ...deps, source })
}

function openSource({
  source,
  ofTokens,
  database,
  log,
  now,
  refreshMs = REFRESH_MS,
  limitMs,
}: RateDependencies & { readonly source: RateSource }): Rates {
  let pairs = pairsOf(source, ofTokens())
  let known: ReadonlyMap<string, KnownRate> = new Map()
  let fault: string | null = null
  let timer: Timer | null = null
  let isClosed = false
  let underWay: Promise<void> | null = null

  async function read(): Promise<void> {
    pairs = pairsOf(source, ofTokens())
    const answer = await fetchRates(source, pairs, now, limitMs)
    const found = answer.ok ? null : answer.fault
    if (found !== null && found !== fault) log.warn({ fault: found }, 'rates could not be read')
    if (found === null && fault !== null) log.info('rates are read again')
    fault = found
    const offered = answer.ok ? answer.rates : []
    await noteRates(database, offered, (before, offer) =>
      evaluateOffer(before, offer, source, now()),
    )
    // Includes rates read by other processes.
    known = new Map((await readRates(database, pairs)).map((rate) => [rate.pair, rate]))
  }

  function refresh(): Promise<void> {
    underWay ??= read()
      .catch((error: unknown) => log.warn({ err: error }, 'rates could not be stored'))
      .finally(() => {
        underWay = null
      })
    return underWay
  }

  async function turn(): Promise<void> {
    await refresh()
    if (!isClosed && refreshMs !== null) timer = setTimeout(turn, refreshMs)
  }
  if (refreshMs !== null) turn()

  return {
    currencies: (ofTokens) => [...new Set([ofTokens, ...source.currencies])],
    quote(currency, ofTokens, at) {
      const own = FIXED_QUOTES.quote(currency, ofTokens, at)
      return own ?? usable(known.get(pairOf(currency, ofTokens)) ?? null, source, at)
    },
    warnings: (at) => pairs.flatMap((pair) => warningOf(pair, known.get(pair) ?? null, at)),
    refresh,
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      await underWay
    },
  }

  function warningOf(pair: string, rate: KnownRate | null, at: Date): string[] {
    if (usable(rate, source, at) !== null) return []
    if (rate?.refused != null) {
      return [
        `rates: ${pair} changed from ${rate.anchor} to ${rate.refused}, more than ${source.maxJumpPercent} % within a day: it is not used until the source corrects it or RATE_MAX_JUMP_PERCENT allows it`,
      ]
    }
    const newest = rate === null ? 'there is none' : `the newest is from ${rate.at.toISOString()}`
    const why = fault === null ? 'the source has no newer one' : `the source returned ${fault}`
    return [`rates: no fresh rate of ${pair}: ${newest}, and ${why}`]
  }
}

/** Every offered currency paired with the currency of every token, if different. */
function pairsOf({ currencies }: RateSource, ofTokens: readonly string[]): readonly string[] {
  return ofTokens.flatMap((into) =>
    currencies.filter((currency) => currency !== into).map((currency) => pairOf(currency, into)),
  )
}
