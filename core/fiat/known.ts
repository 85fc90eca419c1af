import { INSTANT_FORM, parseInstant } from '../base/instant.ts'
import type { Quote } from './quote.ts'
import { isWithin, parseRate, storedRate } from './rate.ts'

/** The rates of an operator's source, and which of them are believed. */

/** A rate as the source gave it. `EUR/USD` is how many dollars one euro is worth. */
export interface OfferedRate {
  readonly pair: string
  readonly rate: string
  readonly at: Date
  readonly source: string
}

/** The newest rate of a pair that was taken. */
export interface KnownRate extends OfferedRate {
  /** What new rates must not be too far from: the one of about a day ago. */
  readonly anchor: string
  readonly anchoredAt: Date
  /** The newest that was too far from it, and since when they are; null once one is near again. */
  readonly refused: string | null
  readonly refusedSince: Date | null
}

/** What the operator lets rates do. */
export interface RateTerms {
  /** How old a rate may be, by the time that its source gives, in ms. */
  readonly maxAgeMs: number
  /** By how many per cent a rate may differ from that of a day ago. */
  readonly maxJumpPercent: number
}

/** How far the source's clock may be ahead of ours, in ms. */
const CLOCKS_DIFFER_MS = 60_000
const DAY_MS = 86_400_000

export function pairOf(currency: string, ofTokens: string): string {
  return `${currency}/${ofTokens}`
}

export type SourceAnswer =
  | { readonly ok: true; readonly rates: readonly OfferedRate[] }
  /** What is wrong, for the operator. */
  | { readonly ok: false; readonly fault: string }

/**
 * Reads `{ "at": …, "rates": { "EUR/USD": "1.0834" } }`. A pair that is missing is left out; an error in a
 * requested one refuses the whole answer, because its source can't be trusted then.
 */
export function readAnswer(
  body: unknown,
  pairs: readonly string[],
  source: string,
  now: Date,
): SourceAnswer {
  const { at: text, rates } = Object(body)
  const at = typeof text === 'string' ? parseInstant(text) : null
  if (at === null) return { ok: false, fault: `\`at\` ${INSTANT_FORM}` }
  if (at.getTime() > now.getTime() + CLOCKS_DIFFER_MS) {
    return { ok: false, fault: '`at` lies in the future' }
  }
  if (typeof rates !== 'object' || rates === null || Array.isArray(rates)) {
    return { ok: false, fault: '`rates` must be an object' }
  }
  const offered: OfferedRate[] = []
  for (const pair of pairs) {
    if (!Object.hasOwn(rates, pair)) continue
    const rate: unknown = rates[pair]
    const parsed = parseRate(typeof rate === 'string' ? rate : '')
    if (typeof rate !== 'string' || !parsed.ok) {
      return { ok: false, fault: `the rate of ${pair} ${parsed.ok ? '' : parsed.message}`.trim() }
    }
    offered.push({ pair, rate, at, source })
  }
  return { ok: true, rates: offered }
}

/**
 * What is known of a pair after an offer. The first rate is taken as it is. One that is older than what is
 * known changes nothing, and one that is too far from that of a day ago is refused until a near one comes.
 */
export function evaluateOffer(
  known: KnownRate | null,
  offered: OfferedRate,
  { maxJumpPercent }: Pick<RateTerms, 'maxJumpPercent'>,
  now: Date,
): KnownRate {
  const clear = { refused: null, refusedSince: null }
  if (known === null) return { ...offered, anchor: offered.rate, anchoredAt: now, ...clear }
  if (offered.at < known.at) return known
  const isOld = now.getTime() - known.anchoredAt.getTime() >= DAY_MS
  const anchor = isOld ? known.rate : known.anchor
  if (!isWithin(maxJumpPercent, storedRate(anchor), storedRate(offered.rate))) {
    return { ...known, refused: offered.rate, refusedSince: known.refusedSince ?? now }
  }
  return { ...offered, anchor, anchoredAt: isOld ? now : known.anchoredAt, ...clear }
}

/** The rate to convert by; null while the newest was refused, or is older than the operator lets it be. */
export function usable(
  known: KnownRate | null,
  { maxAgeMs }: Pick<RateTerms, 'maxAgeMs'>,
  now: Date,
): Quote | null {
  if (known === null || known.refused !== null) return null
  const { rate, at, source } = known
  return now.getTime() - at.getTime() <= maxAgeMs ? { rate, at, source } : null
}
