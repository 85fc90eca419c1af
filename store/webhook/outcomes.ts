import type { DeliveryId, WebhookEndpointId } from '../../core/base/ids.ts'
import type { Environment } from '../../core/chain/table.ts'
import {
  type DisabledReason,
  presentWebhookEndpoint,
  type WebhookEndpoint,
} from '../../core/webhook/endpoint.ts'
import { type DeliveryVerdict, FAILING_LIMIT_MS } from '../../core/webhook/schedule.ts'
import { commitWithoutWaiting, type Database, type Transaction } from '../database/database.ts'
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
 * Records attempts in one transaction, and disables endpoints that request it or have failed for too long. An
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
  return database.begin(async (sql): Promise<DeliveryOutcome[]> => {
    // What is forgotten is sent again, under the same webhook-id.
    const saving = saveAttempts(sql, owner, outcomes, now)
    const [saved] = await Promise.all([saving, commitWithoutWaiting(sql)])
    const { recordedIds, postponedIds, isAnyFailing } = saved
    const postponed = outcomes.filter(({ deliveryId }) => postponedIds.has(deliveryId))
    const recorded = outcomes.filter(({ deliveryId }) => recordedIds.has(deliveryId))
    const isAllWell = recorded.every(({ verdict }) => verdict.type === 'succeeded')
    if (isAllWell && !isAnyFailing) return postponed
    const tooLong = await saveHealth(sql, recorded, now)
    const gone = recorded.filter(({ verdict }) => verdict.type === 'gone')
    for (const id of new Set(gone.map(({ endpointId }) => endpointId))) {
      await disableEndpoint(sql, environment, id, 'gone', now)
    }
    for (const id of tooLong) await disableEndpoint(sql, environment, id, 'failing', now)
    return postponed
  })
}

interface Saved {
  /** The deliveries whose attempt was ours to record. */
  readonly recordedIds: ReadonlySet<DeliveryId>
  /** Those whose endpoint is locked by another process. */
  readonly postponedIds: ReadonlySet<DeliveryId>
  /** Whether any of their endpoints was failing. */
  readonly isAnyFailing: boolean
}

async function saveAttempts(
  sql: Transaction,
  owner: string,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<Saved> {
  const [row] = await sql<
    { ids: DeliveryId[]; postponedIds: DeliveryId[]; isAnyFailing: boolean }[]
  >`
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
      select id, failing_since is not null as is_failing from webhook_endpoint
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
      where d.id = g.id and d.attempts = g.number - 1
      returning g.*, f.is_failing
    ), proven as (
      -- Not one whose URL was replaced while this was under way.
      update webhook_endpoint e set proven_at = ${now}
      from changed c
      where e.id = c.endpoint_id and e.proven_at is null and c.state = 'succeeded'
        and c.url = e.url
    ), made as (
      insert into webhook_attempt (delivery_id, number, at, latency_ms, status, error, answer)
      select id, number, at, latency_ms, status, error, answer from changed
    )
    select coalesce(json_agg(id), '[]') as ids,
      coalesce(bool_or(is_failing), false) as is_any_failing,
      (select coalesce(json_agg(g.id), '[]')
        from given g join ours using (endpoint_id) join webhook_endpoint e on e.id = g.endpoint_id
        where not exists (select from free f where f.id = e.id)) as postponed_ids
    from changed`
  return {
    recordedIds: new Set(row?.ids),
    postponedIds: new Set(row?.postponedIds),
    isAnyFailing: row?.isAnyFailing ?? false,
  }
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

/** Notes since when endpoints fail. Returns those that have failed for too long, and just now again. */
async function saveHealth(
  sql: Transaction,
  outcomes: readonly DeliveryOutcome[],
  now: Date,
): Promise<WebhookEndpointId[]> {
  const byEndpoint = Map.groupBy(outcomes, ({ endpointId }) => endpointId)
  const ids = [...byEndpoint.keys()]
  const well = ids.filter((id) =>
    byEndpoint.get(id)?.some(({ verdict }) => verdict.type === 'succeeded'),
  )
  const failing = ids.filter((id) => !well.includes(id))
  // They are locked already.
  const rows = await sql<{ id: WebhookEndpointId; failingSince: Date | null }[]>`
    select id, failing_since from webhook_endpoint
    where (id = any(${well}::uuid[]) and failing_since is not null)
      or id = any(${failing}::uuid[])`
  if (rows.length === 0) return []
  await sql`
    update webhook_endpoint set
      failing_since = case when id = any(${well}::uuid[]) then null else ${now}::timestamptz end
    where id = any(${rows.map(({ id }) => id)}::uuid[])
      and (failing_since is null) = (id = any(${failing}::uuid[]))`
  const limit = now.getTime() - FAILING_LIMIT_MS
  return rows.flatMap(({ id, failingSince: since }) =>
    failing.includes(id) && since !== null && since.getTime() <= limit ? [id] : [],
  )
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
    where id = ${endpointId} and active
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
