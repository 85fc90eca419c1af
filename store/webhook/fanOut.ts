import type { DeliveryId, EventId } from '../../core/base/ids.ts'
import { EVENTS_KEPT_DAYS, firstIdAt } from '../../core/events/event.ts'
import type { Database } from '../database/database.ts'
import { EVERYTHING, isInScope, type Scope } from '../database/scope.ts'

/** From events to deliveries, and the end of both. */

/** Held while events get their positions in the order; nothing else in the database locks it. */
const ORDER_LOCK = 7_733_102
/** Their notification has 75 characters for each at most, of the 8,000 that Postgres takes. */
export const EVENTS_PER_FAN_OUT = 100
/** The channel that announces whose objects have changed, once for all events of a turn. */
export const CHANGE_CHANNEL = 'remit_change'
const DELETED_AT_ONCE = 1_000
const DAY_MS = 86_400_000

/**
 * Gives queued events their positions in the order, and makes them into a delivery for each active endpoint
 * that wants them. One statement, and one process at a time: a position is seen by readers only after all positions
 * below it. Open pages of these objects are notified. Returns how many events it took; 0 as well when another
 * process is at it.
 */
export async function fanOutEvents(
  database: Database,
  scope: Scope<EventId> = EVERYTHING,
): Promise<number> {
  const [row] = await database<{ events: number }[]>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(${ORDER_LOCK}) as is_ours
    ), waiting as materialized (
      select id, merchant_id, type, endpoint_id,
        -- A refund is shown with its invoice.
        case when type like 'refund.%' then data ->> 'invoiceId' else object_id::text end as shown
      from outbox
      where position is null and (select is_ours from turn) and ${isInScope(database, 'id', scope)}
      order by id limit ${EVENTS_PER_FAN_OUT}
      for update
    ), wanted as materialized (
      -- An endpoint that is being deleted is waited for, and then wants nothing.
      select w.id, w.type, e.id as endpoint_id
      from waiting w join webhook_endpoint e on e.merchant_id = w.merchant_id
      where e.active and case
        when w.endpoint_id is not null then e.id = w.endpoint_id
        else e.event_types is null or w.type = any(e.event_types) end
      for key share of e
    ), delivered as (
      insert into webhook_delivery (endpoint_id, event_id, event_type)
      select endpoint_id, id, type from wanted
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
    select (select count(*)::int from placed) as events,
      pg_notify(${CHANGE_CHANNEL}, string_agg(merchant_id || ' ' || shown, ',' order by id))
    from waiting having count(*) > 0`
  return row?.events ?? 0
}

/** The first of the events that wait for their positions, but for these. */
export async function waitingEvents(
  database: Database,
  without: readonly EventId[],
): Promise<EventId[]> {
  const rows = await database<{ id: EventId }[]>`
    select id from outbox
    where position is null and ${isInScope(database, 'id', { of: null, without })}
    order by id limit ${EVENTS_PER_FAN_OUT}`
  return rows.map(({ id }) => id)
}

/**
 * Deletes some of the events that are older than what is kept, with their deliveries. Those that were
 * never made into deliveries, or that are still to be sent, stay. Returns how many there were.
 */
export async function deleteOldEvents(database: Database, now: Date): Promise<number> {
  const oldest = firstIdAt(new Date(now.getTime() - EVENTS_KEPT_DAYS * DAY_MS))
  const rows = await database`
    with old as materialized (
      select o.id, o.merchant_id from outbox o
      where o.id < ${oldest} and o.position is not null
        and not exists (
          select from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
          where e.merchant_id = o.merchant_id and d.event_id = o.id and d.state = 'pending')
      order by o.id limit ${DELETED_AT_ONCE}
      for update skip locked
    ), deliveries as (
      delete from webhook_delivery d using old, webhook_endpoint e
      where e.merchant_id = old.merchant_id and d.endpoint_id = e.id and d.event_id = old.id
    )
    delete from outbox where id in (select id from old)
    returning id`
  return rows.length
}

/**
 * Deletes those of the deliveries whose event is no longer kept. A merchant who has old events sent once
 * more can make a delivery while its event is being deleted, and it would stay due forever.
 */
export async function deleteOrphans(
  database: Database,
  deliveryIds: readonly DeliveryId[],
): Promise<void> {
  if (deliveryIds.length === 0) return
  await database`
    delete from webhook_delivery d where id = any(${[...deliveryIds]}::uuid[])
      and not exists (select from outbox where id = d.event_id)`
}

/**
 * Ends deliveries that came about while their endpoint was being disabled, and forgets leases that
 * are worth nothing, and notifiers that are gone. Returns how many deliveries there were.
 */
export async function failStrayDeliveries(database: Database): Promise<number> {
  const rows = await database`
    with stale as (
      delete from webhook_lease where until < now() - interval '1 hour'
    ), gone as (
      delete from notifier where until < now() - interval '1 hour'
    )
    update webhook_delivery d set state = 'failed', finished_at = now(),
      last_error = 'endpoint_disabled'
    from webhook_endpoint e
    where e.id = d.endpoint_id and not e.active and d.state = 'pending'
    returning d.id`
  return rows.length
}
