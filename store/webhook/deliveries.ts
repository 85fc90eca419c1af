import type { DeliveryId, EventId, MerchantId, WebhookEndpointId } from '../../core/base/ids.ts'
import {
  type CursorPage,
  countedPage,
  cursorPage,
  type Page,
  type PageRequest,
  reachOf,
} from '../../core/base/page.ts'
import { firstIdAt } from '../../core/events/event.ts'
import {
  ATTEMPTS_SHOWN,
  type DeliveryAttempt,
  type DeliveryState,
  type WebhookDelivery,
} from '../../core/webhook/delivery.ts'
import type { Database, Queryable } from '../database/database.ts'
import { placeForOne } from './replay.ts'

/** The outcome of deliveries, and resending them. */

const DAY_MS = 86_400_000

/** Deliveries are called `d` in every query. */
function columns(sql: Queryable) {
  return sql`
    d.id, d.endpoint_id, d.event_id, d.event_type, d.state, d.attempts, d.last_status,
    d.last_error, case when d.state = 'pending' then d.next_attempt_at end as next_attempt_at,
    d.created_at, d.finished_at`
}

export interface DeliveryFilter {
  readonly endpointId?: WebhookEndpointId | undefined
  readonly eventId?: EventId | undefined
  readonly state?: DeliveryState | undefined
  readonly type?: string | undefined
}

/**
 * The merchant's deliveries, those of the newest events first. Days are skipped by what was counted of
 * them, and none is read that a page does not reach.
 */
export async function listDeliveries(
  database: Database,
  merchantId: MerchantId,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const endpoints = await endpointsOf(sql, merchantId, filter)
    if (page.cursor !== undefined) return beside(sql, endpoints, filter, page)
    if (filter.eventId !== undefined) return ofEvent(sql, endpoints, filter, page)
    const days = await readDays(sql, endpoints, filter)
    const total = days.reduce((sum, day) => sum + day.deliveries, 0)
    const reach = daysOf(days, page)
    if (reach === null) return countedPage([], total)
    return countedPage(await readPage(sql, endpoints, filter, reach, page.limit), total)
  })
}

async function endpointsOf(
  sql: Queryable,
  merchantId: MerchantId,
  { endpointId }: DeliveryFilter,
): Promise<WebhookEndpointId[]> {
  const rows = await sql<{ id: WebhookEndpointId }[]>`
    select id from webhook_endpoint where merchant_id = ${merchantId}
      ${endpointId === undefined ? sql`` : sql`and id = ${endpointId}`}`
  return rows.map(({ id }) => id)
}

/** An event has one delivery per endpoint at most. */
async function ofEvent(
  sql: Queryable,
  endpoints: readonly WebhookEndpointId[],
  { eventId, state, type }: DeliveryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: bigint },
): Promise<Page<WebhookDelivery>> {
  const rows = await sql<WebhookDelivery[]>`
    select ${columns(sql)} from webhook_delivery d
    where d.endpoint_id = any(${[...endpoints]}::uuid[]) and d.event_id = ${eventId ?? null}
      ${state === undefined ? sql`` : sql`and d.state = ${state}`}
      ${type === undefined ? sql`` : sql`and d.event_type = ${type}`}
    order by d.id`
  const from = Number(offset)
  return countedPage(rows.slice(from, from + limit), rows.length)
}

/** The deliveries beside one; each of the few endpoints has its own in this order. */
async function beside(
  sql: Queryable,
  endpoints: readonly WebhookEndpointId[],
  { eventId, state, type }: DeliveryFilter,
  page: CursorPage,
): Promise<Page<WebhookDelivery>> {
  const { limit, isReversed } = reachOf(page)
  const [event, delivery] = page.cursor.keys ?? []
  const order = isReversed
    ? sql`order by page.event_id, page.id desc`
    : sql`order by page.event_id desc, page.id`
  // In the index by the event; among the deliveries of one event, by the id.
  const beyond = isReversed
    ? sql`and d.event_id >= ${event ?? null} and (d.event_id > ${event ?? null} or d.id < ${delivery ?? null})`
    : sql`and d.event_id <= ${event ?? null} and (d.event_id < ${event ?? null} or d.id > ${delivery ?? null})`
  const found = await sql<WebhookDelivery[]>`
    select ${columns(sql)} from (
      select page.event_id, page.id
      from unnest(${[...endpoints]}::uuid[]) as e (id)
      cross join lateral (
        select d.event_id, d.id from webhook_delivery d
        where d.endpoint_id = e.id ${event === undefined ? sql`` : beyond}
          ${eventId === undefined ? sql`` : sql`and d.event_id = ${eventId}`}
          ${state === undefined ? sql`` : sql`and d.state = ${state}`}
          ${type === undefined ? sql`` : sql`and d.event_type = ${type}`}
        order by d.event_id ${isReversed ? sql`` : sql`desc`} limit ${limit}
      ) page
      ${order} limit ${limit}
    ) page
    cross join lateral (select * from webhook_delivery where id = page.id limit 1) d
    ${order}`
  return cursorPage(page, found, (row) => [row.eventId, row.id])
}

