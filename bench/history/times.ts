import { percentile } from '../report.ts'

/** Times in ms by the name of what took them. */
export type Times = ReadonlyMap<string, readonly number[]>

export function addTime(times: Map<string, number[]>, name: string, took: number): void {
  const known = times.get(name)
  if (known === undefined) times.set(name, [took])
  else known.push(took)
}

/** What one thing takes on an empty and on a seeded database, in ms. */
export interface Comparison {
  readonly name: string
  readonly empty: number
  readonly seeded: number
}

/** The least that something may take longer, in ms, before it counts as longer. */
const NOISE_MS = 5
const TIMES_LONGER = 2

export function isLonger({ empty, seeded }: Comparison): boolean {
  return seeded > TIMES_LONGER * empty && seeded > empty + NOISE_MS
}

/**
 * Compares by the median of each pass, of the best pass of each side: other load on the machine
 * lengthens some of the passes, and the cost of the history lengthens all of them. The slowest first; what
 * only one of the two has done is left out.
 */
export function compare(empty: readonly Times[], seeded: readonly Times[]): Comparison[] {
  const before = bestMedians(empty)
  return [...bestMedians(seeded)]
    .flatMap(([name, after]) => {
      const took = before.get(name)
      return took === undefined ? [] : [{ name, empty: took, seeded: after }]
    })
    .toSorted((a, b) => b.seeded - a.seeded)
}

function bestMedians(passes: readonly Times[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>()
  for (const pass of passes) {
    for (const [name, times] of pass) {
      const median = percentile(times, 0.5)
      best.set(name, Math.min(median, best.get(name) ?? median))
    }
  }
  return best
}
