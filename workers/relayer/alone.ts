import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { openItems } from '../../store/relayer/workItems.ts'
import { Steps } from '../turns/steps.ts'
import type { RelayerContext } from './context.ts'

/**
 * The one way in which a relayer works on many things: each alone. What fails is quarantined with its error and
 * retried later. Only faults of the node as a whole or of the database are thrown.
 */

/** What a step works on, as logs and alarms name it; each step has its own pauses. */
export const STAGES = [
  'lease',
  'nonce',
  'operator',
  'watch',
  'balance',
  'observe',
  'renew',
  'deliver',
  'assign',
  'decide',
  'confirm',
  'final',
  'step',
] as const
export type Stage = (typeof STAGES)[number]

export function txName({ id }: Pick<RelayerTx, 'id'>): string {
  return `transaction ${id}`
}

export function itemName(id: bigint): string {
  return `work item ${id}`
}

/** Works on one thing, unless it is quarantined. Null then, and when the work has failed. */
export function alone<T>(
  context: RelayerContext,
  stage: Stage,
  name: string,
  work: () => Promise<T>,
): Promise<T | null> {
  return stepsOf(context, stage).alone(stageKey(stage, name), work)
}

/** Works on each of these at the same time; the answers are those of the ones that did not fail. */
export function eachAlone<Thing, T>(
  context: RelayerContext,
  stage: Stage,
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  work: (thing: Thing) => Promise<T>,
): Promise<T[]> {
  const keyOf = (thing: Thing) => stageKey(stage, nameOf(thing))
  return stepsOf(context, stage).each(things, keyOf, work, things.length)
}

/** Works on all of these at once, which costs least; when that fails, on halves of them. */
export function together<Thing, T>(
  context: RelayerContext,
  stage: Stage,
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  work: (things: readonly Thing[]) => Promise<T>,
): Promise<T[]> {
  return stepsOf(context, stage).together(things, (thing) => stageKey(stage, nameOf(thing)), work)
}

/** Quarantines something that failed. */
export function quarantine(
  context: RelayerContext,
  stage: Stage,
  name: string,
  error: unknown,
): void {
  stepsOf(context, stage).put(stageKey(stage, name), error)
}

function stepsOf({ memory, probe, log }: RelayerContext, stage: Stage): Steps<string> {
  return new Steps({
    quarantine: memory.quarantine,
    probe,
    onQuarantined: (key, err, { failures, pauseMs }) => {
      const subject = key.slice(stageKey(stage, '').length)
      log.error({ err, stage, subject, failures, pauseMs }, 'quarantined')
    },
  })
}

/** Something works again. */
export function forget({ memory }: RelayerContext, stage: Stage, name: string): void {
  memory.quarantine.forget(stageKey(stage, name))
}

/** The work items that a step is to leave alone now. */
export function quarantinedItems({ memory }: RelayerContext, stage: Stage): bigint[] {
  return memory.quarantine.waiting().flatMap((key) => itemIn(key, stage) ?? [])
}

/** What others have carried out or ended is not tried again here: its alarm is over. */
export async function forgetEnded({ memory, database }: RelayerContext): Promise<void> {
  const { quarantine } = memory
  const due = [...quarantine.all().keys()].flatMap((key) => {
    const id = quarantine.has(key) ? null : (itemIn(key, 'assign') ?? itemIn(key, 'decide'))
    return id === null ? [] : [{ key, id }]
  })
  if (due.length === 0) return
  const open = await openItems(
    database,
    due.map(({ id }) => id),
  )
  for (const { key, id } of due) if (!open.has(id)) quarantine.forget(key)
}

/** The work item of a key of this stage; null when it is about something else. */
function itemIn(key: string, stage: Stage): bigint | null {
  const prefix = stageKey(stage, 'work item ')
  return key.startsWith(prefix) ? BigInt(key.slice(prefix.length)) : null
}

function stageKey(stage: Stage, name: string): string {
  return `${stage} ${name}`
}
