/**
 * `bun run bench NAME [--quick]`: measures, prints, and writes docs/benchmarks.md. A benchmark runs ours
 * and its peer side by side in one run and prints the ratio; no test depends on a timing.
 */
import { measureCreation } from './creation.ts'
import { Report } from './report.ts'
import { measureSweeps } from './sweeps.ts'
import { measureVisibility } from './visibility.ts'
import { measureWorkers } from './workers.ts'

const BENCHMARKS: Readonly<
  Record<string, readonly ((report: Report, quick: boolean) => Promise<void>)[]>
> = {
  invoices: [measureCreation, measureVisibility, measureSweeps],
  creation: [measureCreation],
  visibility: [measureVisibility],
  sweeps: [measureSweeps],
  workers: [measureWorkers],
}

const [name = '', ...flags] = process.argv.slice(2)
const benchmark = BENCHMARKS[name]
if (!benchmark || flags.some((flag) => flag !== '--quick')) {
  console.error(`usage: bun run bench ${Object.keys(BENCHMARKS).join('|')} [--quick]`)
  process.exit(2)
}
const report = new Report()
for (const measure of benchmark) await measure(report, flags.includes('--quick'))
report.save()
process.exit(0)
