import type { DeliveryId, WebhookEndpointId } from '../../core/base/ids.ts'
import type { Environment } from '../../core/chain/table.ts'
import {
  type DisabledReason,
  presentWebhookEndpoint,
  type WebhookEndpoint,
} from '../../core/webhook/endpoint.ts'
import { type DeliveryVerdict, FAILING_LIMIT_MS } from '../../core/webhook/schedule.ts'
import {
  type Database,
  isNotWaitedFor,
  type Queryable,
  type Transaction,
} from '../database/database.ts'
import { insertEvent } from '../events/outbox.ts'
import { ENDPOINT_COLUMNS, endDeliveries } from './endpoints.ts'

/** What came of deliveries, and of the endpoints they were for. */

export interface DeliveryOutcome {
  readonly deliveryId: DeliveryId
  readonly endpointId: WebhookEndpointId
  /** Where it was sent. */
  readonly url: string
  /** The number of the attempt, from 1. */
  readonly number: number
  readonly at: Date
  readonly latencyMs: number
  readonly status: number | null
  readonly error: string | null
  /** The beginning of the answer's body; null when there was no answer. */
  readonly answer: string | null
  readonly verdict: DeliveryVerdict
}

/**
 * Records attempts in one statement, and disables endpoints that request it or have failed for too long. An
 * attempt whose lease was lost to another process is not recorded: the other one makes it again, under the same
 * webhook-id. Returns the outcomes that are to be recorded later, because their endpoint is just being changed:
 * waiting for a merchant would hold up all others, and those who change an endpoint wait for its deliveries in
 * turn.
 */
