import {
  type Database,
  type Fragment,
  isNotWaitedFor,
  type Queryable,
} from '../database/database.ts'

/** Which notifiers are at work, and which part of the endpoints each begins with. */

/** A notifier's part of all endpoints: those whose number modulo `of` is `place`, which counts from 0. */
export interface Share {
  readonly place: number
  readonly of: number
}

/** A notifier's share, and whether it has anything to do. */
export interface Registration extends Share {
  readonly hasWork: boolean
}

/**
 * Registers a notifier for the next `forMs` milliseconds. The shares of
 * all that are at work have no endpoint in common and leave none out, as soon as each has registered again after
 * the last change.
 */
export async function takeShare(
  database: Database,
  owner: string,
  forMs: number,
): Promise<Registration> {
  const [row] = await database<Registration[]>`
    with own as (
      insert into notifier (owner, until)
      select ${owner}, now() + ${forMs} * interval '1 millisecond' where ${isNotWaitedFor(database)}
      on conflict (owner) do update set until = excluded.until
    )
    select count(*) filter (where owner < ${owner})::integer as place,
      count(*)::integer + 1 as of, ${isWorkOpen(database)} as has_work
    from notifier where owner <> ${owner} and until > now()`
  return row ?? { place: 0, of: 1, hasWork: true }
}

/** Whether a notifier has anything to do, now or later: events, samples, deliveries that are not over, sums. */
export async function hasNotifierWork(database: Database): Promise<boolean> {
  const [row] = await database<{ isOpen: boolean }[]>`select ${isWorkOpen(database)} as is_open`
  return row?.isOpen ?? true
}

function isWorkOpen(sql: Queryable): Fragment {
  return sql`(exists (select from outbox where position is null)
    or exists (select from sample_event)
    or exists (select from webhook_delivery where state = 'pending')
    or exists (select from delivery_tally_change))`
}

/** About an endpoint `e`: whether it is in a share. Every process must reckon alike. */
export function isInShare(sql: Queryable, { place, of }: Share) {
  return sql`mod(abs(hashtext(e.id::text)::bigint), ${of}::integer) = ${place}::integer`
}

/** Removes a notifier that has ended, so that the others share its part at once. */
export async function leaveShare(database: Database, owner: string): Promise<void> {
  await database`delete from notifier where owner = ${owner}`
}
