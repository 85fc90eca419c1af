import type { MerchantEvent } from '../core/webhook/event.ts'
import { commitWithoutWaiting, type Database, type Transaction } from './database.ts'

/** Which process sends which delivery. */

export interface LeasedDelivery {
  readonly id: string
  readonly endpointId: string
  /** The attempt that is to be made: its number, and its place in the schedule; both from 1. */
  readonly number: number
  readonly step: number
  readonly url: string
  /** The endpoint's secret, and the one before it while both sign. */
  readonly secrets: readonly string[]
  /** The endpoint has answered with nothing but failures lately. */
  readonly isFailing: boolean
  readonly event: MerchantEvent
}

export interface LeaseRequest {
  /** The process, by a name that no other has. */
  readonly owner: string
  readonly leaseMs: number
  /** How many deliveries the process has room for, */
  readonly room: number
  /** and how many of these may be to endpoints that are failing. */
  readonly failingRoom: number
}

/** The most that is under way to one endpoint, over all processes. */
const AT_ONCE_PER_ENDPOINT = 5

/**
 * Leases deliveries that are due. Endpoints take turns: the second delivery of one comes after the
 * first of all others, and endpoints that are failing come last.
 *
 * Leases of an endpoint are given out under the lock of its row, and counted by a statement that
 * begins after the lock was taken, so that there are never more at once than allowed.
 */
export async function leaseDeliveries(
  database: Database,
  request: LeaseRequest,
): Promise<LeasedDelivery[]> {
  if (request.room <= 0) return []
  return database.begin(async (sql): Promise<LeasedDelivery[]> => {
    const [endpointIds] = await Promise.all([lockDueEndpoints(sql), commitWithoutWaiting(sql)])
    return endpointIds.length === 0 ? [] : leaseFrom(sql, endpointIds, request)
  })
}

/** Endpoints with something to send, found by skipping from one to the next in the index. */
async function lockDueEndpoints(sql: Transaction): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive pending as (
      (select endpoint_id from webhook_delivery where state = 'pending'
        order by endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhook_delivery d
        where d.state = 'pending' and d.endpoint_id > p.endpoint_id
        order by d.endpoint_id limit 1)
      from pending p where p.endpoint_id is not null
    )
    select e.id from webhook_endpoint e
    where e.id in (select endpoint_id from pending) and e.active
      -- With its limit it is looked up for each, and not found among all that is due.
      and (
        select true from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'pending' and d.next_attempt_at <= now() limit 1)
    for no key update skip locked`
  return rows.map(({ id }) => id)
}

interface LeasedRow {
  id: string
  endpoint_id: string
  attempts: number
  step: number
  url: string
  secrets: string[]
  is_failing: boolean
  event_id: string
  type: string
  created_at: Date
  data: string
}

async function leaseFrom(
  sql: Transaction,
  endpointIds: readonly string[],
  { owner, leaseMs, room, failingRoom }: LeaseRequest,
): Promise<LeasedDelivery[]> {
  const rows = await sql<LeasedRow[]>`
    with due as (
      select d.id, d.endpoint_id, e.failing_since is not null as is_failing, d.turn, d.due_at
      from webhook_endpoint e
      cross join lateral (
        select array_agg(delivery_id) as ids, count(*) as busy from webhook_lease
        where endpoint_id = e.id and until > now()
      ) leased
      cross join lateral (
        select id, endpoint_id, next_attempt_at as due_at,
          leased.busy + row_number() over (order by next_attempt_at, event_id) as turn
        from webhook_delivery
        where endpoint_id = e.id and state = 'pending' and next_attempt_at <= now()
          and (leased.ids is null or id <> all(leased.ids))
        order by next_attempt_at, event_id
        limit greatest(0, ${AT_ONCE_PER_ENDPOINT}::bigint - leased.busy)
      ) d
      where e.id = any(${[...endpointIds]}::uuid[])
    ), chosen as (
      select id, endpoint_id from (
        select id, endpoint_id, is_failing, turn, due_at, row_number() over (
          partition by is_failing order by turn, due_at) as place
        from due
      ) ranked
      where not is_failing or place <= ${failingRoom}
      order by is_failing, turn, due_at limit ${room}
    ), leased as (
      insert into webhook_lease (delivery_id, endpoint_id, owner, until)
      select id, endpoint_id, ${owner}, now() + ${leaseMs} * interval '1 millisecond' from chosen
      on conflict (delivery_id) do update set owner = excluded.owner, until = excluded.until
    )
    select d.id, d.endpoint_id, d.attempts, d.step, e.url,
      array_remove(array[e.secret, case when e.previous_until > now() then e.previous_secret end],
        null) as secrets,
      e.failing_since is not null as is_failing,
      o.id as event_id, o.type, o.created_at, o.data::text as data
    from chosen c join webhook_delivery d on d.id = c.id
    join webhook_endpoint e on e.id = d.endpoint_id join outbox o on o.id = d.event_id`
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    number: row.attempts + 1,
    step: row.step + 1,
    url: row.url,
    secrets: row.secrets,
    isFailing: row.is_failing,
    event: { id: row.event_id, type: row.type, createdAt: row.created_at, dataJson: row.data },
  }))
}

/** Gives leases back that will not be used, e.g. by a process that is stopping. */
export async function releaseLeases(database: Database, owner: string): Promise<void> {
  await database`delete from webhook_lease where owner = ${owner}`
}
