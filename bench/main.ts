/**
 * `bun run bench NAME [--quick]`: measures, prints, and writes docs/benchmarks.md. A benchmark runs ours
 * and its peer side by side in one run and prints the ratio; no test depends on a timing. `bun run bench
 * x402` takes further flags that narrow it down for tuning; see x402/selection.ts.
 */
import { parseArgs } from 'node:util'
import { measureAmsterdam } from './amsterdam.ts'
import { measureCatchUp } from './catchup.ts'
import { measureLighthouse } from './checkout/lighthouse.ts'
import { measurePace } from './checkout/pace.ts'
import { measurePixels } from './checkout/pixels.ts'
import { measureSizes } from './checkout/sizes.ts'
import { measureStreams } from './checkout/streams.ts'
import { measureCreation } from './creation.ts'
import { measureDashboard } from './dashboard.ts'
import { parseSeries } from './fleet/series.ts'
import { measureFleet } from './fleet.ts'
import { measureFlood } from './flood.ts'
import { parseHistory } from './history/selection.ts'
import { measureHistory } from './history.ts'
import { measurePoison } from './poison.ts'
import { Report } from './report.ts'
import { measureRpc } from './rpc.ts'
import { measureSoak, parseSoak } from './soak.ts'
import { measureSweeps } from './sweeps.ts'
import { measureVisibility } from './visibility.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWorkers } from './workers.ts'
import { measureAttack } from './x402/attack.ts'
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
  rpc: [measureRpc],
  webhooks: [measureWebhooks],
  attack: [measureAttack],
  flood: [measureFlood],
  poison: [measurePoison],
  catchup: [measureCatchUp],
  amsterdam: [measureAmsterdam],
  checkout: [measureSizes, measurePace, measurePixels, measureStreams, measureLighthouse],
  pages: [measureSizes, measurePace],
  pixels: [measurePixels],
  streams: [measureStreams],
  lighthouse: [measureLighthouse],
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
        invoices: { type: 'string' },
        postgres: { type: 'string' },
        keep: { type: 'string' },
        minutes: { type: 'string' },
        limit: { type: 'string' },
      },
    })
    const [name = '', ...surplus] = positionals
    if (surplus.length > 0) usage()
    const { invoices, postgres, keep, minutes, limit, ...others } = values
    if (name === 'soak') {
      const selection = parseSoak({ quick: values.quick, minutes, limit })
      return [() => measureSoak(report, selection)]
    }
    if (minutes !== undefined || limit !== undefined) usage()
    if (name === 'history') {
      const selection = parseHistory({ quick: values.quick, invoices, postgres, keep })
      return [() => measureHistory(report, selection)]
    }
    if (name === 'dashboard') {
      const flags = { quick: values.quick, invoices: invoices ?? usualInvoices(values.quick) }
      const selection = parseHistory({ ...flags, postgres, keep })
      return [() => measureDashboard(report, selection, values.quick)]
    }
    if ([invoices, postgres, keep].some((flag) => flag !== undefined)) usage()
    if (name === 'x402') {
      const selection = parseSelection(others)
      return [() => measureX402(report, selection)]
    }
    const { quick, ...narrowing } = others
    if (name === 'fleet') {
      const { only, ...unknown } = narrowing
      if (Object.keys(unknown).length > 0) usage()
      const series = parseSeries(only)
      return [() => measureFleet(report, series, quick)]
    }
    const benchmark = BENCHMARKS[name]
    if (!benchmark || Object.keys(narrowing).length > 0) usage()
    return benchmark.map((measure) => () => measure(report, quick))
  } catch (error) {
    if (error instanceof TypeError) usage(error.message)
    throw error
  }
}

/** How many invoices the lists of the dashboard are measured with. */
function usualInvoices(quick: boolean): string {
  return quick ? '50000' : '1000000'
}

function usage(problem = ''): never {
  if (problem !== '') console.error(problem)
  console.error(`usage: bun run bench ${Object.keys(BENCHMARKS).join('|')} [--quick]
       bun run bench x402 [--quick] [--only PART,...] [--blocks SECONDS|automine,...]
                          [--callers NUMBER,...] [--side ours|reference]
       bun run bench fleet [--quick] [--only SERIES,...]
       bun run bench soak [--quick] [--minutes NUMBER] [--limit PAYMENTS_A_SECOND]
       bun run bench dashboard [--quick] [--invoices NUMBER] [--postgres FOLDER] [--keep FOLDER]
       bun run bench history [--quick] [--invoices NUMBER] [--postgres FOLDER] [--keep FOLDER]`)
  process.exit(2)
}