export async function recordOutcomes(
  database: Database,
  environment: Environment,
  owner: string,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<DeliveryOutcome[]> {
  if (outcomes.length === 0) return []
  const isGone = ({ verdict }: DeliveryOutcome) => verdict.type === 'gone'
  const disable = (sql: Transaction, id: WebhookEndpointId, reason: DisabledReason) => {
    return disableEndpoint(sql, environment, id, reason, now)
  }
  const save = async (sql: Queryable) => {
    const saved = await saveAttempts(sql, owner, outcomes, now)
    const isIn = (ids: readonly DeliveryId[]) =>
      outcomes.filter((one) => ids.includes(one.deliveryId))
    const gone = isIn(saved.ids).filter(isGone)
    return {
      ...saved,
      goneIds: gone.map(({ endpointId }) => endpointId),
      postponed: isIn(saved.postponedIds),
    }
  }
  if (!outcomes.some(isGone)) {
    const { failingIds, postponed } = await save(database)
    if (failingIds.length === 0) return postponed
    // Should this process end here, they are disabled when they fail the next time.
    await database.begin(async (sql) => {
      for (const id of failingIds) await disable(sql, id, 'failing')
    })
    return postponed
  }
  return database.begin(async (sql) => {
    const { failingIds, goneIds, postponed } = await save(sql)
    for (const id of new Set(goneIds)) await disable(sql, id, 'gone')
    for (const id of failingIds) await disable(sql, id, 'failing')
    return postponed
  })
}

interface Saved {
  /** The deliveries whose attempt was ours to record. */
  readonly ids: readonly DeliveryId[]
  /** Those whose endpoint is locked by another process. */
  readonly postponedIds: readonly DeliveryId[]
  /** The endpoints that have failed for too long, and just now again. */
  readonly failingIds: readonly WebhookEndpointId[]
}

/** What is forgotten is sent again, under the same webhook-id: nothing waits for the disk. */
async function saveAttempts(
  sql: Queryable,
  owner: string,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<Saved> {
  const limit = new Date(now.getTime() - FAILING_LIMIT_MS)
  const [row] = await sql<Saved[]>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(outcomes.map(rowOf))}::text::json) as given (
        id uuid, endpoint_id uuid, number integer, at timestamptz, latency_ms integer,
        url text, status integer, error text, answer text, state text, next_attempt_at timestamptz)
    ), ours as materialized (
      select endpoint_id from webhook_lease
      where endpoint_id in (select endpoint_id from given) and owner = ${owner}
      -- In the order in which leases are taken, so that two processes can't deadlock.
      order by endpoint_id for share
    ), free as materialized (
      select id, url, failing_since from webhook_endpoint
      where id in (select endpoint_id from ours)
      for no key update skip locked
    ), changed as (
      update webhook_delivery d set
        attempts = g.number, step = d.step + 1, last_status = g.status, last_error = g.error,
        next_attempt_at = coalesce(g.next_attempt_at, d.next_attempt_at),
        -- What was ended meanwhile, with its endpoint, is not tried again.
        state = case when d.state = 'pending' or g.state <> 'pending' then g.state else d.state end,
        finished_at = case when d.state <> 'pending' or g.state <> 'pending'
          then ${now}::timestamptz end
      from given g join free f on f.id = g.endpoint_id
      where d.id = g.id and d.attempts = g.number - 1 and ${isNotWaitedFor(sql)}
      returning g.*, f.failing_since,
        -- Not where the URL was replaced while this was under way.
        g.state = 'succeeded' and g.url = f.url as is_proof
    ), heard as (
      select endpoint_id, failing_since, bool_or(state = 'succeeded') as is_well, bool_or(is_proof) as is_proof
      from changed group by endpoint_id, failing_since
    ), noted as (
      update webhook_endpoint e set
        proven_at = case when h.is_proof then coalesce(e.proven_at, ${now}) else e.proven_at end,
        failing_since = case when not h.is_well then coalesce(e.failing_since, ${now}) end
      from heard h
      where e.id = h.endpoint_id
        and (h.is_well = (e.failing_since is not null) or h.is_proof and e.proven_at is null)
    ), made as (
      insert into webhook_attempt (delivery_id, number, at, latency_ms, status, error, answer)
      select id, number, at, latency_ms, status, error, answer from changed
    )
    select coalesce(json_agg(id), '[]') as ids,
      (select coalesce(json_agg(endpoint_id), '[]') from heard
        where not is_well and failing_since <= ${limit}) as failing_ids,
      (select coalesce(json_agg(g.id), '[]')
        from given g join ours using (endpoint_id) join webhook_endpoint e on e.id = g.endpoint_id
        where not exists (select from free f where f.id = e.id)) as postponed_ids
    from changed`
  return row ?? { ids: [], postponedIds: [], failingIds: [] }
}

function rowOf({ verdict, ...outcome }: DeliveryOutcome) {
  const state = { succeeded: 'succeeded', retry: 'pending', failed: 'failed', gone: 'failed' }
  return {
    id: outcome.deliveryId,
    endpoint_id: outcome.endpointId,
    url: outcome.url,
    number: outcome.number,
    at: outcome.at,
    latency_ms: outcome.latencyMs,
    status: outcome.status,
    error: outcome.error,
    answer: outcome.answer,
    state: state[verdict.type],
    next_attempt_at: verdict.type === 'retry' ? verdict.at : null,
  }
}

/** Disables an endpoint, ends its pending deliveries, and notifies the merchant's other endpoints. */
async function disableEndpoint(
  sql: Transaction,
  environment: Environment,
  endpointId: WebhookEndpointId,
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  const [endpoint] = await sql<WebhookEndpoint[]>`
    update webhook_endpoint e set active = false, disabled_reason = ${reason},
      disabled_at = ${now}, updated_at = ${now}, version = version + 1
    where id = ${endpointId} and active and (${reason} = 'gone' or failing_since is not null)
    returning ${sql(ENDPOINT_COLUMNS)}`
  if (endpoint === undefined) return
  await endDeliveries(sql, endpointId, now)
  const { merchantId, version } = endpoint
  const data = { ...presentWebhookEndpoint(endpoint, now), environment, version }
  await insertEvent(sql, {
    merchantId,
    type: 'endpoint.disabled',
    objectId: endpointId,
    version,
    data,
  })
}
