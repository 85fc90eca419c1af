/** Sums of amounts as they are written: exact, however many digits they have. */

const PLACES = 18
const SCALE = 10n ** BigInt(PLACES)

/** In units of 10^-18. */
function unitsOf(decimal: string): bigint {
  const isNegative = decimal.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? decimal.slice(1) : decimal).split('.')
  const units = BigInt(whole) * SCALE + BigInt(fraction.padEnd(PLACES, '0').slice(0, PLACES))
  return isNegative ? -units : units
}

function decimalOf(units: bigint): string {
  const size = units < 0n ? -units : units
  const fraction = String(size % SCALE)
    .padStart(PLACES, '0')
    .replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${size / SCALE}${fraction && `.${fraction}`}`
}

/** The sum; what is not known, because its token is not, adds nothing. */
export function sumOf(decimals: readonly (string | null)[]): string {
  return decimalOf(decimals.reduce((sum, decimal) => sum + unitsOf(decimal ?? '0'), 0n))
}

export function difference(decimal: string, less: string): string {
  return decimalOf(unitsOf(decimal) - unitsOf(less))
}

export function isZero(decimal: string | null): boolean {
  return decimal === null || unitsOf(decimal) === 0n
}

export function isNegative(decimal: string): boolean {
  return unitsOf(decimal) < 0n
}

/** Its first four decimals, which are enough to see how much it is; the rest is cut off. */
export function shortDecimal(decimal: string): string {
  return decimal.replace(/(\.\d{4})\d+$/, '$1')
}
