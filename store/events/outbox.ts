import {
  asEventId,
  type EventId,
  type MerchantId,
  type WebhookEndpointId,
} from '../../core/base/ids.ts'
import type { MerchantEvent } from '../../core/events/event.ts'
import type { EventType } from '../../core/events/eventTypes.ts'
import type { Database, Queryable } from '../database/database.ts'

/** Events for merchants: the outbox, and how it is read. */

export interface NewEvent {
  /** Where it was promised to a caller; otherwise generated. */
  readonly id?: EventId
  readonly merchantId: MerchantId
  readonly type: EventType
  readonly objectId: string
  /** Orders the events of one object. */
  readonly version: number
  readonly data: unknown
  /** The one endpoint to notify, past its filter; null or absent for all that subscribe to the type. */
  readonly endpointId?: WebhookEndpointId
}

/** The only statement that writes events: what follows it selects the values, in this order. */
export function insertIntoOutbox(sql: Queryable) {
  return sql`insert into outbox (id, merchant_id, type, object_id, version, data, endpoint_id)`
}

/** Writes events into the outbox, in the transaction of what they report. Returns their ids, in order. */
export async function insertEvents(
  sql: Queryable,
  events: readonly NewEvent[],
): Promise<EventId[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({
    id: event.id ?? asEventId(Bun.randomUUIDv7()),
    merchant_id: event.merchantId,
    type: event.type,
    object_id: event.objectId,
    version: event.version,
    data: event.data,
    endpoint_id: event.endpointId ?? null,
  }))
  await sql`
    ${insertIntoOutbox(sql)}
    select id, merchant_id, type, object_id, version, data, endpoint_id
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id uuid, merchant_id uuid,
      type text, object_id uuid, version integer, data json, endpoint_id uuid)`
  return rows.map(({ id }) => id)
}

/** Writes one event. Returns its id. */
export async function insertEvent(sql: Queryable, event: NewEvent): Promise<EventId> {
  const [id] = await insertEvents(sql, [event])
  if (id === undefined) throw new Error('the event was not stored')
  return id
}

/** One event of the merchant; null for another merchant's, and for one that is no longer kept. */
export async function findEvent(
  sql: Queryable,
  merchantId: MerchantId,
  eventId: EventId,
): Promise<MerchantEvent | null> {
  const [row] = await sql<MerchantEvent[]>`
    select id, type, created_at, data::text as data_json from outbox
    where id = ${eventId} and merchant_id = ${merchantId}`
  return row ?? null
}

/** Reads events, whosever they are, in the order of their ids. Those that are no longer kept are missing. */
export async function readEvents(
  sql: Queryable,
  eventIds: readonly EventId[],
): Promise<MerchantEvent[]> {
  if (eventIds.length === 0) return []
  return sql<MerchantEvent[]>`
    select id, type, created_at, data::text as data_json from outbox
    where id = any(${[...eventIds]}::uuid[]) order by id`
}

export interface EventFilter {
  readonly type?: EventType | undefined
  readonly objectId?: string | undefined
}

/** Where to read on: after an event that was read, from the oldest, or backwards from the newest. */
export type EventPlace =
  | { readonly type: 'after'; readonly eventId: EventId }
  | { readonly type: 'oldest' }
  | { readonly type: 'newest' }

export interface EventPage {
  readonly events: readonly MerchantEvent[]
  readonly hasMore: boolean
}

/**
 * The merchant's events, in an order in which no event is ever put before one that could be read
 * already; backwards from the newest. Null when the event to read on after is not known.
 */
export async function listEvents(
  database: Database,
  merchantId: MerchantId,
  filter: EventFilter,
  place: EventPlace,
  limit: number,
): Promise<EventPage | null> {
  const position = place.type === 'after' ? await positionOf(database, merchantId, place) : 0n
  if (position === null) return null
  const { type, objectId } = filter
  const rows = await database<MerchantEvent[]>`
    select id, type, created_at, data::text as data_json from outbox
    where merchant_id = ${merchantId} and position > ${position}
      ${type === undefined ? database`` : database`and type = ${type}`}
      ${objectId === undefined ? database`` : database`and object_id = ${objectId}`}
    order by position ${place.type === 'newest' ? database`desc` : database`asc`}
    limit ${limit + 1}`
  return { events: rows.slice(0, limit), hasMore: rows.length > limit }
}

async function positionOf(
  sql: Queryable,
  merchantId: MerchantId,
  { eventId }: { readonly eventId: EventId },
): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint }[]>`
    select position from outbox
    where id = ${eventId} and merchant_id = ${merchantId} and position is not null`
  return row?.position ?? null
}
