import {
  asWebhookEndpointId,
  type MerchantId,
  type WebhookEndpointId,
} from '../../core/base/ids.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import type { Environment } from '../../core/chain/table.ts'
import { destinationOf, MAX_ENDPOINTS, type WebhookEndpoint } from '../../core/webhook/endpoint.ts'
import { OVERLAP_MS } from '../../core/webhook/schedule.ts'
import { formatSecret, SECRET_BYTES } from '../../core/webhook/signature.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { seal } from '../database/seal.ts'

/** Webhook endpoints of merchants. Secrets leave this file when they are made; they are stored encrypted. */

/** The seed of the locks of merchants whose endpoints are counted; payers' locks have another. */
const MERCHANT_LOCKS = 403

/** Endpoints are called `e` in every query. Secrets are not among these. */
export const ENDPOINT_COLUMNS = [
  'e.id',
  'e.merchant_id',
  'e.url',
  'e.description',
  'e.event_types',
  'e.active',
  'e.disabled_reason',
  'e.disabled_at',
  'e.failing_since',
  'e.proven_at',
  'e.previous_until',
  'e.version',
  'e.created_at',
  'e.updated_at',
]

export interface NewEndpoint {
  readonly url: string
  readonly description: string
  /** Null for every type. */
  readonly eventTypes: readonly string[] | null
}

/** How secrets are made and kept. */
export interface SecretTerms {
  readonly environment: Environment
  readonly secretKeys: Keyring
}

export type CreatedEndpoint =
  | { readonly ok: true; readonly endpoint: WebhookEndpoint; readonly secret: string }
  /** The merchant has as many endpoints as one may have. */
  | { readonly ok: false }

/** Creates an endpoint. Its secret can't be read again. */
export async function createWebhookEndpoint(
  database: Database,
  { environment, secretKeys }: SecretTerms,
  merchantId: MerchantId,
  { url, description, eventTypes }: NewEndpoint,
  now: Date,
): Promise<CreatedEndpoint> {
  const id = asWebhookEndpointId(Bun.randomUUIDv7())
  const secret = newSecret(environment)
  return database.begin(async (sql): Promise<CreatedEndpoint> => {
    // Two creations at the same moment count one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${merchantId}, ${MERCHANT_LOCKS}))`
    const [row] = await sql<WebhookEndpoint[]>`
      insert into webhook_endpoint as e (id, merchant_id, url, description, event_types, secret,
        destination, created_at, updated_at)
      select ${id}, ${merchantId}, ${url}, ${description},
        ${eventTypes === null ? null : [...eventTypes]}::text[], ${sealedFor(secretKeys, id, secret)},
        ${destinationOf(url)}, ${now}, ${now}
      where (select count(*) from webhook_endpoint where merchant_id = ${merchantId})
        < ${MAX_ENDPOINTS}
      returning ${sql(ENDPOINT_COLUMNS)}`
    return row === undefined ? { ok: false } : { ok: true, endpoint: row, secret }
  })
}

/** One endpoint of the merchant, active or not; null for another merchant's. */
export async function findWebhookEndpoint(
  sql: Queryable,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
): Promise<WebhookEndpoint | null> {
  const [row] = await sql<WebhookEndpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)} from webhook_endpoint e
    where e.id = ${endpointId} and e.merchant_id = ${merchantId}`
  return row ?? null
}

/** All endpoints of the merchant, the newest first. There are never many. */
export async function listWebhookEndpoints(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<WebhookEndpoint[]> {
  return sql<WebhookEndpoint[]>`
    select ${sql(ENDPOINT_COLUMNS)} from webhook_endpoint e
    where e.merchant_id = ${merchantId} order by e.created_at desc, e.id desc`
}

export interface WebhookEndpointChange {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly eventTypes?: readonly string[] | null | undefined
  readonly active?: boolean | undefined
}

/**
 * Changes what is given; null when there is no such endpoint. Switched off, it is sent nothing, and what
 * waits for it ends as failed; switched on again, it begins with a clean record. Another URL has to prove
 * itself, and gets its first webhook a minute after the last one that was no success.
 */
export async function changeWebhookEndpoint(
  database: Database,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
  change: WebhookEndpointChange,
  now: Date,
): Promise<WebhookEndpoint | null> {
  return database.begin(async (sql): Promise<WebhookEndpoint | null> => {
    const [before] = await sql<WebhookEndpoint[]>`
      select ${sql(ENDPOINT_COLUMNS)} from webhook_endpoint e
      where e.id = ${endpointId} and e.merchant_id = ${merchantId} for no key update`
    if (before === undefined) return null
    const { url = before.url, eventTypes = before.eventTypes, active = before.active } = change
    const isSwitched = active !== before.active
    const [row] = await sql<WebhookEndpoint[]>`
      update webhook_endpoint e set
        url = ${url}, destination = ${destinationOf(url)},
        proven_at = ${url === before.url ? before.provenAt : null},
        description = ${change.description ?? before.description},
        event_types = ${eventTypes === null ? null : [...eventTypes]}::text[],
        active = ${active},
        disabled_reason = ${isSwitched && !active ? 'merchant' : active ? null : before.disabledReason},
        disabled_at = ${isSwitched && !active ? now : active ? null : before.disabledAt},
        failing_since = ${isSwitched ? null : before.failingSince},
        updated_at = ${now}, version = version + 1
      where e.id = ${endpointId}
      returning ${sql(ENDPOINT_COLUMNS)}`
    if (isSwitched && !active) await endDeliveries(sql, endpointId, now)
    return row ?? null
  })
}

/**
 * Deletes an endpoint with its deliveries. Returns whether there was one. Deliveries are made under the
 * endpoint's lock, so that the second statement sees all there ever will be.
 */
export async function deleteWebhookEndpoint(
  database: Database,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
): Promise<boolean> {
  return database.begin(async (sql): Promise<boolean> => {
    const rows = await sql`
      delete from webhook_endpoint where id = ${endpointId} and merchant_id = ${merchantId}
      returning id`
    if (rows.length === 0) return false
    await sql`delete from webhook_delivery where endpoint_id = ${endpointId}`
    return true
  })
}

/**
 * Replaces the secret; null when there is no such endpoint. With an overlap, the one before it signs
 * beside it for a day; without, it is worth nothing from now on, in case it has leaked.
 */
export async function rotateWebhookSecret(
  sql: Queryable,
  { environment, secretKeys }: SecretTerms,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
  hasOverlap: boolean,
  now: Date,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string } | null> {
  const secret = newSecret(environment)
  const until = new Date(now.getTime() + OVERLAP_MS)
  await sql`
    select rotate_webhook_secret(${merchantId}, ${endpointId},
      ${sealedFor(secretKeys, endpointId, secret)}, ${hasOverlap ? until : null}, ${now})`
  const endpoint = await findWebhookEndpoint(sql, merchantId, endpointId)
  return endpoint === null ? null : { endpoint, secret }
}

/** Ends what waits for an endpoint. Of what is just being sent, the answer is still recorded. */
export async function endDeliveries(
  sql: Transaction,
  endpointId: WebhookEndpointId,
  now: Date,
): Promise<void> {
  await sql`
    update webhook_delivery d set state = 'failed', finished_at = ${now},
      last_error = 'endpoint_disabled'
    where d.endpoint_id = ${endpointId} and d.state = 'pending'`
}

function newSecret(environment: Environment): string {
  return formatSecret(environment, crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
}

function sealedFor(keys: Keyring, endpointId: WebhookEndpointId, secret: string): string {
  return seal(keys, { column: 'webhook_endpoint.secret', rowId: endpointId }, secret)
}
