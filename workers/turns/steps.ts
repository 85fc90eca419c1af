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
import type { Quarantine, Setback } from './quarantine.ts'

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

/** Nothing is known to answer. */
export const NO_PROBE: Probe = {
  node: () => Promise.reject(new Error('not probed')),
  database: () => Promise.reject(new Error('not probed')),
}

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

export interface StepsOptions<Key extends string> {
  readonly quarantine: Quarantine<Key>
  readonly probe: Probe
  /** True where queries leave out what is quarantined, and the rest is tried in any case. */
  readonly isAlwaysTried?: boolean
  /** Called for everything that is quarantined. */
  onQuarantined(key: Key, error: unknown, setback: Setback): void
}

export class Steps<Key extends string> {
  constructor(private readonly options: StepsOptions<Key>) {}

  /** Quarantines something. */
  put(key: Key, error: unknown): void {
    const { quarantine, onQuarantined } = this.options
    onQuarantined(key, error, quarantine.put(key, error))
  }

  /** Works on one thing, unless it is quarantined. Null then, and when that has failed. */
  async alone<T>(key: Key, work: () => Promise<T>): Promise<T | null> {
    const { quarantine, isAlwaysTried } = this.options
    if (!isAlwaysTried && quarantine.has(key)) return null
    const before = quarantine.find(key)
    try {
      const result = await work()
      // The work itself may have quarantined it.
      if (quarantine.find(key) === before) quarantine.forget(key)
      return result
    } catch (error) {
      await this.note(key, error)
      return null
    }
  }

  /** Works on each of these, so many at a time; the answers are those of the ones that did not fail. */
  async each<Thing, T>(
    things: readonly Thing[],
    keyOf: (thing: Thing) => Key,
    work: (thing: Thing) => Promise<T>,
    concurrency = 1,
  ): Promise<T[]> {
    const results: T[] = []
    const queue = things.values()
    let isOver = false
    const worker = async () => {
      for (const thing of queue) {
        if (isOver) return
        try {
          results.push(...((await this.alone(keyOf(thing), async () => [await work(thing)])) ?? []))
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
    things: readonly Thing[],
    keyOf: (thing: Thing) => Key,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    const { quarantine } = this.options
    const ready = things.filter((thing) => !quarantine.has(keyOf(thing)))
    const isKnown = (thing: Thing) => quarantine.isKnown(keyOf(thing))
    const [healthy, suspects] = [ready.filter((one) => !isKnown(one)), ready.filter(isKnown)]
    const results = await this.halving(healthy, keyOf, work)
    return [...results, ...(await this.each(suspects, keyOf, (one) => work([one])))]
  }

  /**
   * Does what one statement does with all that it finds itself, which costs least; when that fails, with what
   * `find` returns, halved. Both leave out what is quarantined.
   */
  async found<Thing, T>(
    all: () => Promise<T>,
    find: () => Promise<readonly Thing[]>,
    keyOf: (thing: Thing) => Key,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    try {
      return [await all()]
    } catch (error) {
      if ((await faultOf(error, this.options.probe)) === 'everyone') throw error
      return this.together(await find(), keyOf, work)
    }
  }

  private async halving<Thing, T>(
    things: readonly Thing[],
    keyOf: (thing: Thing) => Key,
    work: (things: readonly Thing[]) => Promise<T>,
  ): Promise<T[]> {
    if (things.length < 2) return this.each(things, keyOf, (one) => work([one]))
    try {
      return [await work(things)]
    } catch (error) {
      if ((await faultOf(error, this.options.probe)) === 'everyone') throw error
      const middle = Math.ceil(things.length / 2)
      const first = await this.halving(things.slice(0, middle), keyOf, work)
      return [...first, ...(await this.halving(things.slice(middle), keyOf, work))]
    }
  }

  /** Takes a thing's failure down, or throws it when it concerns everyone. */
  private async note(key: Key, error: unknown): Promise<void> {
    const { quarantine, probe, onQuarantined } = this.options
    const fault = await faultOf(error, probe)
    if (fault === 'everyone') throw error
    if (fault === 'own') return this.put(key, error)
    if (!quarantine.lose(key, error)) return
    const setback = quarantine.find(key)
    if (setback !== undefined) onQuarantined(key, error, setback)
  }
}
