import type { Result } from './results.ts'

/** The figures per room, and each survivor with its change. */
export function report(results: readonly Result[]): string {
  const rooms = Map.groupBy(results, ({ file }) => file.split('/')[0] ?? '')
  const rows = [...rooms].map(([room, ofRoom]) => rowOf(room, ofRoom))
  if (rooms.size > 1) rows.push(rowOf('total', results))
  const header = ['room', 'killed', 'survived', 'invalid', 'survivors']
  const survivors = results.filter(({ outcome }) => outcome === 'survived')
  return [table([header, ...rows]), ...survivors.map(survivor)].join('\n\n')
}

function rowOf(room: string, results: readonly Result[]): string[] {
  const count = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const [killed, survived] = [count('killed'), count('survived')]
  const share = ((100 * survived) / Math.max(1, killed + survived)).toFixed(1)
  return [room, `${killed}`, `${survived}`, `${count('invalid')}`, `${share} %`]
}

function table(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => (row[column] ?? '').length))
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(width(i)) : cell.padStart(width(i)))))
    .map((cells) => cells.join('  '))
    .join('\n')
}

function survivor({ file, line, name, ran, reaching, before, after }: Result): string {
  return `${file}:${line}  ${name}; ${ran} of ${reaching} test files ran\n- ${before}\n+ ${after}`
}

/** One line about a fault that was tried just now. */
export function progress(result: Result, done: number, total: number): string {
  const { file, line, name, outcome, by, ran, reaching, seconds } = result
  const how = by ? ` by ${by.file}: ${by.test ?? 'outside of a test'}` : ''
  const tests = outcome === 'survived' ? ` ${ran} of ${reaching} test files` : ''
  return `${done}/${total} ${outcome}${how}${tests} (${seconds} s)  ${file}:${line} ${name}`
}
