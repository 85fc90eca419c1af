/**
 * `bun run bench NAME [--quick]`: measures, prints, and writes bench/results. A benchmark runs ours
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
import { measureCost } from './cost.ts'
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
import { measureSignatureGas, measureStrangers } from './x402/signatures.ts'
import { measureX402 } from './x402.ts'

type Measure = (report: Report, quick: boolean) => Promise<void>

/** By the file of bench/results that they write: the parts of each benchmark, which can be run alone. */
const BENCHMARKS: Readonly<Record<string, Readonly<Record<string, readonly Measure[]>>>> = {
  invoices: {
    creation: [measureCreation],
    visibility: [measureVisibility],
    sweeps: [measureSweeps],
  },
  workers: { workers: [measureWorkers] },
  rpc: { rpc: [measureRpc] },
  webhooks: { webhooks: [measureWebhooks] },
  attack: { attack: [measureAttack] },
  signatures: { signatureGas: [measureSignatureGas], strangers: [measureStrangers] },
  flood: { flood: [measureFlood] },
  poison: { poison: [measurePoison] },
  catchup: { catchup: [measureCatchUp] },
  amsterdam: { amsterdam: [measureAmsterdam] },
  checkout: {
    pages: [measureSizes, measurePace],
    pixels: [measurePixels],
    streams: [measureStreams],
    lighthouse: [measureLighthouse],
  },
}

const { benchmark, measures } = selected(process.argv.slice(2))
const report = new Report(benchmark)
for (const measure of measures) await measure(report)
report.save()
process.exit(0)

interface Selected {
  readonly benchmark: string
  readonly measures: readonly ((report: Report) => Promise<void>)[]
}

function selected(args: string[]): Selected {
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
        functions: { type: 'boolean', default: false },
      },
    })
    const [name = '', ...surplus] = positionals
    if (surplus.length > 0) usage()
    const { functions, invoices, postgres, keep, minutes, limit, ...others } = values
    const alone = (measure: (report: Report) => Promise<void>): Selected => {
      return { benchmark: name, measures: [measure] }
    }
    if (name === 'soak') {
      const selection = parseSoak({ quick: values.quick, minutes, limit })
      return alone((report) => measureSoak(report, selection))
    }
    if (minutes !== undefined || limit !== undefined) usage()
    if (name === 'history') {
      const selection = parseHistory({ quick: values.quick, invoices, postgres, keep })
      return alone((report) => measureHistory(report, selection))
    }
    if (name === 'dashboard') {
      const flags = { quick: values.quick, invoices: invoices ?? usualInvoices(values.quick) }
      const selection = parseHistory({ ...flags, postgres, keep })
      return alone((report) => measureDashboard(report, selection, values.quick))
    }
    if ([invoices, postgres, keep].some((flag) => flag !== undefined)) usage()
    if (functions && name !== 'cost') usage()
    if (name === 'x402') {
      const selection = parseSelection(others)
      return alone((report) => measureX402(report, selection))
    }
    const { quick, ...narrowing } = others
    if (name === 'fleet' || name === 'cost') {
      const { only, ...unknown } = narrowing
      if (Object.keys(unknown).length > 0) usage()
      if (name === 'cost') {
        const options = { isQuick: quick, only: only?.split(','), hasFunctions: functions }
        return alone((report) => measureCost(report, options))
      }
      const series = parseSeries(only)
      return alone((report) => measureFleet(report, series, quick))
    }
    if (Object.keys(narrowing).length > 0) usage()
    for (const [benchmark, parts] of Object.entries(BENCHMARKS)) {
      const chosen = benchmark === name ? Object.values(parts).flat() : parts[name]
      if (chosen === undefined) continue
      return { benchmark, measures: chosen.map((measure) => (report) => measure(report, quick)) }
    }
    usage()
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
  const names = Object.entries(BENCHMARKS).flatMap(([name, parts]) => [name, ...Object.keys(parts)])
  console.error(`usage: bun run bench ${[...new Set(names)].join('|')} [--quick]
       bun run bench x402 [--quick] [--only PART,...] [--blocks SECONDS|automine,...]
                          [--callers NUMBER,...] [--side ours|reference]
       bun run bench fleet [--quick] [--only SERIES,...]
       bun run bench cost [--quick] [--only WORDS,...] [--functions]
       bun run bench soak [--quick] [--minutes NUMBER] [--limit PAYMENTS_A_SECOND]
       bun run bench dashboard [--quick] [--invoices NUMBER] [--postgres FOLDER] [--keep FOLDER]
       bun run bench history [--quick] [--invoices NUMBER] [--postgres FOLDER] [--keep FOLDER]`)
  process.exit(2)
}
