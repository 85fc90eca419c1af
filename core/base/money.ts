import { type Invalid, invalid } from './errors.ts'

/**
 * Money is a bigint of base units (the token's smallest unit). Decimal strings exist only at the
 * edge: they are parsed once on the way in and formatted once on the way out.
 */

declare const baseUnitsBrand: unique symbol

/** An amount in a token's smallest unit. Never negative. */
export type BaseUnits = bigint & { readonly [baseUnitsBrand]: true }

declare const tokenDecimalsBrand: unique symbol

/** The decimals of a token's major unit, as in the registry. */
export type TokenDecimals = number & { readonly [tokenDecimalsBrand]: true }

/** More than any usable token has. */
export const MAX_DECIMALS = 36

export type ParsedAmount = { readonly ok: true; readonly amount: BaseUnits } | Invalid

const DECIMAL_FORM = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/
const SAFE_SIGNIFICANT_DIGITS = 15

/** The largest amountExpected of an invoice: 999 999 999 999.999999 in major units. */
const MAX_INTEGER_DIGITS = 12

function isBaseUnits(value: bigint): value is BaseUnits {
  return value >= 0n
}

/** Brands a bigint as base units. Throws a RangeError when it is negative. */
export function baseUnits(value: bigint): BaseUnits {
  if (!isBaseUnits(value)) throw new RangeError(`an amount can't be negative: ${value}`)
  return value
}

/** An amount, or zero where it would be negative. */
export function atLeastZero(amount: bigint): BaseUnits {
  return baseUnits(amount > 0n ? amount : 0n)
}

function isTokenDecimals(value: number): value is TokenDecimals {
  return Number.isInteger(value) && value >= 0 && value <= MAX_DECIMALS
}

/** Brands decimals, for the registry alone. Throws a RangeError unless they are 0 to MAX_DECIMALS. */
export function tokenDecimals(value: number): TokenDecimals {
  if (!isTokenDecimals(value)) throw new RangeError(`not a number of decimals: ${value}`)
  return value
}

/** Reads digits as base units: amounts in JSON are text. Throws for anything else. */
export function baseUnitsFromText(value: string): BaseUnits {
  return baseUnits(BigInt(value))
}

/**
 * Parses an amount in major units, given as a JSON number or a decimal string, into base units. More decimals
 * than the token has are refused unless they are zeros: nothing is rounded. A string has no sign, exponent,
 * space or leading zero; a number is read by its value.
 */
export function parseAmount(value: number | string, decimals: TokenDecimals): ParsedAmount {
  const parsed = parseZeroOrMore(value, decimals)
  return parsed.ok && parsed.amount === 0n ? invalid('must be greater than 0') : parsed
}

/** The same for what may also be nothing. */
export function parseZeroOrMore(value: number | string, decimals: TokenDecimals): ParsedAmount {
  const text = typeof value === 'number' ? numberText(value) : value
  if (text === null) {
    return invalid('has more than 15 significant digits; send it as a string, e.g. "12.5"')
  }
  const match = DECIMAL_FORM.exec(text)
  if (!match) return invalid('must be digits with at most one decimal point, e.g. "12.5"')
  const whole = match[1] ?? '0'
  const fraction = withoutZerosBeyond(match[2] ?? '', decimals)
  if (fraction.length > decimals) return invalid(`must have at most ${decimals} decimals`)
  if (whole.length > MAX_INTEGER_DIGITS) {
    return invalid(`must be at most ${formatAmount(maxAmount(decimals), decimals)}`)
  }
  return { ok: true, amount: baseUnits(BigInt(whole + fraction.padEnd(decimals, '0'))) }
}

/** Formats base units as the shortest decimal string in major units: "0", "12.5", "100". */
export function formatAmount(amount: bigint, decimals: TokenDecimals): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

export function sum(amounts: Iterable<bigint>): BaseUnits {
  let total = 0n
  for (const amount of amounts) total += amount
  return baseUnits(total)
}

function maxAmount(decimals: TokenDecimals): bigint {
  return 10n ** BigInt(MAX_INTEGER_DIGITS + decimals) - 1n
}

/** The digits of a fraction without trailing zeros beyond the token's decimals: in one pass, as texts may be long. */
export function withoutZerosBeyond(fraction: string, places: number): string {
  let end = fraction.length
  while (end > places && fraction[end - 1] === '0') end -= 1
  return fraction.slice(0, end)
}

/**
 * The decimal text of a JSON number, or null when a double can't be trusted to hold what the sender
 * wrote. JavaScript prints small and large numbers with an exponent, which is expanded here.
 */
function numberText(value: number): string | null {
  if (!Number.isFinite(value)) return 'not a number'
  const [mantissa = '', exponentText] = value.toString().split('e')
  const digits = mantissa.replace('-', '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  if (digits.length > SAFE_SIGNIFICANT_DIGITS) return null
  if (exponentText === undefined || mantissa.startsWith('-')) return value.toString()
  const exponent = Number(exponentText)
  const point = (mantissa.includes('.') ? mantissa.indexOf('.') : mantissa.length) + exponent
  const bare = mantissa.replace('.', '')
  if (point <= 0) return `0.${'0'.repeat(-point)}${bare}`
  return bare.padEnd(point, '0')
}
