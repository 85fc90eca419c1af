import type { Logger } from 'pino'
import { Aside, isOwnFault, type Setback } from '../aside.ts'

const PAUSES = { firstMs: 1_000, longestMs: 600_000 } as const

/**
 * The ledger's work on what is no invoice, each thing by itself: one that can't be worked on is put aside for a
 * while and logged, and delays no other. Faults of the node or the database are thrown.
 */
export class OtherWork {
  private readonly aside = new Aside<string>(PAUSES)

  constructor(private readonly log: Logger) {}

  /** The ids of a kind that are put aside now; queries leave them out, so that they fill no page. */
  waiting(kind: string): string[] {
    const prefix = nameOf(kind, '')
    return this.aside
      .waiting()
      .flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  }

  /** What failed and has not worked since, but for what nobody has worked on for long. */
  setbacks(now: Date): (readonly [string, Setback])[] {
    const earliest = now.getTime() - PAUSES.longestMs
    return [...this.aside.all()].filter(([, { until }]) => until > earliest)
  }

  /** Works on one thing, unless it is put aside. Null then, and when that has failed by its own fault. */
  async alone<T>(kind: string, id: string, work: () => Promise<T>): Promise<T | null> {
    const name = nameOf(kind, id)
    if (this.aside.has(name)) return null
    const before = this.aside.all().get(name)
    try {
      const result = await work()
      // The work itself may have put it aside.
      if (this.aside.all().get(name) === before) this.aside.forget(name)
      return result
    } catch (error) {
      if (!isOwnFault(error)) throw error
      this.put(kind, id, error)
      return null
    }
  }

  /** Works on all of these at once, which costs least; when that fails by the fault of one, on each by itself. */
  async together<Thing, T>(
    kind: string,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    const isKnown = (thing: Thing) => this.aside.isKnown(nameOf(kind, idOf(thing)))
    // What failed before is tried alone, so that it doesn't make the others go one by one each time.
    const results = await this.each(kind, things.filter(isKnown), idOf, (one) => work([one]))
    const healthy = things.filter((thing) => !isKnown(thing))
    if (healthy.length === 0) return results
    try {
      return [...results, await work(healthy)]
    } catch (error) {
      if (!isOwnFault(error)) throw error
      return [...results, ...(await this.each(kind, healthy, idOf, (one) => work([one])))]
    }
  }

  /** Works on one after the other; the answers are those of the ones that did not fail. */
  async each<Thing, T>(
    kind: string,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (thing: Thing) => Promise<T>,
  ): Promise<T[]> {
    const results: T[] = []
    for (const thing of things) {
      const done = await this.alone(kind, idOf(thing), async () => [await work(thing)])
      results.push(...(done ?? []))
    }
    return results
  }

  /** Puts something aside that a person has to look at, or that failed. */
  put(kind: string, id: string, error: unknown): void {
    const { failures, pauseMs } = this.aside.put(nameOf(kind, id), error)
    this.log.error({ err: error, subject: nameOf(kind, id), failures, pauseMs }, 'put aside')
  }
}

function nameOf(kind: string, id: string): string {
  return `${kind} ${id}`
}
