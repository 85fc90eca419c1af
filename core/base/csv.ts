/** Comma-separated values (RFC 4180). */

const SPECIAL = /[",\r\n]/
/**
 * Spreadsheets evaluate cells that begin like this as formulas, some also with full-width signs. If they split at
 * semicolons or tabs, or at quoted line breaks, a cell can begin in the middle of ours.
 */
const FORMULA = /(^|[;\t\r\n])(?=[" ]*[=+\-@＝＋－＠])/g
const BLANK = /^[\t\r]/
/** Plain numbers stay unescaped, so that amounts can be summed and references found. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/

/** Without it, Excel decodes UTF-8 by the machine's code page: `Müller` becomes `MÃ¼ller`. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** One line with its line break. A leading apostrophe turns formulas into text; numbers are unchanged. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | null): string {
  if (cell === null) return ''
  if (NUMBER.test(cell)) return cell
  const escaped = cell.replace(FORMULA, "$1'")
  const text = BLANK.test(escaped) ? `'${escaped}` : escaped
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
