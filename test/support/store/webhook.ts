import {
  asEventId,
  asMerchantId,
  asWebhookEndpointId,
  type DeliveryId,
  type EventId,
  type MerchantId,
  type WebhookEndpointId,
} from '../../../core/base/ids.ts'
import type { EventType } from '../../../core/events/eventTypes.ts'
import type { Queryable } from '../../../store/database/database.ts'
import type { LeaseRequest } from '../../../store/webhook/leases.ts'
import type { DeliveryOutcome } from '../../../store/webhook/outcomes.ts'

/** Webhook endpoints, events and deliveries in every state, as rows of the store. */

export const NOW = new Date('2026-06-01T12:00:00Z')

export async function newMerchant(sql: Queryable): Promise<MerchantId> {
  const id = asMerchantId(Bun.randomUUIDv7())
  await sql`insert into merchant (id, name) values (${id}, 'Shop')`
  return id
}

type Columns = Record<string, string | number | boolean | Date | readonly string[] | null>

/** An active endpoint for every type of event. */
export async function newEndpoint(
  sql: Queryable,
  merchantId: MerchantId,
  columns: Columns = {},
): Promise<WebhookEndpointId> {
  const id = asWebhookEndpointId(Bun.randomUUIDv7())
  const row = {
    ...{ id, merchant_id: merchantId, url: 'https://shop.example/hook', secret: 'secret' },
    ...{ proven_at: NOW, destination: `${id}.example:443` },
    ...columns,
  }
  await sql`insert into webhook_endpoint ${sql(row)}`
  return id
}

export const SWITCHED_OFF = { active: false, disabled_reason: 'merchant', disabled_at: NOW }

interface EventTerms {
  readonly type?: EventType
  readonly objectId?: string
  /** Null while no one has made it into deliveries. */
  readonly position?: number | null
  readonly endpointId?: WebhookEndpointId
  readonly createdAt?: Date
  readonly id?: string
}

let positions = 0

/** An event that was made into deliveries already. */
export async function newEvent(
  sql: Queryable,
  merchantId: MerchantId,
  terms: EventTerms = {},
): Promise<EventId> {
  const id = asEventId(terms.id ?? Bun.randomUUIDv7())
  positions += 1
  const { position = positions, createdAt = new Date() } = terms
  await sql`
    insert into outbox (id, merchant_id, type, object_id, version, data, position, endpoint_id,
      created_at)
    values (${id}, ${merchantId}, ${terms.type ?? 'invoice.paid'},
      ${terms.objectId ?? Bun.randomUUIDv7()}, 1, '{"version":1}', ${position},
      ${terms.endpointId ?? null}, ${createdAt})`
  return id
}

/** A delivery of an event to an endpoint, due at once. */
export async function newDelivery(
  sql: Queryable,
  endpointId: WebhookEndpointId,
  eventId: EventId,
  columns: Columns = {},
): Promise<DeliveryId> {
  const [event] = await sql<{ type: string }[]>`select type from outbox where id = ${eventId}`
  const event_type = event?.type ?? 'invoice.paid'
  const row = { endpoint_id: endpointId, event_id: eventId, event_type, ...columns }
  const [stored] = await sql<{ id: DeliveryId }[]>`
    insert into webhook_delivery ${sql(row)} returning id`
  if (!stored) throw new Error('the delivery was not stored')
  return stored.id
}

export const FAILED = { state: 'failed', finished_at: NOW }
export const SUCCEEDED = { state: 'succeeded', finished_at: NOW }

/** Times are ISO 8601. */
export interface DeliveryRow {
  readonly state: string
  readonly attempts: number
  readonly step: number
  readonly nextAttemptAt: string
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly finishedAt: string | null
}

export async function deliveryRow(sql: Queryable, id: DeliveryId): Promise<DeliveryRow> {
  const [row] = await sql<DeliveryRow[]>`select * from webhook_delivery where id = ${id}`
  if (!row) throw new Error('there is no such delivery')
  return withIsoTimes(row)
}

/** Which events are delivered to an endpoint, in the order of their ids. */
export async function deliveredTo(
  sql: Queryable,
  endpointId: WebhookEndpointId,
): Promise<EventId[]> {
  const rows = await sql<{ eventId: EventId }[]>`
    select event_id from webhook_delivery where endpoint_id = ${endpointId} order by event_id`
  return rows.map(({ eventId }) => eventId)
}

/** Times are ISO 8601. */
export interface EndpointRow {
  readonly active: boolean
  readonly url: string
  readonly disabledReason: string | null
  readonly disabledAt: string | null
  readonly failingSince: string | null
  readonly version: number
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousUntil: string | null
}

export async function endpointRow(sql: Queryable, id: WebhookEndpointId): Promise<EndpointRow> {
  const [row] = await sql<EndpointRow[]>`select * from webhook_endpoint where id = ${id}`
  if (!row) throw new Error('there is no such endpoint')
  return withIsoTimes(row)
}

/** `toMatchObject` takes any time for any other while they are dates. */
function withIsoTimes<Row extends object>(row: Row): Row {
  return JSON.parse(JSON.stringify(row))
}

/** What a notifier asks for that has nothing yet and room for ten endpoints. */
export function aRequest(given: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    ...{ owner: Bun.randomUUIDv7(), leaseMs: 10_000, kept: [], heldIds: [] },
    share: { place: 0, of: 1 },
    ...{ newcomers: 10, failingNewcomers: 10, firstDeliveries: 10 },
    ...given,
  }
}

/** A lease of an endpoint, in ms from now. */
export async function storeLease(
  sql: Queryable,
  endpointId: WebhookEndpointId,
  owner: string,
  leftMs = 10_000,
): Promise<void> {
  await sql`
    insert into webhook_lease (endpoint_id, owner, until)
    values (${endpointId}, ${owner}, now() + ${leftMs} * interval '1 millisecond')
    on conflict (endpoint_id) do update set owner = excluded.owner, until = excluded.until`
}

/** The first attempt of a delivery, which succeeded. */
export function anOutcome(
  deliveryId: DeliveryId,
  endpointId: WebhookEndpointId,
  given: Partial<DeliveryOutcome> = {},
): DeliveryOutcome {
  return {
    ...{ deliveryId, endpointId, number: 1, at: NOW, latencyMs: 12, status: 204, error: null },
    ...{ url: 'https://shop.example/hook', answer: '', verdict: { type: 'succeeded' } },
    ...given,
  }
}
