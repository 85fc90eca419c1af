import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { isOwnFault, isPassing } from '../aside.ts'
import type { RelayerContext } from './context.ts'

/**
 * The one way in which a relayer works on many things: each by itself. What fails is put aside with its
 * error and tried again later. Only faults of the node as a whole or of the database are thrown.
 */

/** What a step works on, as logs and alarms name it; each step has its own pauses. */
export type Stage =
  | 'observe'
  | 'confirm'
  | 'decide'
  | 'assign'
  | 'renew'
  | 'deliver'
  | 'watch'
  | 'balance'

export function txName({ id }: Pick<RelayerTx, 'id'>): string {
  return `transaction ${id}`
}

export function itemName(id: bigint): string {
  return `work item ${id}`
}

/**
 * Works on one thing, unless it is put aside. The answer is null then, when the work failed, and when
 * it lost against another database transaction or met a node that lags, which the next turn repeats.
 */
export async function alone<T>(
  context: RelayerContext,
  stage: Stage,
  name: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const { aside } = context.memory
  const key = asideKey(stage, name)
  if (aside.has(key)) return null
  try {
    const result = await work()
    aside.forget(key)
    return result
  } catch (error) {
    if (isPassing(error)) return null
    if (!isOwnFault(error)) throw error
    putAside(context, stage, name, error)
    return null
  }
}

/** Works on each of these at the same time; the answers are those of the ones that did not fail. */
export async function eachAlone<Thing, T>(
  context: RelayerContext,
  stage: Stage,
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  work: (thing: Thing) => Promise<T>,
): Promise<T[]> {
  const ends = await Promise.allSettled(
    things.map(async (thing) => {
      const result = await alone(context, stage, nameOf(thing), async () => [await work(thing)])
      return result ?? []
    }),
  )
  // All have ended by now: nothing of this turn goes on into the next one.
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))
}

/**
 * Works on all of these at once, which costs least; when that fails by the fault of one of them, on each
 * by itself. What is put aside is left out.
 */
export async function together<Thing, T>(
  context: RelayerContext,
  stage: Stage,
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  work: (things: readonly Thing[]) => Promise<T>,
): Promise<T[]> {
  const { aside } = context.memory
  const ready = things.filter((thing) => !aside.has(asideKey(stage, nameOf(thing))))
  if (ready.length === 0) return []
  // What failed before is tried alone, so that it doesn't make the others go one by one each time.
  const [suspects, healthy] = [true, false].map((isKnown) =>
    ready.filter((thing) => aside.isKnown(asideKey(stage, nameOf(thing))) === isKnown),
  )
  const results = await eachAlone(context, stage, suspects ?? [], nameOf, (one) => work([one]))
  if (!healthy?.length) return results
  try {
    return [...results, await work(healthy)]
  } catch (error) {
    if (isPassing(error)) return results
    if (!isOwnFault(error)) throw error
    return [...results, ...(await eachAlone(context, stage, healthy, nameOf, (one) => work([one])))]
  }
}

/** Puts something aside that failed. */
export function putAside(
  { memory, log }: RelayerContext,
  stage: Stage,
  name: string,
  error: unknown,
): void {
  const { failures, pauseMs } = memory.aside.put(asideKey(stage, name), error)
  log.error({ err: error, stage, subject: name, failures, pauseMs }, 'put aside')
}

/** Something works again. */
export function forget({ memory }: RelayerContext, stage: Stage, name: string): void {
  memory.aside.forget(asideKey(stage, name))
}

/** The work items that a step is to leave alone now. */
export function itemsAside({ memory }: RelayerContext, stage: Stage): bigint[] {
  const prefix = asideKey(stage, 'work item ')
  return memory.aside
    .waiting()
    .flatMap((key) => (key.startsWith(prefix) ? [BigInt(key.slice(prefix.length))] : []))
}

function asideKey(stage: Stage, name: string): string {
  return `${stage} ${name}`
}
