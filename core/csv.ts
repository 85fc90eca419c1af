/** Comma-separated values: RFC 4180. */

const SPECIAL = /[",\r\n]/
/** Spreadsheets read cells that begin like this as formulas. */
const FORMULA = /^[=+\-@\t\r]/

/** One line with its end. An apostrophe turns what a spreadsheet would execute into text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
