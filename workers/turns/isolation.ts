import type { Logger } from 'pino'
import {
  isCallFault,
  isRateLimited,
  isRpcFault,
  isUnknownBlock,
  rpcErrorIn,
} from '../../chain/rpc/faults.ts'
import {
  DatabaseBehindError,
  isContention,
  isDatabaseDown,
  isStatementTimeout,
} from '../../store/database/database.ts'
import type { Scope } from '../../store/database/scope.ts'
import type { Alarm } from '../../store/turns/alarms.ts'
import { type Pauses, Quarantine, type Setback } from './quarantine.ts'

/**
 * The one way to work on many things. A batch that fails is halved down to the thing that makes it fail; any
 * fault of one thing quarantines it, and the others continue. Only a node that answers nothing, or a database
 * that is down, is thrown, and ends a turn.
 */

/** Cheap questions that show whether the node and the database answer at all. Each throws when it doesn't. */
export interface Probe {
  node(): Promise<unknown>
  database(): Promise<unknown>
}

const notProbed = () => Promise.reject(new Error('not probed'))
/** Nothing is known to answer. */
export const NO_PROBE: Probe = { node: notProbed, database: notProbed }

/**
 * Whose fault an error is: of what was worked on (`own`), of something that passes, as a lost lock or a node
 * that lags (`passing`), or of the node or the database (`everyone`), which is so only where the probe fails
 * too.
 */
export type Fault = 'own' | 'passing' | 'everyone'

export async function faultOf(error: unknown, probe: Probe): Promise<Fault> {
  // What would be signed next may have been signed before.
  if (error instanceof DatabaseBehindError) return 'everyone'
  if (isDatabaseDown(error)) return (await answers(probe.database)) ? 'passing' : 'everyone'
  // A statement that takes too long takes too long for what it was about.
  if (isStatementTimeout(error)) return 'own'
  if (isContention(error) || isUnknownBlock(error)) return 'passing'
  if (!isRpcFault(error) || rpcErrorIn(error) !== null || isCallFault(error)) return 'own'
  if (!(await answers(probe.node))) return 'everyone'
  return isRateLimited(error) ? 'passing' : 'own'
}

async function answers(query: () => Promise<unknown>): Promise<boolean> {
  return query().then(
    () => true,
    () => false,
  )
}

/** After the first failure, and at most. */
const PAUSES: Pauses = { firstMs: 1_000, longestMs: 600_000 }
const ALARMS_MAX = 100

export interface IsolationOptions {
  readonly probe?: Probe
  readonly pauses?: Pauses
  /** How a thing is named; by its kind and id, unless all are of one kind. */
  readonly nameOf?: (kind: string, id: string) => string
  /** How many things `each` works on at the same time, unless it is said; one after the other. */
  readonly concurrency?: number
  readonly clock?: () => number
  /** True where queries leave out what is quarantined, and the rest is tried in any case. */
  readonly isAlwaysTried?: boolean
  /** What was due again for so long and not tried, in ms, has nothing left to be done; the longest pause by default. */
  readonly untriedMs?: number
}

/**
 * Works on things that are known by a kind and an id, each alone: one that can't be worked on is quarantined and
 * logged, and delays no other. Faults of the node or the database are thrown.
 */
export class Isolation<Kind extends string = string> {
  readonly quarantine: Quarantine<string>
  private readonly probe: Probe
  private readonly pauses: Pauses
  private readonly nameOf: (kind: string, id: string) => string

  constructor(
    private readonly log: Logger,
    private readonly options: IsolationOptions = {},
  ) {
    this.probe = options.probe ?? NO_PROBE
    this.pauses = options.pauses ?? PAUSES
    this.nameOf = options.nameOf ?? ((kind, id) => `${kind} ${id}`)
    this.quarantine = new Quarantine(this.pauses, options.clock)
  }

  /** The ids of a kind that are quarantined now; queries leave them out, so that they fill no page. */
  waiting(kind: Kind, now?: Date): string[] {
    return this.idsIn(kind, this.quarantine.waiting(now?.getTime()))
  }

  /** The ids of a kind that have failed and are due again. */
  retried(kind: Kind): string[] {
    const { quarantine } = this
    const due = [...quarantine.all().keys()].filter((name) => !quarantine.has(name))
    return this.idsIn(kind, due)
  }

  /** What failed and has not succeeded since, except what nobody works on any more. */
  setbacks(now: Date): (readonly [string, Setback])[] {
    const earliest = now.getTime() - (this.options.untriedMs ?? this.pauses.longestMs)
    return [...this.quarantine.all()].filter(([, { until }]) => until > earliest)
  }

  /** The same for the operator. */
  alarms(now: Date): Alarm[] {
    const told = this.setbacks(now).slice(0, ALARMS_MAX)
    return told.map(([subject, { reason, since }]) => {
      return { kind: 'aside', subject, detail: reason, since: new Date(since) }
    })
  }

  /** Quarantines something that failed, or that an operator has to decide. */
  put(kind: Kind, id: string, error: unknown): void {
    const name = this.nameOf(kind, id)
    this.report(name, error, this.quarantine.put(name, error))
  }

  /** Something works again. */
  forget(kind: Kind, id: string): void {
    this.quarantine.forget(this.nameOf(kind, id))
  }

  /** Releases everything of a kind. */
  forgetAll(kind: Kind): void {
    for (const id of this.idsIn(kind, [...this.quarantine.all().keys()])) this.forget(kind, id)
  }

