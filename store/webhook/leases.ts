import type { DeliveryId, EventId, WebhookEndpointId } from '../../core/base/ids.ts'
import { type Database, isNotWaitedFor } from '../database/database.ts'
import { EVERYTHING, isInScope, type Scope } from '../database/scope.ts'
import { isInShare, type Share } from './notifiers.ts'

/** Which process sends to which endpoint, and what it has to send. */

export interface LeasedEndpoint {
  readonly endpointId: WebhookEndpointId
  readonly url: string
  /** The endpoint's secret, and the one before it while both sign; as they are stored. */
  readonly secrets: readonly string[]
  /** The endpoint has answered with nothing but failures lately. */
  readonly isFailing: boolean
  /** It is in the share of the process, which else sends a little and makes way. */
  readonly isOwn: boolean
  /** How long the lease lasts, in ms from its request. */
  readonly leftMs: number
  /** What is due and the process does not have already, the longest overdue first. */
  readonly deliveries: readonly DueDelivery[]
}

export interface DueDelivery {
  readonly id: DeliveryId
  readonly eventId: EventId
  /** The attempt that is to be made: its number, and its step of the schedule; both from 1. */
  readonly number: number
  readonly step: number
}

export interface LeaseRequest {
  /** The process, by a name that no other has. */
  readonly owner: string
  readonly leaseMs: number
  readonly share: Share
  /** The endpoints that the process wants to keep, and how many more deliveries of each. */
  readonly kept: readonly { readonly endpointId: WebhookEndpointId; readonly more: number }[]
  /** The deliveries that it has already. */
  readonly heldIds: readonly DeliveryId[]
  /** How many other endpoints it has room for, */
  readonly newcomers: number
  /** and how many of these may be endpoints that are failing. */
  readonly failingNewcomers: number
  /** How many deliveries of each of them it begins with. */
  readonly firstDeliveries: number
}

/** How often an endpoint is sent to that has not answered with 2xx at its URL yet, in ms. */
const PROBE_EVERY_MS = 60_000
/** An endpoint of another process's share is left to it for so long, in ms: two of its ticks. */
const LEFT_TO_OTHERS_MS = 500

interface LeasedRow {
  endpointId: WebhookEndpointId
  url: string
  secrets: string[]
  isFailing: boolean
  isOwn: boolean
  leftMs: number
  deliveries: DueDelivery[]
}

/**
 * Leases endpoints and reads what is due to them, all as of one moment: no delivery goes to a URL, or is signed
 * by a secret, that was replaced before. A requested endpoint that is not returned was disabled or deleted, or
 * belongs to another process by now.
 *
 * Of unleased endpoints, failing ones come last, then come first those of the process's share, and of these the
 * ones that were not leased for the longest time: with more endpoints than room, a backlog takes no turn from
 * others. They are found by skipping from one to the next in the index of what is pending. An endpoint of
 * another process's share is taken only after it was unleased for a while, so that a process that releases it,
 * because it is not of its share, doesn't take it again.
 *
 * An endpoint that has not answered with 2xx at its URL yet is given one delivery a minute, by all processes
 * together: the URL's owner is not known.
 */
