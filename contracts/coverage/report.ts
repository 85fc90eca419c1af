/** How often each position of one source was run; the keys are positions. */
export interface Coverage {
  readonly lines: Map<string, number>
  readonly branches: Map<string, number>
}

/** Reads an lcov report: what was run, by source. */
export function coverageIn(report: string): Map<string, Coverage> {
  const sources = new Map<string, Coverage>()
  let current: Coverage | undefined
  for (const row of report.split('\n')) {
    const [kind = '', rest = ''] = row.split(/:(.*)/)
    const [line = '', ...values] = rest.split(',')
    if (kind === 'SF') {
      current = { lines: new Map(), branches: new Map() }
      sources.set(rest, current)
    }
    if (kind === 'DA') current?.lines.set(line, Number(values[0]))
    // A branch whose condition was never reached has a dash.
    if (kind === 'BRDA') {
      const key = `${line} (branch ${values[0]}.${values[1]})`
      current?.branches.set(key, values[2] === '-' ? 0 : Number(values[2]))
    }
  }
  return sources
}

/** One row for each source. */
export function coverageTable(sources: readonly (readonly [string, Coverage])[]): string {
  const width = Math.max(...sources.map(([file]) => file.length))
  const rows = sources.map(([file, { lines, branches }]) => {
    return `${file.padEnd(width)}  lines ${share(lines)}  branches ${share(branches)}`
  })
  return rows.join('\n')
}

/** The positions that no test runs. */
export function neverRun(counts: Map<string, number>): string[] {
  return [...counts].filter(([, hits]) => hits === 0).map(([key]) => key)
}

function share(counts: Map<string, number>): string {
  return `${counts.size - neverRun(counts).length}/${counts.size}`.padStart(7)
}