  /** Works on one thing, unless it is quarantined. Null then, and when that has failed. */
  async alone<T>(kind: Kind, id: string, work: () => Promise<T>): Promise<T | null> {
    const { quarantine } = this
    const name = this.nameOf(kind, id)
    if (!this.options.isAlwaysTried && quarantine.has(name)) return null
    const before = quarantine.find(name)
    try {
      const result = await work()
      // The work itself may have quarantined it.
      if (quarantine.find(name) === before) quarantine.forget(name)
      return result
    } catch (error) {
      await this.note(kind, id, error)
      return null
    }
  }

  /** Works on each of these, so many at a time; the answers are those of the ones that did not fail. */
  async each<Thing, T>(
    kind: Kind,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (thing: Thing) => Promise<T>,
    concurrency = this.options.concurrency ?? 1,
  ): Promise<T[]> {
    const results: T[] = []
    const queue = things.values()
    let isOver = false
    const worker = async () => {
      for (const thing of queue) {
        if (isOver) return
        try {
          const done = await this.alone(kind, idOf(thing), async () => [await work(thing)])
          results.push(...(done ?? []))
        } catch (error) {
          isOver = true
          throw error
        }
      }
    }
    const workers = Array.from({ length: Math.min(concurrency, things.length) }, worker)
    // All have ended by then: nothing of this turn continues into the next one.
    const failed = (await Promise.allSettled(workers)).find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
    return results
  }

  /**
   * Works on all of these at once, which costs least; when that fails, on halves of them. What failed before
   * is tried alone and last, so that it doesn't have the others halved each time.
   */
  async together<Thing, T>(
    kind: Kind,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    const { quarantine } = this
    const { isAlwaysTried = false } = this.options
    const isWaiting = (thing: Thing) => quarantine.has(this.nameOf(kind, idOf(thing)))
    const ready = things.filter((thing) => isAlwaysTried || !isWaiting(thing))
    const isKnown = (thing: Thing) => quarantine.isKnown(this.nameOf(kind, idOf(thing)))
    const [healthy, suspects] = [ready.filter((one) => !isKnown(one)), ready.filter(isKnown)]
    const results = await this.halving(kind, healthy, idOf, work)
    return [...results, ...(await this.each(kind, suspects, idOf, (one) => work([one]), 1))]
  }

  /**
   * Tries halves of things that have failed together by `error`, and halves of those, until one has a result. What fails
   * alone is quarantined; but where each of several does, only the first, because that is no fault of theirs.
   */
  async firstOfHalves<Thing, T>(
    kind: Kind,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    error: unknown,
    work: (things: readonly Thing[]) => Promise<T | null>,
  ): Promise<T | null> {
    const failed: [Thing, unknown][] = []
    const halve = async (some: readonly Thing[], reason: unknown): Promise<T | null> => {
      const [only] = some
      if (only !== undefined && some.length === 1) failed.push([only, reason])
      const middle = Math.ceil(some.length / 2)
      for (const half of some.length < 2 ? [] : [some.slice(0, middle), some.slice(middle)]) {
        const result = await work(half).catch(async (fault) => {
          if ((await faultOf(fault, this.probe)) === 'everyone') throw fault
          return halve(half, fault)
        })
        if (result !== null) return result
      }
      return null
    }
    const result = await halve(things, error)
    const isOfAll = failed.length > 1 && failed.length === things.length
    for (const [thing, reason] of isOfAll ? failed.slice(0, 1) : failed) {
      this.put(kind, idOf(thing), reason)
    }
    return result
  }

  /**
   * Does what one statement does with all that it finds itself, which costs least; when that fails, with what
   * `find` returns, halved. Both leave out what is quarantined.
   */
  async found<Id extends string, T>(
    kind: Kind,
    brand: (id: string) => Id,
    find: (without: readonly Id[]) => Promise<readonly Id[]>,
    work: (scope: Scope<Id>) => Promise<T>,
  ): Promise<T[]> {
    const without = this.waiting(kind).map(brand)
    try {
      return [await work({ of: null, without })]
    } catch (error) {
      if ((await faultOf(error, this.probe)) === 'everyone') throw error
      return this.together(kind, await find(without), String, (of) => work({ of, without: [] }))
    }
  }

  private idsIn(kind: Kind, names: readonly string[]): string[] {
    const prefix = this.nameOf(kind, '')
    return names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  }

  private async halving<Thing, T>(
    kind: Kind,
    things: readonly Thing[],
    idOf: (thing: Thing) => string,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    if (things.length < 2) return this.each(kind, things, idOf, (one) => work([one]))
    try {
      return [await work(things)]
    } catch (error) {
      const fault = await faultOf(error, this.probe)
      if (fault === 'everyone') throw error
      // The lock that one of them waits for is waited for once more, and not by each half that has it.
      if (fault === 'passing' && isContention(error))
        return this.each(kind, things, idOf, (one) => work([one]))
      const middle = Math.ceil(things.length / 2)
      const first = await this.halving(kind, things.slice(0, middle), idOf, work)
      return [...first, ...(await this.halving(kind, things.slice(middle), idOf, work))]
    }
  }

  /** Takes a thing's failure down, or throws it when it concerns everyone. */
  private async note(kind: Kind, id: string, error: unknown): Promise<void> {
    const fault = await faultOf(error, this.probe)
    if (fault === 'everyone') throw error
    if (fault === 'own') return this.put(kind, id, error)
    const name = this.nameOf(kind, id)
    if (!this.quarantine.lose(name, error)) return
    const setback = this.quarantine.find(name)
    if (setback !== undefined) this.report(name, error, setback)
  }

  private report(subject: string, err: unknown, { failures, pauseMs }: Setback): void {
    this.log.error({ err, subject, failures, pauseMs }, 'quarantined')
  }
}
