import type { MerchantId } from '../../core/base/ids.ts'
import { shortMessage } from '../../core/base/logging.ts'
import type { Schedule } from '../../core/dashboard/schedules.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import type { ViewOwner } from './views.ts'

/** Reports that members subscribe to. */

export async function listSchedules(
  sql: Queryable,
  { merchantId, personId }: ViewOwner,
): Promise<Schedule[]> {
  return sql<Schedule[]>`
    select id, report, every, locale, due_at, sent_at from report_schedule
    where merchant_id = ${merchantId} and person_id = ${personId} order by created_at, id`
}

/** Adds one; where there is the same one already, its language becomes this one. */
export async function addSchedule(
  sql: Queryable,
  { merchantId, personId }: ViewOwner,
  { report, every, locale, dueAt }: Omit<Schedule, 'id' | 'sentAt'>,
): Promise<Schedule> {
  const [row] = await sql<Schedule[]>`
    insert into report_schedule (id, merchant_id, person_id, report, every, locale, due_at, read_position)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${personId}, ${report}, ${every}, ${locale}, ${dueAt},
      (select coalesce(max(position), 0) from outbox where merchant_id = ${merchantId}))
    on conflict (merchant_id, person_id, report, every) do update set locale = excluded.locale
    returning id, report, every, locale, due_at, sent_at`
  if (row === undefined) throw new Error('the schedule was not stored')
  return row
}

/** Whether there was one. */
export async function deleteSchedule(
  sql: Queryable,
  { merchantId, personId }: ViewOwner,
  id: string,
): Promise<boolean> {
  const rows = await sql`
    delete from report_schedule
    where id = ${id} and merchant_id = ${merchantId} and person_id = ${personId} returning id`
  return rows.length > 0
}

/** A schedule whose period is over, with whom it is for. */
export interface DueSchedule extends Schedule {
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly email: string
  /** Up to which of the merchant's events an email about held money has reported. */
  readonly readPosition: bigint
}

/** What was done with one that was due. */
export interface SentSchedule {
  readonly nextAt: Date
  /** False where there was nothing to send. */
  readonly isSent: boolean
  readonly readPosition: bigint
}

/** How long a schedule that failed waits for its next try, in ms: at first, and at most. */
const FIRST_PAUSE_MS = 5 * 60_000
const LONGEST_PAUSE_MS = 6 * 3_600_000

export type ScheduleOutcome = 'none' | 'done' | { readonly id: string; readonly error: unknown }

/**
 * Takes one that is due, does what `send` does with it, and moves it on, in one transaction: it is sent
 * once, in any process. Those of users who no longer belong to the merchant are removed. One that
 * fails has a reason, and is retried later: it holds up no other.
 */
export async function withDueSchedule(
  database: Database,
  now: Date,
  send: (sql: Transaction, due: DueSchedule) => Promise<SentSchedule>,
): Promise<ScheduleOutcome> {
  let taken: string | null = null
  try {
    return await database.begin(async (sql) => {
      const due = await takeDue(sql, now)
      if (due === null) return 'none'
      taken = due.id
      if (!due.isMember) {
        await sql`delete from report_schedule where id = ${due.id}`
        return 'done'
      }
      const { nextAt, isSent, readPosition } = await send(sql, due)
      await sql`
        update report_schedule
        set due_at = ${nextAt}, sent_at = ${isSent ? now : due.sentAt}, read_position = ${readPosition},
          attempts = 0, try_at = null, failure = null
        where id = ${due.id}`
      return 'done'
    })
  } catch (error) {
    if (taken === null) throw error
    await postpone(database, taken, now, error)
    return { id: taken, error }
  }
}

async function takeDue(
  sql: Transaction,
  now: Date,
): Promise<(DueSchedule & { readonly isMember: boolean }) | null> {
  const [due] = await sql<(DueSchedule & { isMember: boolean })[]>`
    select s.id, s.report, s.every, s.locale, s.due_at, s.sent_at, s.merchant_id, s.read_position,
      c.name as merchant_name, u.email, m.person_id is not null as is_member
    from report_schedule s
    join merchant c on c.id = s.merchant_id
    join auth."user" u on u.id = s.person_id
    left join member m on m.merchant_id = s.merchant_id and m.person_id = s.person_id
    where s.due_at <= ${now} and coalesce(s.try_at, s.due_at) <= ${now}
    order by s.due_at limit 1
    for update of s skip locked`
  return due ?? null
}

/** Each pause is twice the one before. */
async function postpone(sql: Queryable, id: string, now: Date, error: unknown): Promise<void> {
  const failure = shortMessage(error)
  await sql`
    update report_schedule set attempts = least(attempts + 1, 100), failure = ${failure},
      try_at = ${now}::timestamptz + least(
        make_interval(secs => ${FIRST_PAUSE_MS / 1_000} * 2 ^ least(attempts, 10)),
        make_interval(secs => ${LONGEST_PAUSE_MS / 1_000}))
    where id = ${id}`
}
