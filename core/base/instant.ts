/** Moments as the API takes them: ISO 8601 with a time zone, so that none is ambiguous. */

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

export const INSTANT_FORM = 'must be an ISO 8601 time with a time zone, e.g. 2030-01-31T12:00:00Z'

/** Years of four digits in any zone: those that ISO 8601 and Postgres write in the same way. */
const FIRST = Date.UTC(1000, 0, 1)
const LAST = Date.UTC(10_000, 0, 1) - 1

/**
 * Reads a moment to the millisecond. Null for anything else, including days that don't exist: JavaScript alone
 * would read 30 February as 2 March.
 */
export function parseInstant(text: string): Date | null {
  const match = FORM.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined) return null
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return null
  const instant = new Date(text)
  return instant.getTime() >= FIRST && instant.getTime() <= LAST ? instant : null
}

/** Whether it is a day of the calendar, e.g. 2026-08-31. */
export function isDay(text: string): boolean {
  return parseInstant(`${text}T00:00:00Z`) !== null
}

/** A moment as the API shows it. */
export function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/**
 * The same of a moment that can't have been before this one. The two come from clocks of different machines, and of
 * different moments of one transaction.
 */
export function isoFrom(first: Date, date: Date | null): string | null {
  return iso(date === null || date >= first ? date : first)
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return isLeap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
