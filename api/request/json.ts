import { type ErrorDetail, MOST_DETAILS } from '../../core/base/errors.ts'

/**
 * JSON stricter than JSON.parse: numbers that would lose digits are refused, and so is text
 * that Postgres could not store (NUL, or half a surrogate pair).
 */

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] }

/** Deeper nesting would exhaust the stack of recursive readers. */
const MAX_DEPTH = 500
/** More than any request has, and few enough to check each. */
const MAX_VALUES = 10_000
/** Longer numbers are mistakes, and expensive to compare. */
const LONGEST_NUMBER = 100
/** Only numbers with many digits or an exponent can exceed a double. */
const MAY_LOSE_DIGITS = /[0-9][0-9.]{15}|[0-9][eE]/
/** Only an escape can produce a character that can't be stored. */
const MAY_BE_UNFIT = /\\u(?:0000|d[89a-f])/i

export function parseJson(text: string): ParsedJson {
  const excess = excessOf(text)
  if (excess !== null) return refuse('', excess)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refuse('', `must be JSON (${reason})`)
  }
  const hasLongNumbers = MAY_LOSE_DIGITS.test(text)
  if (!hasLongNumbers && !MAY_BE_UNFIT.test(text)) return { ok: true, value }
  const details = problemsIn(hasLongNumbers ? JSON.parse(text, keepLossyNumbers) : value)
  return details.length === 0 ? { ok: true, value } : { ok: false, details }
}

/**
 * The canonical text of a JSON value (RFC 8785), independent of field order, white space, and notation of
 * numbers and characters. Empty for undefined.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, of]) => `${JSON.stringify(name)}:${canonicalJson(of)}`).join(',')}}`
}

/** A number whose text differs from its double, with the error message. */
class LossyNumber {
  constructor(readonly message: string) {}
}

/** The third argument has a number's text: ECMAScript's JSON.parse source text access. */
function keepLossyNumbers(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  if (isExact(context.source, value)) return value
  const isBeyond = !Number.isFinite(value) || value === 0
  return new LossyNumber(isBeyond ? BEYOND : LOSSY)
}

function isExact(source: string, value: number): boolean {
  if (source.length > LONGEST_NUMBER) return false
  return Number.isFinite(value) && significand(source) === significand(String(value))
}

/** Digits and exponent in a normal form, e.g. "125e-1" for 12.50, 1.25e1 and 12.5. */
function significand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${trimmed}e${scale}`
}

/** A value and its path. Paths are built only for messages. */
interface Place {
  readonly value: unknown
  readonly name: string
  readonly parent: Place | null
}

/** The first problems of a value, without recursion. */
function problemsIn(root: unknown): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const open: Place[] = [{ value: root, name: '', parent: null }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place
    if (value instanceof LossyNumber) details.push(detail(place, value.message))
    else if (typeof value === 'string' && !isStorable(value)) details.push(detail(place, UNFIT))
    else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        if (!isStorable(name)) details.push(detail(place, UNFIT))
        open.push({ value: child, name, parent: place })
      }
    }
    if (details.length >= MOST_DETAILS) return details.slice(0, MOST_DETAILS)
  }
  return details
}

const LOSSY = 'has more digits than a JSON number keeps; send it as a string, e.g. "12.5"'
const BEYOND = 'is too large or too small for a JSON number; send it as a string, e.g. "12.5"'
const UNFIT = 'must not contain NUL or half a surrogate pair'

function detail(place: Place, message: string): ErrorDetail {
  const names: string[] = []
  for (let at = place; at.parent !== null; at = at.parent) names.unshift(at.name)
  return { path: names.join('.'), message }
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Why a text is refused before parsing: it would be too expensive. */
function excessOf(text: string): string | null {
  if (text.length < 2 * MAX_DEPTH) return null
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (character === '"') i = endOfString(text, i)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === ',') values += 1
    if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`
    if (values > MAX_VALUES) return `must not have more than ${MAX_VALUES} values`
  }
  return null
}

/** The end of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '"') return i
  }
  return text.length
}

function refuse(path: string, message: string): ParsedJson {
  return { ok: false, details: [{ path, message }] }
}
