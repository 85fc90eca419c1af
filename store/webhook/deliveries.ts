import type { DeliveryId, EventId, MerchantId, WebhookEndpointId } from '../../core/ids.ts'
import {
  ATTEMPTS_SHOWN,
  type DeliveryAttempt,
  type DeliveryState,
  type WebhookDelivery,
} from '../../core/webhook/delivery.ts'
import type { Database, Queryable, Transaction } from '../database.ts'

/** What became of deliveries, and sending them once more. */

/** Deliveries are called `d` and their events `o` in every query. */
function columns(sql: Queryable) {
  return sql`
    d.id, d.endpoint_id, d.event_id, o.type as event_type, d.state, d.attempts, d.last_status,
    d.last_error, case when d.state = 'pending' then d.next_attempt_at end as next_attempt_at,
    d.created_at, d.finished_at`
}

export interface DeliveryFilter {
  readonly endpointId?: WebhookEndpointId | undefined
  readonly eventId?: EventId | undefined
  readonly state?: DeliveryState | undefined
  readonly type?: string | undefined
}

export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[]
  /** How many deliveries match the filter, on all pages. */
  readonly total: number
}

/** The merchant's deliveries, those of the newest events first. `offset` is in deliveries. */
export async function listDeliveries(
  database: Database,
  merchantId: MerchantId,
  filter: DeliveryFilter,
  page: { readonly limit: number; readonly offset: bigint },
): Promise<DeliveryPage> {
  const { endpointId, eventId, state, type } = filter
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const ofEndpoint = sql`
      e.merchant_id = ${merchantId}
      ${endpointId === undefined ? sql`` : sql`and e.id = ${endpointId}`}`
    const matching = sql`
      d.endpoint_id = e.id
      ${eventId === undefined ? sql`` : sql`and d.event_id = ${eventId}`}
      ${state === undefined ? sql`` : sql`and d.state = ${state}`}
      ${type === undefined ? sql`` : sql`and o.type = ${type}`}`
    const [counted, found] = await Promise.all([
      sql<{ total: number }[]>`
        select count(*)::int as total
        from webhook_endpoint e, webhook_delivery d join outbox o on o.id = d.event_id
        where ${ofEndpoint} and ${matching}`,
      sql<WebhookDelivery[]>`
        select ${columns(sql)} from webhook_endpoint e
        -- Each of the few endpoints has its deliveries in this order already.
        cross join lateral (
          select d.* from webhook_delivery d join outbox o on o.id = d.event_id
          where ${matching}
          order by d.event_id desc limit ${page.offset + BigInt(page.limit)}
        ) d
        join outbox o on o.id = d.event_id
        where ${ofEndpoint}
        order by d.event_id desc, d.id
        limit ${page.limit} offset ${page.offset}`,
    ])
    return { deliveries: found, total: counted[0]?.total ?? 0 }
  })
}

/** One delivery of the merchant; null for anybody else's. */
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
 * Sends a delivery once more, at once. One that had ended begins its schedule anew; one that waits
 * goes on from where it is.
 */
export async function redeliver(
  database: Database,
  merchantId: MerchantId,
  deliveryId: DeliveryId,
  now: Date,
): Promise<Redelivery> {
  return database.begin(async (sql): Promise<Redelivery> => {
    const [endpoint] = await sql<{ active: boolean }[]>`
      select e.active from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
      where d.id = ${deliveryId} and e.merchant_id = ${merchantId} for key share of e`
    if (endpoint === undefined) return { ok: false, reason: 'not_found' }
    if (!endpoint.active) return { ok: false, reason: 'disabled' }
    await sql`
      update webhook_delivery set
        state = 'pending', finished_at = null, next_attempt_at = ${now},
        step = case when state = 'pending' then step else 0 end
      where id = ${deliveryId}`
    const delivery = await findDelivery(sql, merchantId, deliveryId)
    return delivery === null ? { ok: false, reason: 'not_found' } : { ok: true, delivery }
  })
}

export type Replay =
  | { readonly ok: true; readonly replayed: number; readonly hasMore: boolean }
  | { readonly ok: false; readonly reason: 'not_found' | 'disabled' }

const REPLAYED_AT_ONCE = 5_000

/**
 * Sends an endpoint all that it has not taken since a time: deliveries that failed, and events that it
 * was not sent because it was disabled then. Events from before the endpoint existed are not sent.
 */
export async function replayFailed(
  database: Database,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
  since: Date,
  now: Date,
): Promise<Replay> {
  return database.begin(async (sql): Promise<Replay> => {
    const [endpoint] = await sql<{ active: boolean }[]>`
      select active from webhook_endpoint
      where id = ${endpointId} and merchant_id = ${merchantId} for no key update`
    if (endpoint === undefined) return { ok: false, reason: 'not_found' }
    if (!endpoint.active) return { ok: false, reason: 'disabled' }
    const failed = await replayDeliveries(sql, endpointId, since, now)
    const missed = await deliverMissed(sql, endpointId, since)
    const hasMore = failed === REPLAYED_AT_ONCE || missed === REPLAYED_AT_ONCE
    return { ok: true, replayed: failed + missed, hasMore }
  })
}

async function replayDeliveries(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  since: Date,
  now: Date,
): Promise<number> {
  const rows = await sql`
    update webhook_delivery set
      state = 'pending', finished_at = null, step = 0, next_attempt_at = ${now}
    where id in (
      select d.id from webhook_delivery d join outbox o on o.id = d.event_id
      where d.endpoint_id = ${endpointId} and d.state = 'failed' and o.created_at >= ${since}
      order by d.event_id limit ${REPLAYED_AT_ONCE})
    returning id`
  return rows.length
}

async function deliverMissed(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  since: Date,
): Promise<number> {
  const rows = await sql`
    insert into webhook_delivery (endpoint_id, event_id)
    select e.id, o.id
    from webhook_endpoint e join outbox o on o.merchant_id = e.merchant_id
    where e.id = ${endpointId} and o.position is not null and o.endpoint_id is null
      and o.created_at >= greatest(${since}::timestamptz, e.created_at)
      and (e.event_types is null or o.type = any(e.event_types))
      and not exists (
        select from webhook_delivery d where d.endpoint_id = e.id and d.event_id = o.id)
    order by o.position limit ${REPLAYED_AT_ONCE}
    on conflict (endpoint_id, event_id) do nothing
    returning id`
  return rows.length
}
