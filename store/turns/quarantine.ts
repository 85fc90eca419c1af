import type { Queryable } from '../database/database.ts'

/** What can't be worked on. It proves nothing: money stays promised, and claims stay claimed. */

export interface Quarantined {
  readonly id: bigint
  readonly networkId: string
  /** Which part of a worker works on it. */
  readonly part: string
  /** The step and the thing, e.g. `confirm transaction 12`. */
  readonly subject: string
  readonly fault: string
  readonly reason: string
  readonly times: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly retryAt: Date
}

export async function saveQuarantined(
  sql: Queryable,
  networkId: string,
  part: string,
  subject: string,
  one: Pick<Quarantined, 'fault' | 'reason'> & {
    readonly failures: number
    /** In ms of the clock. */
    readonly since: number
    readonly until: number
  },
): Promise<void> {
  await sql`
    insert into quarantine (network_id, part, subject, fault, reason, times, first_at, retry_at)
    values (${networkId}, ${part}, ${subject}, ${shown(one.fault)}, ${shown(one.reason)},
      ${one.failures}, ${new Date(one.since)}, ${new Date(one.until)})
    on conflict (part, subject, network_id) do update set
      fault = excluded.fault, reason = excluded.reason, times = excluded.times, last_at = now(),
      retry_at = excluded.retry_at`
}

/** Postgres takes no NUL, and no half of a pair, in text. */
function shown(words: string): string {
  return words.replaceAll('\0', '').toWellFormed().slice(0, 500)
}

export async function deleteQuarantined(
  sql: Queryable,
  networkId: string,
  part: string,
  subject: string,
): Promise<void> {
  await sql`
    delete from quarantine
    where network_id = ${networkId} and part = ${part} and subject = ${subject}`
}

/** What is quarantined on a chain, or on every one for null, the oldest first. */
export async function readQuarantine(
  sql: Queryable,
  networkId: string | null,
): Promise<Quarantined[]> {
  return sql<Quarantined[]>`
    select * from quarantine where ${networkId}::text is null or network_id = ${networkId}
    order by first_at, id limit 1000`
}

/** Has something tried again at once. Null when it is not quarantined. */
export async function releaseQuarantined(sql: Queryable, id: bigint): Promise<Quarantined | null> {
  const [row] = await sql<Quarantined[]>`
    update quarantine set retry_at = now() where id = ${id} returning *`
  return row ?? null
}
