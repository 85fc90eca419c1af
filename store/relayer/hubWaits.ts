import type { HubWait } from '../../core/hub/stops.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'

/**
 * Valid work that the hub does not take now. It stays queued with a reason; it is tried again
 * when the hub is seen to have changed, at the time that is named, and now and then in any case.
 */

/** How long it waits when it is not woken and has no time, in ms. */
const TRIED_AGAIN_AFTER_MS = 5 * 60_000

export interface ItemWait {
  readonly itemId: bigint
  readonly wait: HubWait
  /** A sentence for operators. */
  readonly reason: string
  /** When it may be tried again at the latest; null for now and then. */
  readonly until: Date | null
}

/** Has items wait, queued ones and those whose transaction is confirmed. They are bound to none then. */
export async function waitForHub(sql: Transaction, waits: readonly ItemWait[]): Promise<void> {
  if (waits.length === 0) return
  const given = waits.map((one) => ({ ...one, itemId: String(one.itemId) }))
  await sql`
    update work_item w set state = 'queued', tx_id = null, hub_wait = g.wait,
      result = jsonb_build_object('waits', g.reason), updated_at = now(),
      not_before = coalesce(g.until, now() + ${TRIED_AGAIN_AFTER_MS} * interval '1 millisecond')
    from json_to_recordset(${JSON.stringify(given)}::text::json)
      as g ("itemId" bigint, wait text, reason text, until timestamptz)
    where w.id = g."itemId" and w.id = any(${given.map(({ itemId }) => itemId)}::bigint[])
      and w.state in ('queued', 'assigned')`
}

/** Has a chain's items that wait for one of these be tried at once. Returns how many there were. */
export function wakeHubWaiters(
  sql: Queryable,
  networkId: string,
  waits: readonly HubWait[],
): Promise<number> {
  return wake(sql, sql`network_id = ${networkId} and hub_wait = any(${[...waits]}::text[])`)
}

/** Has an item be tried at once, if it waits for its hub. */
export async function wakeItem(sql: Queryable, itemId: bigint): Promise<void> {
  await wake(sql, sql`id = ${itemId} and hub_wait is not null`)
}

async function wake(sql: Queryable, isMeant: Fragment): Promise<number> {
  const rows = await sql`
    update work_item set hub_wait = null, not_before = now(), updated_at = now()
    where ${isMeant} and state = 'queued' returning id`
  return rows.length
}

/** How much work of a kind waits for a chain's hubs, and why. */
export interface HubWaiting {
  readonly networkId: string
  readonly kind: string
  readonly wait: HubWait
  readonly count: number
}

/** What waits for hubs on all chains. */
export async function readHubWaiting(sql: Queryable): Promise<HubWaiting[]> {
  return sql<HubWaiting[]>`
    select network_id, kind, hub_wait as wait, count(*)::integer as count from work_item
    where state = 'queued' and hub_wait is not null
    group by network_id, kind, hub_wait order by network_id, kind, hub_wait`
}

/** Whether any work of a chain waits for its hubs. */
export async function isWorkWaitingForHub(sql: Queryable, networkId: string): Promise<boolean> {
  const rows = await sql`
    select from work_item
    where network_id = ${networkId} and state = 'queued' and hub_wait is not null limit 1`
  return rows.length > 0
}
