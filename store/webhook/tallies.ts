import type { Database } from '../database.ts'

/** How many deliveries endpoints have: counted by the database as they come and change. */

/** Held while changes are added up; nothing else in the database locks it. */
const FOLD_LOCK = 7_733_104
const CHANGES_AT_ONCE = 10_000

/** Adds up some of the changes, in one process at a time. Returns how many there were. */
export async function foldDeliveryTallies(database: Database): Promise<number> {
  const [row] = await database<{ changes: number }[]>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(${FOLD_LOCK}) as is_ours
    ), taken as (
      delete from delivery_tally_change where id = any(array(
        select id from delivery_tally_change where (select is_ours from turn)
        order by id limit ${CHANGES_AT_ONCE}))
      returning endpoint_id, day, state, event_type, deliveries
    ), added as (
      insert into delivery_tally (endpoint_id, day, state, event_type, deliveries)
      select endpoint_id, day, state, event_type, sum(deliveries) from taken group by 1, 2, 3, 4
      on conflict (endpoint_id, day, state, event_type) do update
        set deliveries = delivery_tally.deliveries + excluded.deliveries
    )
    select count(*)::integer as changes from taken`
  return row?.changes ?? 0
}
