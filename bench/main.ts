/**
 * `bun run bench NAME [--quick]`: measures, prints, and writes docs/benchmarks.md. A benchmark runs ours
 * and its peer side by side in one run and prints the ratio; no test depends on a timing. `bun run bench
 * x402` takes further flags that narrow it down for tuning; see x402/selection.ts.
 */
import { parseArgs } from 'node:util'
import { measureCreation } from './creation.ts'
import { Report } from './report.ts'
import { measureSweeps } from './sweeps.ts'
import { measureVisibility } from './visibility.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWorkers } from './workers.ts'
import { parseSelection } from './x402/selection.ts'
import { measureX402 } from './x402.ts'

const BENCHMARKS: Readonly<
  Record<string, readonly ((report: Report, quick: boolean) => Promise<void>)[]>
> = {
  invoices: [measureCreation, measureVisibility, measureSweeps],
  creation: [measureCreation],
  visibility: [measureVisibility],
  sweeps: [measureSweeps],
  workers: [measureWorkers],
  webhooks: [measureWebhooks],
}

const report = new Report()
const measures = measuresOf(process.argv.slice(2))
for (const measure of measures) await measure()
report.save()
process.exit(0)

function measuresOf(args: string[]): readonly (() => Promise<void>)[] {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        blocks: { type: 'string' },
        callers: { type: 'string' },
        side: { type: 'string' },
      },
    })
    const [name = '', ...others] = positionals
    if (others.length > 0) usage()
    if (name === 'x402') {
      const selection = parseSelection(values)
      return [() => measureX402(report, selection)]
    }
    const benchmark = BENCHMARKS[name]
    const { quick, ...narrowing } = values
    if (!benchmark || Object.keys(narrowing).length > 0) usage()
    return benchmark.map((measure) => () => measure(report, quick))
  } catch (error) {
    if (error instanceof TypeError) usage(error.message)
    throw error
  }
}

function usage(problem = ''): never {
  if (problem !== '') console.error(problem)
  console.error(`usage: bun run bench ${Object.keys(BENCHMARKS).join('|')} [--quick]
       bun run bench x402 [--quick] [--only PART,...] [--blocks SECONDS|automine,...]
                          [--callers NUMBER,...] [--side ours|reference]`)
  process.exit(2)
}