export async function leaseEndpoints(
  database: Database,
  request: LeaseRequest,
  scope: Scope<WebhookEndpointId> = EVERYTHING,
): Promise<LeasedEndpoint[]> {
  const { owner, leaseMs, newcomers, share } = request
  const { of, without } = scope
  const keeps = request.kept.filter(
    ({ endpointId: id }) => !without.includes(id) && (of === null || of.includes(id)),
  )
  const kept = keeps.map(({ endpointId, more }) => ({ endpoint_id: endpointId, more }))
  return database<LeasedRow[]>`
    with recursive kept as materialized (
      select endpoint_id, more from json_to_recordset(${JSON.stringify(kept)}::text::json) as kept (endpoint_id uuid, more integer)
    ), pending as (
      -- In this order no other index will do.
      (select endpoint_id from webhook_delivery where state = 'pending' and ${newcomers} > 0
        order by endpoint_id, next_attempt_at limit 1)
      union all
      select (
        select d.endpoint_id from webhook_delivery d
        where d.state = 'pending' and d.endpoint_id > p.endpoint_id
        order by d.endpoint_id, d.next_attempt_at limit 1)
      from pending p where p.endpoint_id is not null
    ), due as (
      select e.id, e.failing_since is not null as is_failing, ${isInShare(database, share)} as is_own,
        l.until as last_leased, longest.due_at
      from pending p join webhook_endpoint e on e.id = p.endpoint_id
      -- With its limit it is looked up for each, however few leases there were when this was planned.
      left join lateral (
        select owner, until, next_probe_at from webhook_lease where endpoint_id = e.id limit 1
      ) l on true
      cross join lateral (
        select next_attempt_at as due_at from webhook_delivery
        where endpoint_id = e.id and state = 'pending' and next_attempt_at <= now()
        order by next_attempt_at limit 1
      ) longest
      where e.active and not exists (select from kept where endpoint_id = e.id)
        and ${isInScope(database, 'e.id', scope)}
        and (e.proven_at is not null or coalesce(l.next_probe_at <= now(), true))
        and (l.until is null or l.owner = ${owner} or l.until <= now())
        and (${isInShare(database, share)} or l.until is null or l.until > now()
          or l.until <= now() - ${LEFT_TO_OTHERS_MS} * interval '1 millisecond')
    ), chosen as materialized (
      select endpoint_id, more from kept
      union all
      select id, ${request.firstDeliveries}::integer from (
        select id, is_failing, row_number() over (
          partition by is_failing order by is_own desc, last_leased nulls first, due_at) as place
        from due
        order by is_failing, is_own desc, last_leased nulls first, due_at limit ${Math.max(0, newcomers)}
      ) ranked
      where not is_failing or place <= ${request.failingNewcomers}
    ), fresh as materialized (
      select l.endpoint_id, l.until from webhook_lease l join chosen using (endpoint_id)
      join webhook_endpoint e on e.id = l.endpoint_id
      -- What is sent to an endpoint that is not proven is noted in its lease.
      where e.proven_at is not null and l.owner = ${owner} and l.until > now() + ${leaseMs / 2} * interval '1 millisecond'
    ), renewed as (
      -- In one order everywhere, so that two processes can't deadlock.
      insert into webhook_lease (endpoint_id, owner, until, next_probe_at)
      select c.endpoint_id, ${owner}, now() + ${leaseMs} * interval '1 millisecond',
        case when e.proven_at is null and c.more > 0 and p.is_due
          then now() + ${PROBE_EVERY_MS} * interval '1 millisecond' end
      from chosen c join webhook_endpoint e on e.id = c.endpoint_id
      cross join lateral (
        select exists (
          select from webhook_delivery
          where endpoint_id = e.id and state = 'pending' and next_attempt_at <= now()
            and id <> all(${[...request.heldIds]}::uuid[])) as is_due
      ) p
      where e.active and not exists (select from fresh f where f.endpoint_id = c.endpoint_id)
        and ${isNotWaitedFor(database)}
      order by c.endpoint_id
      on conflict (endpoint_id) do update set owner = excluded.owner, until = excluded.until,
        next_probe_at = case when coalesce(webhook_lease.next_probe_at <= now(), true)
          then excluded.next_probe_at else webhook_lease.next_probe_at end
      where webhook_lease.owner = excluded.owner or webhook_lease.until <= now()
      -- Only a probe that begins now lies so far ahead: now() is the same all through.
      returning endpoint_id, until,
        coalesce(next_probe_at = now() + ${PROBE_EVERY_MS} * interval '1 millisecond', false)
          as is_probe
    )
    select e.id as endpoint_id, e.url, e.failing_since is not null as is_failing,
      ${isInShare(database, share)} as is_own,
      array_remove(array[e.secret, case when e.previous_until > now() then e.previous_secret end],
        null) as secrets,
      extract(epoch from ours.until - now())::float8 * 1000 as left_ms, due.deliveries
    from (
      select endpoint_id, until, false as is_probe from fresh
      union all select endpoint_id, until, is_probe from renewed
    ) ours
    join chosen c on c.endpoint_id = ours.endpoint_id
    join webhook_endpoint e on e.id = ours.endpoint_id and e.active
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', id, 'eventId', event_id,
        'number', attempts + 1, 'step', step + 1)), '[]') as deliveries
      from (
        select id, event_id, attempts, step from webhook_delivery
        where endpoint_id = e.id and state = 'pending' and next_attempt_at <= now()
          and id <> all(${[...request.heldIds]}::uuid[])
        order by next_attempt_at, event_id
        limit case when e.proven_at is not null then c.more when is_probe then 1 else 0 end
      ) first
    ) due`
}

/** All endpoints with deliveries that are not made yet. */
export async function pendingEndpoints(database: Database): Promise<WebhookEndpointId[]> {
  const rows = await database<{ endpointId: WebhookEndpointId }[]>`
    select distinct endpoint_id from webhook_delivery where state = 'pending' order by endpoint_id`
  return rows.map(({ endpointId }) => endpointId)
}

/** Gives single endpoints back, for others to take at once. */
export async function releaseEndpoints(
  database: Database,
  owner: string,
  endpointIds: readonly WebhookEndpointId[],
): Promise<void> {
  if (endpointIds.length === 0) return
  await database`
    with ours as (
      -- In one order everywhere, so that two processes can't deadlock.
      select endpoint_id from webhook_lease
      where owner = ${owner} and endpoint_id = any(${[...endpointIds]}::uuid[])
      order by endpoint_id for update
    )
    update webhook_lease l set until = least(until, now())
    from ours where ours.endpoint_id = l.endpoint_id and ${isNotWaitedFor(database)}`
}

/** Releases all leases of a process. Their record of probes outlives them. */
export async function releaseEndpointLeases(database: Database, owner: string): Promise<void> {
  await database.begin(async (sql) => {
    await sql`
      delete from webhook_lease
      where owner = ${owner} and coalesce(next_probe_at <= now(), true)`
    await sql`update webhook_lease set until = now() where owner = ${owner}`
  })
}
