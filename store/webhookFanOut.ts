import { EVENTS_KEPT_DAYS, firstIdAt } from '../core/webhook/event.ts'
import type { Database } from './database.ts'

/** From events to deliveries, and the end of both. */

/** Held while events get their places in the order; nothing else in the database locks it. */
const ORDER_LOCK = 7_733_102
export const EVENTS_PER_FAN_OUT = 100
const DELETED_AT_ONCE = 1_000
const DAY_MS = 86_400_000

/**
 * Gives events that wait their places in the order, and makes them into a delivery for each active
 * endpoint that wants them. One statement, and one process at a time: a place is seen by readers only
 * after all places below it. Returns how many events it took; 0 as well when another process is at it.
 */
export async function fanOutEvents(database: Database): Promise<number> {
  const [row] = await database<{ events: number }[]>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(${ORDER_LOCK}) as is_ours
    ), waiting as materialized (
      select id, merchant_id, type, endpoint_id from outbox
      where position is null and (select is_ours from turn)
      order by id limit ${EVENTS_PER_FAN_OUT}
      for update
    ), wanted as materialized (
      -- An endpoint that is being deleted is waited for, and then wants nothing.
      select w.id, e.id as endpoint_id
      from waiting w join webhook_endpoint e on e.merchant_id = w.merchant_id
      where e.active and case
        when w.endpoint_id is not null then e.id = w.endpoint_id
        else e.event_types is null or w.type = any(e.event_types) end
      for key share of e
    ), delivered as (
      insert into webhook_delivery (endpoint_id, event_id)
      select endpoint_id, id from wanted
      on conflict (endpoint_id, event_id) do nothing
    ), placed as (
      update outbox set position = place.position
      from (
        select id, nextval('outbox_position') as position
        from (select id from waiting order by id) sorted
      ) place
      where outbox.id = place.id
      returning outbox.id
    )
    select count(*)::int as events from placed`
  return row?.events ?? 0
}

/**
 * Deletes some of the events that are older than what is kept, with their deliveries. Those that were
 * never made into deliveries, or that are still to be sent, stay. Returns how many there were.
 */
export async function deleteOldEvents(database: Database, now: Date): Promise<number> {
  const oldest = firstIdAt(new Date(now.getTime() - EVENTS_KEPT_DAYS * DAY_MS))
  const rows = await database`
    delete from outbox where id in (
      select o.id from outbox o
      where o.id < ${oldest} and o.position is not null
        and not exists (
          select from webhook_delivery d where d.event_id = o.id and d.state = 'pending')
      order by o.id limit ${DELETED_AT_ONCE}
      for update skip locked)
    returning id`
  return rows.length
}

/**
 * Ends deliveries to endpoints that were disabled while a process that is gone now was sending, and
 * forgets leases that are worth nothing. Returns how many deliveries there were.
 */
export async function failStrayDeliveries(database: Database): Promise<number> {
  const rows = await database`
    with stale as (
      delete from webhook_lease where until < now() - interval '1 hour'
    )
    update webhook_delivery d set state = 'failed', finished_at = now(),
      last_error = 'endpoint_disabled'
    from webhook_endpoint e
    where e.id = d.endpoint_id and not e.active and d.state = 'pending'
      and not exists (
        select from webhook_lease l where l.delivery_id = d.id and l.until > now())
    returning d.id`
  return rows.length
}
