import { type Database, isNotWaitedFor, type Queryable } from '../database/database.ts'

/** Which notifiers are at work, and which part of the endpoints each begins with. */

/** A notifier's part of all endpoints: those whose number modulo `of` is `place`, which counts from 0. */
export interface Share {
  readonly place: number
  readonly of: number
}

/**
 * Registers a notifier for the next `forMs` milliseconds, and returns its share. The shares of
 * all that are at work have no endpoint in common and leave none out, as soon as each has registered again after
 * the last change.
 */
export async function takeShare(database: Database, owner: string, forMs: number): Promise<Share> {
  const [row] = await database<Share[]>`
    with own as (
      insert into notifier (owner, until)
      select ${owner}, now() + ${forMs} * interval '1 millisecond' where ${isNotWaitedFor(database)}
      on conflict (owner) do update set until = excluded.until
    )
    select count(*) filter (where owner < ${owner})::integer as place,
      count(*)::integer + 1 as of
    from notifier where owner <> ${owner} and until > now()`
  return row ?? { place: 0, of: 1 }
}

/** About an endpoint `e`: whether it is in a share. Every process must reckon alike. */
export function isInShare(sql: Queryable, { place, of }: Share) {
  return sql`mod(abs(hashtext(e.id::text)::bigint), ${of}::integer) = ${place}::integer`
}

/** Removes a notifier that has ended, so that the others share its part at once. */
export async function leaveShare(database: Database, owner: string): Promise<void> {
  await database`delete from notifier where owner = ${owner}`
}
