import type { Logger } from 'pino'
import type { Scope } from '../../store/database/scope.ts'
import { type Pauses, Quarantine, type Setback } from './quarantine.ts'
import { NO_PROBE, type Probe, Steps } from './steps.ts'

const PAUSES = { firstMs: 1_000, longestMs: 600_000 } as const

/**
 * Work on things that are identified by a kind and an id, each alone: one that can't be worked on is
 * quarantined and logged, and delays no other. Faults of the node or the database are thrown.
 */
export class OtherWork {
  readonly quarantine: Quarantine<string>
  private readonly steps: Steps<string>

  constructor(
    log: Logger,
    probe: Probe = NO_PROBE,
    private readonly pauses: Pauses = PAUSES,
  ) {
    this.quarantine = new Quarantine<string>(pauses)
    this.steps = new Steps({
      quarantine: this.quarantine,
      probe,
      onQuarantined: (subject, err, { failures, pauseMs }) =>
        log.error({ err, subject, failures, pauseMs }, 'quarantined'),
    })
  }

  /** The ids of a kind that are quarantined now; queries leave them out, so that they fill no page. */
  waiting(kind: string): string[] {
    const prefix = nameOf(kind, '')
    return this.quarantine
      .waiting()
      .flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  }

  /** What failed and has not succeeded since, except what was long untouched. */
  setbacks(now: Date): (readonly [string, Setback])[] {
    const earliest = now.getTime() - this.pauses.longestMs
    return [...this.quarantine.all()].filter(([, { until }]) => until > earliest)
  }

  /** Works on one thing, unless it is quarantined. Null then, and when that has failed. */
  alone<T>(kind: string, id: string, work: () => Promise<T>): Promise<T | null> {
    return this.steps.alone(nameOf(kind, id), work)
  }

  /** Works on all of these at once, which costs least; when that fails, on halves of them. */
  together<Thing, T>(
    kind: string,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    return this.steps.together(things, (thing) => nameOf(kind, idOf(thing)), work)
  }

  /**
   * Runs one statement on all that it finds; when that fails, on what `find` returns,
   * halved. What is quarantined is left out.
   */
  found<Id extends string, T>(
    kind: string,
    brand: (id: string) => Id,
    find: (without: readonly Id[]) => Promise<readonly Id[]>,
    work: (scope: Scope<Id>) => Promise<T>,
  ): Promise<T[]> {
    const without = this.waiting(kind).map(brand)
    return this.steps.found(
      () => work({ of: null, without }),
      () => find(without),
      (id) => nameOf(kind, id),
      (of) => work({ of, without: [] }),
    )
  }

  /** Works on each, so many at a time; the answers are those of the ones that did not fail. */
  each<Thing, T>(
    kind: string,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (thing: Thing) => Promise<T>,
    concurrency = 1,
  ): Promise<T[]> {
    return this.steps.each(things, (thing) => nameOf(kind, idOf(thing)), work, concurrency)
  }

  /** Releases everything of a kind. */
  forgetAll(kind: string): void {
    const prefix = nameOf(kind, '')
    for (const name of this.quarantine.all().keys()) {
      if (name.startsWith(prefix)) this.quarantine.forget(name)
    }
  }

  /** Quarantines something that an operator has to decide, or that failed. */
  put(kind: string, id: string, error: unknown): void {
    this.steps.put(nameOf(kind, id), error)
  }
}

function nameOf(kind: string, id: string): string {
  return `${kind} ${id}`
}
