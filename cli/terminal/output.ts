import { formatAmount, type TokenDecimals } from '../../core/money.ts'

/** Text for people: aligned columns, in plain characters. */

/**
 * Rows of cells, each column as wide as its widest cell; also names with their values. The last column
 * is not padded.
 */
export function columns(rows: readonly (readonly string[])[]): string {
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

/** A table with titles; a sentence instead when there are no rows. */
export function table<Row>(
  rows: readonly Row[],
  shown: readonly Column<Row>[],
  empty: string,
): string {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => shown.map((column) => column.cell(row)))
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

/** Base units in major units; negative, as no amount should be, when something is wrong. */
export function signedAmount(amount: bigint, decimals: TokenDecimals): string {
  return amount < 0n ? `-${formatAmount(-amount, decimals)}` : formatAmount(amount, decimals)
}

/** A time span in the largest unit that fits: "12 s", "3 min", "5 h", "2 d". */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** One JSON document. Amounts are strings of base units; a bigint can't be lost to a double. */
export function toJson(value: unknown): string {
  const plain = (_: string, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)
  return JSON.stringify(value, plain, 2)
}

export function orDash(value: string | null | undefined): string {
  return value === null || value === undefined || value === '' ? '-' : value
}
