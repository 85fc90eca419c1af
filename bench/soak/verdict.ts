import type { Sample, TableSample } from './samples.ts'

/** Whether what was sampled stays flat: straight lines are fitted, and compared with the bounds below. */

export interface Verdict {
  readonly what: string
  /** At the begin and at the end of the assessed time, by the line. */
  readonly first: number
  readonly last: number
  readonly unit: Unit
  /** The most that the line may rise in an hour, or null for a bound that is on the value itself. */
  readonly bound: string
  readonly isFlat: boolean
}

export type Unit = 'MB' | '' | 'B per row' | '%'

/** Before this share of the time has passed, code is still compiled and caches fill. */
export const SETTLING = 0.25
/** Growth in an hour that is none: what collectors of garbage and the system leave to chance. */
const GROWTH = 0.1
const MEMORY_SLACK_MB = 16
const FEW = 5
/** Autovacuum comes when a fifth of a table is dead (its default), and at most once a minute. */
const DEAD_MOST = 0.3
/** Of history: a table with a row for each transaction of a relayer has a few thousand in an hour, of many kB each. */
const ROWS_LEAST = 1_000
/** Tables that hold work or heads and not history: their size itself must not grow. */
const SMALL_SLACK_MB = 8
const MB = 2 ** 20

/** @throws Error with fewer than three samples after the start. */
export function assess(samples: readonly Sample[]): Verdict[] {
  const end = samples.at(-1)?.minutes ?? 0
  const settled = samples.filter(({ minutes }) => minutes >= end * SETTLING)
  if (settled.length < 3) throw new Error('too few samples to fit a line')
  return [...ofProcesses(settled), ofConnections(settled), ...ofTables(settled)]
}

function ofProcesses(samples: readonly Sample[]): Verdict[] {
  const names = samples[0]?.processes.map(({ name }) => name) ?? []
  return names.flatMap((name) => {
    const of = (value: 'memory' | 'files') => (sample: Sample) =>
      sample.processes.find((one) => one.name === name)?.[value] ?? Number.NaN
    const memory = (sample: Sample) => of('memory')(sample) / MB
    return [
      flat(`memory of ${name}`, 'MB', samples, memory, MEMORY_SLACK_MB),
      flat(`open files of ${name}`, '', samples, of('files'), FEW),
    ]
  })
}

function ofConnections(samples: readonly Sample[]): Verdict {
  return flat('connections to Postgres', '', samples, ({ connections }) => connections, FEW)
}

function ofTables(samples: readonly Sample[]): Verdict[] {
  const last = samples.at(-1)?.tables ?? new Map<string, TableSample>()
  const large = [...last].filter(([, { live }]) => live >= ROWS_LEAST).map(([name]) => name)
  const table = (name: string) => (sample: Sample) => sample.tables.get(name)
  const small = (sample: Sample) =>
    [...sample.tables]
      .filter(([name]) => !large.includes(name))
      .reduce((sum, [, { bytes }]) => sum + bytes, 0) / MB
  return [
    ...large.map((name) => {
      const perRow = (sample: Sample) => {
        const { bytes = 0, live = 0 } = table(name)(sample) ?? {}
        return bytes / live
      }
      return flat(`size of ${name}`, 'B per row', samples, perRow, 0)
    }),
    ...large.map((name) => notDead(name, samples, table(name))),
    flat(`size of all other tables`, 'MB', samples, small, SMALL_SLACK_MB),
  ]
}

/** The mean share of dead rows may be high between two vacuums, but not all the time. */
function notDead(
  name: string,
  samples: readonly Sample[],
  of: (sample: Sample) => TableSample | undefined,
): Verdict {
  const shares = samples.map((sample) => {
    const { dead = 0, live = 0 } = of(sample) ?? {}
    return { x: sample.minutes, y: (100 * dead) / Math.max(1, live + dead) }
  })
  const { first, last } = lineOf(shares)
  const mean = shares.reduce((sum, { y }) => sum + y, 0) / shares.length
  const bound = `a mean of ${DEAD_MOST * 100} %`
  return {
    what: `dead rows of ${name}`,
    first,
    last,
    unit: '%',
    bound,
    isFlat: mean <= DEAD_MOST * 100,
  }
}

function flat(
  what: string,
  unit: Unit,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
  slack: number,
): Verdict {
  const { first, last, perHour } = lineOf(samples.map((one) => ({ x: one.minutes, y: of(one) })))
  const most = Math.max(GROWTH * first, slack)
  const bound = `+${most < 10 ? most.toFixed(1) : most.toFixed(0)} an hour`
  return { what, first, last, unit, bound, isFlat: perHour <= most }
}

/** Least squares. */
export function lineOf(points: readonly { readonly x: number; readonly y: number }[]): {
  first: number
  last: number
  perHour: number
} {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const slope = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
  const at = (minutes: number) => y + slope * (minutes - x)
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  return { first: at(from), last: at(to), perHour: slope * 60 }
}
