import type { ErrorDetail } from '../../core/errors.ts'

/**
 * JSON without the surprises of JSON.parse: no number loses digits silently, and there is no text
 * that Postgres could not store (NUL, or half a surrogate pair).
 */

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] }

/** Deeper nesting serves nobody and exhausts the stacks of whoever reads it. */
const MAX_DEPTH = 500
/** Only a long row of digits or an exponent can be a number that a double can't hold. */
const MAY_LOSE_DIGITS = /[0-9][0-9.]{15}|[0-9][eE]/
/** Only an escape can bring in a character that can't be stored. */
const MAY_BE_UNFIT = /\\u(?:0000|d[89a-f])/i

export function parseJson(text: string): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refuse('', `must be JSON (${reason})`)
  }
  if (text.length > 2 * MAX_DEPTH && isTooDeep(value)) {
    return refuse('', `must not be nested deeper than ${MAX_DEPTH} levels`)
  }
  const hasLongNumbers = MAY_LOSE_DIGITS.test(text)
  if (!hasLongNumbers && !MAY_BE_UNFIT.test(text)) return { ok: true, value }
  const details = problemsIn(hasLongNumbers ? JSON.parse(text, keepLossyNumbers) : value)
  return details.length === 0 ? { ok: true, value } : { ok: false, details }
}

/** A number whose text says more than a double can hold. */
class LossyNumber {
  constructor(readonly source: string) {}
}

/** The third argument has the text of a number: ECMAScript's JSON.parse source text access. */
function keepLossyNumbers(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return isExact(context.source, value) ? value : new LossyNumber(context.source)
}

function isExact(source: string, value: number): boolean {
  return Number.isFinite(value) && significand(source) === significand(String(value))
}

/** Digits and exponent of a number in one form, e.g. "125e-1" for 12.50, 1.25e1 and 12.5. */
function significand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace('-', '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${trimmed}e${scale}`
}

function problemsIn(root: unknown): ErrorDetail[] {
  const details: ErrorDetail[] = []
  visit(root, (path, value) => {
    if (value instanceof LossyNumber) {
      const message = 'has more digits than a JSON number keeps; send it as a string, e.g. "12.5"'
      details.push({ path, message })
    } else if (typeof value === 'string' && !isStorable(value)) {
      details.push({ path, message: 'must not contain NUL or half a surrogate pair' })
    }
  })
  return details
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isTooDeep(root: unknown): boolean {
  let isDeep = false
  visit(root, (_path, _value, depth) => {
    isDeep ||= depth > MAX_DEPTH
  })
  return isDeep
}

/** Shows every value and every key, without recursion. */
function visit(root: unknown, show: (path: string, value: unknown, depth: number) => void): void {
  const open: { path: string; value: unknown; depth: number }[] = [
    { path: '', value: root, depth: 0 },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value, depth } = next
    show(path, value, depth)
    if (typeof value !== 'object' || value === null || value instanceof LossyNumber) continue
    for (const [key, child] of Object.entries(value)) {
      if (!Array.isArray(value)) show(path, key, depth)
      // Paths only matter in messages; in a very deep value they would grow without end.
      const place = path.length > 200 ? path : path === '' ? key : `${path}.${key}`
      open.push({ path: place, value: child, depth: depth + 1 })
    }
  }
}

function refuse(path: string, message: string): ParsedJson {
  return { ok: false, details: [{ path, message }] }
}
