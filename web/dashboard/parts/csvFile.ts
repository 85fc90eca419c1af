import { BYTE_ORDER_MARK, csvLine } from '../../../core/base/csv.ts'

/** A table as CSV: what a spreadsheet would execute is text in it. */
export function csvText(lines: readonly (readonly (string | null)[])[]): string {
  return lines.map(csvLine).join('')
}

/** Has the browser keep CSV as a file, which spreadsheets read as UTF-8. */
export function keepFile(name: string, text: string): void {
  const url = URL.createObjectURL(
    new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