interface CountedDay {
  /** The first moment of the day, UTC. */
  readonly from: Date
  readonly deliveries: number
}

/** How many deliveries match, by the days of their events, the newest first. */
async function readDays(
  sql: Queryable,
  endpoints: readonly WebhookEndpointId[],
  { state, type }: DeliveryFilter,
): Promise<CountedDay[]> {
  const wanted = sql`
    endpoint_id = any(${[...endpoints]}::uuid[])
    ${state === undefined ? sql`` : sql`and state = ${state}`}
    ${type === undefined ? sql`` : sql`and event_type = ${type}`}`
  return sql<CountedDay[]>`
    select day::timestamp at time zone 'UTC' as "from", sum(deliveries)::integer as deliveries
    from (
      select day, deliveries from delivery_tally where ${wanted}
      union all
      select day, deliveries from delivery_tally_change where ${wanted}
    ) tallied
    group by day having sum(deliveries) > 0 order by day desc`
}

/** The days that a page is on, and how many deliveries of them come before it. */
interface Reach {
  readonly from: Date
  readonly before: Date
  readonly offset: bigint
}

function daysOf(
  days: readonly CountedDay[],
  page: { readonly limit: number; readonly offset: bigint },
): Reach | null {
  let left = page.offset
  const first = days.findIndex((day) => {
    if (left < day.deliveries) return true
    left -= BigInt(day.deliveries)
    return false
  })
  const newest = days[first]
  if (newest === undefined) return null
  let found = -left
  const last = days.slice(first).find((day) => {
    found += BigInt(day.deliveries)
    return found >= page.limit
  })
  const { from } = last ?? days.at(-1) ?? newest
  return { from, before: new Date(newest.from.getTime() + DAY_MS), offset: left }
}

async function readPage(
  sql: Queryable,
  endpoints: readonly WebhookEndpointId[],
  { state, type }: DeliveryFilter,
  { from, before, offset }: Reach,
  limit: number,
): Promise<WebhookDelivery[]> {
  return sql<WebhookDelivery[]>`
    select ${columns(sql)} from (
      select found.event_id, found.id
      from unnest(${[...endpoints]}::uuid[]) as e (id)
      -- Each of the few endpoints has its deliveries in this order already.
      cross join lateral (
        select d.event_id, d.id from webhook_delivery d
        where d.endpoint_id = e.id
          and d.event_id >= ${firstIdAt(from)} and d.event_id < ${firstIdAt(before)}
          ${state === undefined ? sql`` : sql`and d.state = ${state}`}
          ${type === undefined ? sql`` : sql`and d.event_type = ${type}`}
        order by d.event_id desc limit ${offset + BigInt(limit)}
      ) found
      order by found.event_id desc, found.id limit ${limit} offset ${offset}
    ) page
    cross join lateral (select * from webhook_delivery where id = page.id limit 1) d
    order by page.event_id desc, page.id`
}

/** One delivery of the merchant; null for another merchant's. */
export async function findDelivery(
  sql: Queryable,
  merchantId: MerchantId,
  deliveryId: DeliveryId,
): Promise<WebhookDelivery | null> {
  const [row] = await sql<WebhookDelivery[]>`
    select ${columns(sql)} from webhook_delivery d join outbox o on o.id = d.event_id
    where d.id = ${deliveryId} and o.merchant_id = ${merchantId}`
  return row ?? null
}

/** The newest attempts of a delivery, at most ATTEMPTS_SHOWN, the earliest of them first. */
export async function listAttempts(
  sql: Queryable,
  deliveryId: DeliveryId,
): Promise<DeliveryAttempt[]> {
  const rows = await sql<DeliveryAttempt[]>`
    select number, at, latency_ms, status, error, answer from webhook_attempt
    where delivery_id = ${deliveryId} order by number desc limit ${ATTEMPTS_SHOWN}`
  return rows.reverse()
}

export type Redelivery =
  | { readonly ok: true; readonly delivery: WebhookDelivery }
  | { readonly ok: false; readonly reason: 'not_found' | 'disabled' }

/**
 * Sends a delivery again, as soon as its destination takes it. One that had ended restarts its schedule; a
 * pending one continues it.
 */
export async function redeliver(
  database: Database,
  merchantId: MerchantId,
  deliveryId: DeliveryId,
  now: Date,
): Promise<Redelivery> {
  return database.begin(async (sql): Promise<Redelivery> => {
    const [endpoint] = await sql<{ id: WebhookEndpointId; active: boolean }[]>`
      select e.id, e.active from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
      where d.id = ${deliveryId} and e.merchant_id = ${merchantId} for no key update of e`
    if (endpoint === undefined) return { ok: false, reason: 'not_found' }
    if (!endpoint.active) return { ok: false, reason: 'disabled' }
    const at = await placeForOne(sql, endpoint.id, now)
    await sql`
      update webhook_delivery set
        state = 'pending', finished_at = null, next_attempt_at = ${at},
        step = case when state = 'pending' then step else 0 end
      where id = ${deliveryId}`
    const delivery = await findDelivery(sql, merchantId, deliveryId)
    return delivery === null ? { ok: false, reason: 'not_found' } : { ok: true, delivery }
  })
}
