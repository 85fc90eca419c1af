/** Comma-separated values: RFC 4180. */

const SPECIAL = /[",\r\n]/
/** Spreadsheets take cells that begin like this for formulas. */
const FORMULA = /^[=+\-@\t\r]/

/** One line with its end. What a spreadsheet would carry out is made text by an apostrophe. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
