import { ms, percentile, type Report } from '../report.ts'
import { BLOCK_MS, COUNTS, type Fleet, QUOTA_CORES } from './fleet.ts'
import { findLimit, type Limit, observe, shareByTime, shareOf } from './ramp.ts'
import type { Series } from './series.ts'
import type { Payments } from './visible.ts'

/** How much 1, 2 and 4 processes of a kind carry under a load that rises. */

const STEP_SECONDS = 4
const QUICK_STEP_SECONDS = 3
/** Long enough that the code of a process that was just added is compiled, too; before any is held. */
const WARM_UP_SECONDS = 20
const WARM_UP_FACTOR = 2
/** Of what so many processes would carry if each brought as much as the first, this share is offered first. */
const BEGIN_AT = 0.5
/** Invoices that are paid while the load is half of the limit, and for how long it is. */
const PAID = 10
const VISIBLE_SECONDS = 12

interface Measured extends Limit {
  readonly processes: number
  /** From block to visible, in ms; empty where nothing was paid. */
  readonly visible: readonly number[]
}

export async function measureRising(
  report: Report,
  fleet: Fleet,
  payments: Payments,
  series: Series,
  isQuick: boolean,
): Promise<void> {
  const { kind, others, first, mostMs, prepare } = series
  const seconds = isQuick ? QUICK_STEP_SECONDS : STEP_SECONDS
  console.log(series.title)
  const measured: Measured[] = []
  for (const processes of COUNTS) {
    fleet.hold([])
    await fleet.become({ ...others, [kind]: processes })
    await Bun.sleep(series.restMs)
    const warmUp = await prepare(WARM_UP_FACTOR * first * processes, WARM_UP_SECONDS)
    await warmUp()
    fleet.hold([kind])
    console.log(` ${processes} x ${kind}`)
    const [one] = measured
    const begin = Math.max(first, BEGIN_AT * (one?.perSecond ?? 0)) * processes
    const limit = await findLimit({ first: begin, mostMs }, async (perSecond) =>
      observe(fleet, [kind], await prepare(perSecond, seconds)),
    )
    const visible = series.isVisible ? await visibleBeside(payments, series, limit) : []
    measured.push({ ...limit, processes, visible })
  }
  report.table(series.title, noteOf(series), rowsOf(series, measured))
}

async function visibleBeside(
  payments: Payments,
  { prepare }: Series,
  { perSecond }: Limit,
): Promise<number[]> {
  const load = await prepare(perSecond / 2, VISIBLE_SECONDS)
  const [visible] = await Promise.all([payments.pay(PAID), load()])
  return visible
}

function noteOf({ note, kind, mostMs }: Series): string {
  return `${note} Each ${kind} process is held to ${QUOTA_CORES} of a processor; Postgres, which doesn't wait for the disk here, Redis, the chain with blocks of ${BLOCK_MS} ms, and the load generator, which spreads its requests over the processes itself, share the machine. The load rises until p99 passes ${mostMs} ms.`
}

function rowsOf({ unit, kind, isVisible }: Series, measured: readonly Measured[]): string[][] {
  const header = [
    ...[`${kind} processes`, unit, 'share of each added', 'p50', 'p99'],
    ...(isVisible ? ['visible'] : []),
    ...['CPU of each process', 'by second of their CPU', "of the first one's"],
    ...['CPU of Postgres', 'beyond it'],
  ]
  const [first] = measured
  const rows = measured.map((row, i) => {
    const { processes, perSecond, p50, p99, used, visible, reason } = row
    const before = measured[i - 1]
    const share = first && before ? shareOf(first.perSecond, before, row).toFixed(2) : ''
    return [
      ...[String(processes), perSecond.toFixed(0), share, ms(p50), ms(p99)],
      ...(isVisible ? [ms(percentile(visible, 0.5))] : []),
      ...[(used.held / processes).toFixed(2), (perSecond / used.held).toFixed(0)],
      first && before
        ? shareByTime({ ...first, held: first.used.held }, { perSecond, held: used.held }).toFixed(
            2,
          )
        : '',
      ...[used.database.toFixed(2), reason],
    ]
  })
  return [header, ...rows]
}
