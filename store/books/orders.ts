import type { PersonId } from '../../core/base/ids.ts'
import type { Database, Queryable } from '../database/database.ts'
import { findReview } from './reviews.ts'

/**
 * Orders of operators to workers, from the dashboard. Only workers may change relayers and their work, so the
 * API stores an order, and the chain's leader carries it out and records the result.
 */

export const ORDER_KINDS = ['revive', 'drain', 'resume', 'retry', 'fail'] as const
export type OrderKind = (typeof ORDER_KINDS)[number]

export interface Order {
  readonly id: bigint
  readonly networkId: string
  readonly kind: OrderKind
  /** The account of a relayer, or the number of a work item. */
  readonly subject: string
}

/** An order and what came of it. */
export interface KnownOrder extends Order {
  readonly orderedBy: string
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly isDone: boolean | null
  readonly answer: string | null
}

/**
 * Stores an order, as far as the API's role may: the database requires its audit entry. Null while another
 * order for the same relayer or work is open, and for work that no longer needs review.
 */
export async function orderWork(
  database: Database,
  personId: PersonId,
  order: Omit<Order, 'id'>,
): Promise<bigint | null> {
  const { networkId, kind, subject } = order
  return database.begin(async (sql) => {
    await sql`
      select pg_advisory_xact_lock(hashtextextended(${`order for ${subject} on ${networkId}`}, 0))`
    if (!(await mayBeOrdered(sql, order))) return null
    const [row] = await sql<{ id: bigint }[]>`
      select order_work(${personId}, ${networkId}, ${kind}, ${subject}) as id`
    if (!row) throw new Error('the order was not stored')
    return row.id
  })
}

async function mayBeOrdered(
  sql: Queryable,
  { networkId, kind, subject }: Omit<Order, 'id'>,
): Promise<boolean> {
  const open = await sql`
    select from operator_order
    where network_id = ${networkId} and subject = ${subject} and ended_at is null`
  if (open.length > 0) return false
  if (kind !== 'retry' && kind !== 'fail') return true
  return (await findReview(sql, BigInt(subject)))?.networkId === networkId
}

/** The newest orders, with what came of them. */
export async function listOrders(sql: Queryable, limit: number): Promise<KnownOrder[]> {
  return sql<KnownOrder[]>`
    select o.id, o.network_id, o.kind, o.subject, o.created_at, o.ended_at, o.is_done, o.answer,
      u.email as ordered_by
    from operator_order o join auth."user" u on u.id = o.person_id
    order by o.id desc limit ${limit}`
}

/** Open orders of a chain except some, the oldest first. */
export async function openOrders(
  sql: Queryable,
  networkId: string,
  without: readonly string[],
  limit: number,
): Promise<Order[]> {
  return sql<Order[]>`
    select id, network_id, kind, subject from operator_order
    where network_id = ${networkId} and ended_at is null
      and id <> all(${[...without]}::bigint[])
    order by id limit ${limit}`
}

/** Stores the outcome of an order, once. */
export async function endOrder(
  sql: Queryable,
  id: bigint,
  { isDone, answer }: { readonly isDone: boolean; readonly answer: string },
): Promise<void> {
  await sql`
    update operator_order set ended_at = now(), is_done = ${isDone}, answer = ${answer}
    where id = ${id} and ended_at is null`
}
