import type { Queryable } from '../database/database.ts'

/**
 * Alarms of workers for the operator. A worker repeats one as long as it lasts; one that
 * died is heard until its time is over.
 */

/**
 * `turn`: a loop's turns fail. `aside`: an item is quarantined. `operator`: the hub does not let a key send.
 * `fee_ceiling`: the network's fees exceed what nodes let through. `nonce`: an account nonce is used, and
 * nothing shows by whom. `refund_waits`: a refund waits for the hub's limit, or its owner. `signer`: a store of
 * keys does not sign. `refused`: nodes refuse a transaction again and again.
 */
export type AlarmKind =
  | 'turn'
  | 'aside'
  | 'operator'
  | 'fee_ceiling'
  | 'nonce'
  | 'refund_waits'
  | 'signer'
  | 'refused'

export interface Alarm {
  readonly kind: AlarmKind
  /** What it is about, e.g. `transaction 12` or an address. */
  readonly subject: string
  readonly detail: string
  readonly since: Date
}

/** Whose alarms these are, and how long they are heard if they are not repeated, in ms. */
export interface AlarmSource {
  readonly networkId: string
  readonly workerId: string
  readonly forMs: number
}

export type WorkerAlarm = Alarm & Omit<AlarmSource, 'forMs'>

/** Raises one alarm. */
export async function raiseAlarm(
  sql: Queryable,
  { networkId, workerId, forMs }: AlarmSource,
  { kind, subject, detail, since }: Alarm,
): Promise<void> {
  await sql`
    insert into worker_alarm as a (network_id, worker_id, kind, subject, detail, since, until)
    values (${networkId}, ${workerId}, ${kind}, ${subject}, ${detail}, ${since},
      now() + ${forMs} * interval '1 millisecond')
    on conflict (network_id, worker_id, kind, subject) do update set
      detail = excluded.detail, until = excluded.until,
      since = case when a.until > now() then least(a.since, excluded.since) else excluded.since end`
}

/** Stores all alarms of a worker's relayer; others are over. Failing turns are apart. */
export async function replaceAlarms(
  sql: Queryable,
  source: AlarmSource,
  alarms: readonly Alarm[],
): Promise<void> {
  const { networkId, workerId } = source
  const names = alarms.map(({ kind, subject }) => `${kind} ${subject}`)
  await sql`
    delete from worker_alarm where network_id = ${networkId} and (
      (worker_id = ${workerId} and kind <> 'turn'
        and kind || ' ' || subject <> all(${names}::text[]))
      or until < now() - interval '1 hour')`
  for (const alarm of alarms) await raiseAlarm(sql, source, alarm)
}

/** What is so now, on every chain, the oldest first. */
export async function readAlarms(sql: Queryable): Promise<WorkerAlarm[]> {
  return sql<WorkerAlarm[]>`
    select network_id, worker_id, kind, subject, detail, since from worker_alarm
    where until > now() order by network_id, since, subject limit 1000`
}
