import type { DeliveryId, MerchantId, WebhookEndpointId } from '../../core/base/ids.ts'
import type { Database, Transaction } from '../database/database.ts'

/**
 * Replaying what an endpoint has not accepted. A destination (host and port) takes so many replayed
 * webhooks per minute, from all merchants together; the rest are queued.
 */

export type Replay =
  | { readonly ok: true; readonly replayed: number; readonly hasMore: boolean }
  | { readonly ok: false; readonly reason: 'not_found' | 'disabled' }
  /** The destination has no slot left, and has one again in so many ms. */
  | { readonly ok: false; readonly reason: 'no_place'; readonly waitMs: number }

const REPLAYED_AT_ONCE = 5_000
/** What a destination takes per minute, and how many of them in one burst. */
const PER_MINUTE = 600
const BURST = 60
const INTERVAL_MS = 60_000 / PER_MINUTE
/** No slot lies further ahead; the rest is replayed by a later call. */
const HORIZON_MS = 600_000

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
    const places = await placesOf(sql, endpointId, now)
    if (places.left === 0) return { ok: false, reason: 'no_place', waitMs: waitFor(places) }
    const most = Math.min(REPLAYED_AT_ONCE, places.left)
    const failed = await replayDeliveries(sql, endpointId, since, places, most)
    const missed = await deliverMissed(
      sql,
      endpointId,
      since,
      {
        ...places,
        first: placeAfter(places, failed),
      },
      most - failed,
    )
    await takeSlots(sql, endpointId, places, failed + missed)
    return { ok: true, replayed: failed + missed, hasMore: failed + missed === most }
  })
}

/** When a single delivery may be sent again. The endpoint must be locked. */
export async function placeForOne(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  now: Date,
): Promise<Date> {
  const places = await placesOf(sql, endpointId, now)
  await takeSlots(sql, endpointId, places, 1)
  return places.first > now ? places.first : now
}

/** The slots of a destination from now on. */
interface ConnectionLimit {
  /** The first one; it may lie in the past, and is due then. */
  readonly first: Date
  /** How many there are within the horizon. */
  readonly left: number
  readonly now: Date
}

/** Serialises reservations for a destination until the transaction ends. */
async function placesOf(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  now: Date,
): Promise<ConnectionLimit> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('replay ' || destination, 0))
    from webhook_endpoint where id = ${endpointId}`
  const [row] = await sql<{ until: Date | null }[]>`
    select max(replayed_until) as until from webhook_endpoint
    where destination = (select destination from webhook_endpoint where id = ${endpointId})`
  const taken = Math.max(row?.until?.getTime() ?? 0, now.getTime())
  const first = new Date(taken - BURST * INTERVAL_MS)
  const left = Math.floor((now.getTime() + HORIZON_MS - first.getTime()) / INTERVAL_MS)
  return { first, left: Math.max(0, left), now }
}

/** How long until the first slot lies within the horizon, in ms. */
function waitFor({ first, now }: ConnectionLimit): number {
  return first.getTime() + INTERVAL_MS - HORIZON_MS - now.getTime()
}

function placeAfter({ first }: ConnectionLimit, taken: number): Date {
  return new Date(first.getTime() + taken * INTERVAL_MS)
}

async function takeSlots(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  places: ConnectionLimit,
  taken: number,
): Promise<void> {
  if (taken === 0) return
  await sql`
    update webhook_endpoint set replayed_until = ${placeAfter(places, taken + BURST)}
    where id = ${endpointId}`
}

async function replayDeliveries(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  since: Date,
  { first, now }: ConnectionLimit,
  most: number,
): Promise<number> {
  const rows = await sql`
    with chosen as materialized (
      select id, row_number() over (order by event_id) - 1 as place from (
        select d.id, d.event_id from webhook_delivery d join outbox o on o.id = d.event_id
        where d.endpoint_id = ${endpointId} and d.state = 'failed' and o.created_at >= ${since}
        order by d.event_id limit ${most}) first
    )
    update webhook_delivery d set state = 'pending', finished_at = null, step = 0,
      next_attempt_at = greatest(${now}::timestamptz,
        ${first}::timestamptz + place * ${INTERVAL_MS} * interval '1 millisecond')
    from chosen where d.id = chosen.id
    returning d.id`
  return rows.length
}

async function deliverMissed(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  since: Date,
  { first, now }: ConnectionLimit,
  most: number,
): Promise<number> {
  const rows = await sql<{ id: DeliveryId }[]>`
    insert into webhook_delivery (endpoint_id, event_id, event_type)
    select e.id, o.id, o.type
    from webhook_endpoint e join outbox o on o.merchant_id = e.merchant_id
    where e.id = ${endpointId} and o.position is not null and o.endpoint_id is null
      and o.created_at >= greatest(${since}::timestamptz, e.created_at)
      and (e.event_types is null or o.type = any(e.event_types))
      and not exists (
        select from webhook_delivery d where d.endpoint_id = e.id and d.event_id = o.id)
    order by o.position limit ${most}
    on conflict (endpoint_id, event_id) do nothing
    returning id`
  await sql`
    update webhook_delivery d set next_attempt_at = greatest(${now}::timestamptz,
      ${first}::timestamptz + (place - 1) * ${INTERVAL_MS} * interval '1 millisecond')
    from unnest(${rows.map(({ id }) => id)}::uuid[]) with ordinality as missed (id, place)
    where d.id = missed.id`
  return rows.length
}
