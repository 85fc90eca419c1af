import type { Messages } from './en.ts'

/** Amounts as users enter them, on keyboards of any region. */

export type Marks = Pick<Messages, 'decimalMark' | 'groupMark'>

export type AmountEntry =
  | { readonly ok: true; readonly decimal: string }
  /** It reads as two amounts, both written here as this language writes them. */
  | {
      readonly ok: false
      readonly problem: 'ambiguous'
      readonly either: readonly [string, string]
    }
  | { readonly ok: false; readonly problem: 'unreadable' }

/**
 * Reads an amount with at most one separator, which is the decimal one: a point, or a comma, because the keyboard of a
 * phone has that of its region and not of the page. Three digits behind the grouping sign of the language may be
 * thousands, unless only a zero is before them. Thousands are never separated.
 */
export function readAmount(text: string, { decimalMark, groupMark }: Marks): AmountEntry {
  const [, digits, mark, fraction = ''] = ENTRY.exec(latin(text.trim())) ?? []
  if (digits === undefined) return { ok: false, problem: 'unreadable' }
  const whole = digits.replace(/^0+(?=\d)/, '')
  if (mark === groupMark && fraction.length === 3 && whole !== '0') {
    return {
      ok: false,
      problem: 'ambiguous',
      either: [`${whole}${fraction}`, `${whole}${decimalMark}${fraction}`],
    }
  }
  return { ok: true, decimal: fraction === '' ? whole : `${whole}.${fraction}` }
}

/** A decimal as this language enters it. */
export function writeAmount(decimal: string, { decimalMark }: Pick<Marks, 'decimalMark'>): string {
  return decimal.replace('.', decimalMark)
}

const ENTRY = /^(\d+)(?:([.,\u066b])(\d+))?$/
/** Arabic, Persian and full-width digits: the last four bits are the digit. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g

function latin(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
}
