import { BYTE_ORDER_MARK, csvLine } from '../../../core/base/csv.ts'

/** A table as CSV: what a spreadsheet would execute is text in it. */
export function csvText(lines: readonly (readonly (string | null)[])[]): string {
  return lines.map(csvLine).join('')
}

/** Rows as CSV, under the names of their columns. */
export function csvOf<Row>(
  rows: readonly Row[],
  columns: readonly (readonly [name: string, cell: (row: Row) => string | null])[],
): string {
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row)))
  return csvText([columns.map(([name]) => name), ...lines])
}

/** Has the browser keep text as a file; CSV with a mark by which spreadsheets read it as UTF-8. */
export function keepFile(name: string, text: string, type: 'text/csv' | 'text/plain' = 'text/csv') {
  const mark = type === 'text/csv' ? BYTE_ORDER_MARK : ''
  const url = URL.createObjectURL(new Blob([mark, text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
