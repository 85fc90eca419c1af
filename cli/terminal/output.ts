import { formatAmount, type TokenDecimals } from '../../core/base/money.ts'

/** Text output: aligned columns, in plain characters. */

/** Control characters of terminals, and those that reorder text. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Text on one line, with control characters escaped, e.g. \\x1b: stored text of third parties
 * must neither move the cursor nor imitate a line of ours.
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0)
    return code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
  })
}

/** The same for a text with our own line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/**
 * Rows of cells, each column as wide as its widest cell; also names with their values. The last column
 * is not padded.
 */
export function columns(raw: readonly (readonly string[])[]): string {
  const rows = raw.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length)
    })
  }
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  /** Figures are aligned to the right. */
  readonly isFigure?: boolean
}

/** A table with titles; a message if there are no rows. */
export function table<Row>(
  rows: readonly Row[],
  shown: readonly Column<Row>[],
  empty: string,
): string {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => shown.map((column) => printable(column.cell(row))))
  const all = [shown.map((column) => column.title), ...cells]
  const aligned = all.map((row) =>
    row.map((cell, i) => {
      if (!shown[i]?.isFigure) return cell
      const width = Math.max(...all.map((other) => other[i]?.length ?? 0))
      return cell.padStart(width)
    }),
  )
  return columns(aligned)
}

/** Base units in major units. Only an error makes it negative. */
export function signedAmount(amount: bigint, decimals: TokenDecimals): string {
  return amount < 0n ? `-${formatAmount(-amount, decimals)}` : formatAmount(amount, decimals)
}

/** A duration in the largest fitting unit: "12 s", "3 min", "5 h", "2 d". */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** A JSON document. Amounts are strings of base units, so that a bigint loses no digits. */
export function toJson(value: unknown): string {
  const plain = (_: string, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)
  // JSON escapes only some control characters, and all of them are within strings.
  return JSON.stringify(value, plain, 2).replace(CONTROLS, (character) =>
    character === '\n' ? character : `\\u${hex(character.charCodeAt(0), 4)}`,
  )
}

export function orDash(value: string | null | undefined): string {
  return value === null || value === undefined || value === '' ? '-' : value
}
