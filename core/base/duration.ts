/** Durations as configured: a whole number and s, m, h or d. */

const UNIT_S = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** Seconds as e.g. "48h": in hours, minutes or seconds, whichever is the largest that leaves no rest. */
export function durationText(seconds: number | bigint): string {
  const total = BigInt(seconds)
  if (total === 0n) return '0s'
  if (total % 3_600n === 0n) return `${total / 3_600n}h`
  return total % 60n === 0n ? `${total / 60n}m` : `${total}s`
}

/** The seconds of e.g. "48h" or "2d"; null for any other text. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
  if (count === undefined) return null
  if (unit === 's' || unit === 'm' || unit === 'h' || unit === 'd') {
    return Number(count) * UNIT_S[unit]
  }
  return null
}
