/** Comma-separated values: RFC 4180. */

const SPECIAL = /[",\r\n]/
/**
 * Spreadsheets read cells that begin like this as formulas; some take full-width signs as well. Where
 * the semicolon or the tab separates, or a line end isn't taken as quoted, cells begin inside of ours.
 */
const FORMULA = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g
const BLANK = /^[\t\r]/
/** A number, and nothing that a spreadsheet would carry out: amounts add up and references are found again. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/

/** Without it Excel reads UTF-8 as the code page of its machine: `Müller` becomes `MÃ¼ller`. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One line with its end. An apostrophe turns what a spreadsheet would execute into text; numbers stay as they are. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  if (NUMBER.test(cell)) return cell
  const harmless = cell.replace(FORMULA, "$1'")
  const text = BLANK.test(harmless) ? `'${harmless}` : harmless
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
