import { asEventId, type EventId, type MerchantId } from '../../core/base/ids.ts'
import type { EventType } from '../../core/events/eventTypes.ts'
import type { Database, Queryable } from '../database/database.ts'
import { EVERYTHING, isInScope, type Scope } from '../database/scope.ts'
import { insertEvents, type NewEvent } from '../events/outbox.ts'

/** Sample events requested in a sandbox, in transit from the API to a notifier. */

/** The request. */
export interface RequestedSample {
  readonly id: EventId
  readonly merchantId: MerchantId
  readonly type: string
  readonly createdAt: Date
}

const TAKEN_AT_ONCE = 50

/** Requests an event. Returns the id that it will have. */
export async function requestSample(
  sql: Queryable,
  merchantId: MerchantId,
  type: EventType,
): Promise<EventId> {
  const id = asEventId(Bun.randomUUIDv7())
  await sql`insert into sample_event (id, merchant_id, type) values (${id}, ${merchantId}, ${type})`
  return id
}

/**
 * Creates the requested events, once across processes. A request without an event by `eventOf` is dropped.
 * Returns how many there were.
 */
export function writeSamples(
  database: Database,
  eventOf: (asked: RequestedSample) => NewEvent | null,
  scope: Scope<EventId> = EVERYTHING,
): Promise<number> {
  return database.begin(async (sql) => {
    const asked = await sql<RequestedSample[]>`
      delete from sample_event where id in (
        select id from sample_event where ${isInScope(sql, 'id', scope)}
        order by created_at, id limit ${TAKEN_AT_ONCE}
        for update skip locked)
      returning id, merchant_id, type, created_at`
    const events = asked.map(eventOf).filter((event) => event !== null)
    await insertEvents(sql, events)
    return asked.length
  })
}

/** The first requested samples, except these. */
export async function requestedSamples(
  database: Database,
  without: readonly EventId[],
): Promise<EventId[]> {
  const rows = await database<{ id: EventId }[]>`
    select id from sample_event where ${isInScope(database, 'id', { of: null, without })}
    order by created_at, id limit ${TAKEN_AT_ONCE}`
  return rows.map(({ id }) => id)
}
