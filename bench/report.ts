import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

const RESULTS = join(import.meta.dirname, 'results')

/** From this load on a table says that the machine was not its own. */
const BUSY = 2

/** Prints the tables of a benchmark as they are measured, and replaces them in its file of results at the end. */
export class Report {
  private readonly sections = new Map<string, string>()
  private readonly otherWork = loadavg()[0] ?? 0

  constructor(private readonly benchmark: string) {}

  /** Adds one table. Cells are text; the first row is the header. */
  table(title: string, note: string, rows: readonly (readonly string[])[]): void {
    const [header = [], ...body] = rows
    const lines = [header, header.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`)
    const text = `${note}\n\n${lines.join('\n')}\n\n${machine(this.otherWork)}`
    console.log(`\n## ${title}\n\n${text}`)
    this.sections.set(title, text)
  }

  /** Tables that were not measured this time stay. */
  save(): void {
    const file = join(RESULTS, `${this.benchmark}.md`)
    const kept = existsSync(file) ? sectionsOf(readFileSync(file, 'utf8')) : new Map()
    const all = new Map([...kept, ...this.sections])
    const text = [...all].map(([title, body]) => `\n## ${title}\n\n${body.trim()}\n`)
    writeFileSync(file, titleOf(this.benchmark) + text.join(''))
  }
}

function titleOf(benchmark: string): string {
  return `# Results of \`bun run bench ${benchmark}\`

What is measured, and how to read it: [Benchmarks](../../docs/benchmarks.md).
`
}

function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end + 1).trim()]
    }),
  )
}

/** What measured; `load` is how many processes wanted a processor in the minute before. */
function machine(load: number): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  const others =
    load < BUSY ? '' : `, beside other work: a load of ${load.toFixed(0)} before it began`
  return `*${processors.length} x ${model}, ${memory} GiB, Bun ${Bun.version}, ${date}${others}.*`
}

/** The value below which a share of the samples lies; `share` is 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
}
