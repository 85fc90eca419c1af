/** The cells of CSV (RFC 4180) as a program reads them, line by line. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = []
  const cells = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/y
  let row: string[] = []
  while (cells.lastIndex < text.length) {
    const at = cells.lastIndex
    const [, cell, end] = cells.exec(text) ?? []
    if (cell === undefined) throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`)
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
