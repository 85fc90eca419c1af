import { type Alarm, type AlarmKind, replaceAlarms } from '../../store/relayer/alarms.ts'
import type { RelayerContext } from './context.ts'

/** What an operator must know of, and what only this process sees: stored for /ready. */

/** An alarm that was not raised again for so long is over, in ms. */
const LASTS_MS = 60_000
/** How often what lasts is stored again, and how long it is heard, in ms. */
const REPEAT_MS = 15_000
const HEARD_FOR_MS = 60_000
/** A used nonce without a receipt is nothing to report before this, in ms. */
const RECEIPT_LATE_MS = 5 * 60_000
const ALARMS_MAX = 100

/** Raises an alarm. What lasts is raised again at every turn. */
export function raise(
  { memory }: RelayerContext,
  kind: AlarmKind,
  subject: string,
  detail: string,
): void {
  const name = `${kind} ${subject}`
  const now = Date.now()
  const since = memory.alarms.get(name)?.since ?? now
  memory.alarms.set(name, { kind, subject, detail, since, at: now })
}

/** Stores what is so now, when that has changed and now and then. */
export async function publishAlarms(context: RelayerContext): Promise<void> {
  const { memory, database, networkId, workerId } = context
  const alarms = currentAlarms(context)
  const text = alarms.map(({ kind, subject }) => `${kind} ${subject}`).join('\n')
  const { published } = memory
  const isPublished = published?.text === text && Date.now() - published.at < REPEAT_MS
  // A worker that has never had an alarm publishes nothing.
  if (isPublished || (alarms.length === 0 && (published?.text ?? '') === '')) return
  await replaceAlarms(database, { networkId, workerId, forMs: HEARD_FOR_MS }, alarms)
  memory.published = { text, at: Date.now() }
}

function currentAlarms({ memory, accounts }: RelayerContext): Alarm[] {
  const now = Date.now()
  const alarms: Alarm[] = []
  for (const [name, { kind, subject, detail, since, at }] of memory.alarms) {
    if (now - at > LASTS_MS) memory.alarms.delete(name)
    else alarms.push({ kind, subject, detail, since: new Date(since) })
  }
  for (const [subject, { reason, since }] of memory.quarantine.all()) {
    alarms.push({ kind: 'aside', subject, detail: reason, since: new Date(since) })
  }
  for (const [subject, answer] of memory.operators) {
    if (answer.isOperator || !accounts.has(subject)) continue
    const detail = 'the hub does not know it as an operator'
    alarms.push({ kind: 'operator', subject, detail, since: new Date(now) })
  }
  const late = [
    ...[...memory.missing].map(([id, { since }]) => ({ subject: `transaction ${id}`, since })),
    ...[...memory.overtaken].map(([address, { since }]) => ({ subject: address, since })),
  ]
  for (const { subject, since } of late.filter((one) => now - one.since > RECEIPT_LATE_MS)) {
    const detail = 'its account nonce is used, and no node shows by which transaction'
    alarms.push({ kind: 'nonce', subject, detail, since: new Date(since) })
  }
  return alarms.slice(0, ALARMS_MAX)
}
