import { type Invalid, invalid } from '../base/errors.ts'
import { type BaseUnits, baseUnits, type TokenDecimals, withoutZerosBeyond } from '../base/money.ts'

/** Exchange rates are exact decimals: a double would round money. */

/** How many units of one currency a unit of another is worth: `digits` with its last `decimals` after the point. */
export interface Rate {
  readonly digits: bigint
  readonly decimals: number
}

/** The most digits before the point of a rate, and the most after it. */
export const RATE_DIGITS = 12
const FORM = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/
const RULE = `must be a decimal string above 0 with at most ${RATE_DIGITS} digits on each side of the point, e.g. "1.0834"`

/** Reads a rate. Zero, a sign, an exponent and more digits than are taken are refused. */
export function parseRate(text: string): { readonly ok: true; readonly rate: Rate } | Invalid {
  const [, whole = '', decimals = ''] = FORM.exec(text) ?? []
  const fraction = withoutZerosBeyond(decimals, RATE_DIGITS)
  if (whole === '' || whole.length > RATE_DIGITS || fraction.length > RATE_DIGITS) {
    return invalid(RULE)
  }
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return invalid(RULE)
  return { ok: true, rate: { digits, decimals: fraction.length } }
}

/** A rate that was stored, and therefore read before. Throws a TypeError for anything else. */
export function storedRate(text: string): Rate {
  const parsed = parseRate(text)
  if (!parsed.ok) throw new TypeError(`not a rate: ${text}`)
  return parsed.rate
}

/**
 * What an amount of one currency is in a token whose currency the rate leads to. `minor` counts the currency's
 * smallest unit, of which `minorDecimals` make its major unit. Rounded up to the token's base unit, so that the
 * merchant never gets less than requested.
 */
export function convertUp(
  minor: bigint,
  minorDecimals: number,
  { digits, decimals }: Rate,
  tokenDecimals: TokenDecimals,
): BaseUnits {
  const dividend = minor * digits * 10n ** BigInt(tokenDecimals)
  const divisor = 10n ** BigInt(minorDecimals + decimals)
  return baseUnits((dividend + divisor - 1n) / divisor)
}

/** Whether the larger of two rates is at most so many per cent above the smaller. */
export function isWithin(percent: number, one: Rate, other: Rate): boolean {
  const a = one.digits * 10n ** BigInt(other.decimals)
  const b = other.digits * 10n ** BigInt(one.decimals)
  const [smaller, larger] = a < b ? [a, b] : [b, a]
  return larger * 100n <= smaller * BigInt(100 + percent)
}
