import type { Queryable, Transaction } from '../database.ts'

/**
 * What a chain's relayers have to do. An item is queued, then assigned to one transaction, and ends
 * as settled, failed, or in review when only a person can decide.
 */

export type WorkKindName =
  | 'configure'
  | 'sweep'
  | 'deploy'
  | 'distribute'
  | 'x402'
  | 'x402_wallet'
  | 'refund'
export type WorkState = 'queued' | 'assigned' | 'settled' | 'failed' | 'review'

export interface WorkItem {
  readonly id: bigint
  readonly networkId: string
  readonly kind: WorkKindName
  readonly payload: unknown
  readonly state: WorkState
  readonly result: unknown
  /** How often a transaction with this item alone reverted. */
  readonly tries: number
  /** The most items that may share a transaction with this one. */
  readonly batchLimit: number
}

/** How many items of a kind could be sent now, and how long the oldest has waited. */
export interface Backlog {
  readonly kind: WorkKindName
  readonly count: number
  readonly waitedMs: number
}

/** An item counts as one of the backlog only up to this number; more make no difference to a turn. */
const BACKLOG_LIMIT = 2000

/**
 * An item may be sent once its time has come and what it waits for has ended, well or not: the chain
 * refuses what it can't do, and a refusal is planned anew, whereas waiting for ever is not.
 */
function isDue(sql: Queryable) {
  return sql`
    w.state = 'queued' and w.not_before <= now() and (
      w.waits_for is null
      or not exists (
        select from work_item first
        where first.id = w.waits_for and first.state in ('queued', 'assigned'))
    )`
}

/** What waits on a chain, by kind, the longest waiting first. */
export async function readBacklog(sql: Queryable, networkId: string): Promise<Backlog[]> {
  return sql<Backlog[]>`
    select kind, count(*)::integer as count,
      (extract(epoch from now() - min(since)) * 1000)::float8 as waited_ms
    from (
      select w.kind, greatest(w.updated_at, w.not_before) as since from work_item w
      where w.network_id = ${networkId} and ${isDue(sql)}
      limit ${BACKLOG_LIMIT}
    ) due
    group by kind order by min(since)`
}

/** Locks items that could share a transaction; those another worker is looking at are left out. */
export async function lockDueItems(
  sql: Transaction,
  networkId: string,
  kind: WorkKindName,
  limit: number,
): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select w.id, w.network_id, w.kind, w.payload, w.state, w.result, w.tries, w.batch_limit
    from work_item w
    where w.network_id = ${networkId} and w.kind = ${kind} and ${isDue(sql)}
    order by w.id limit ${limit}
    for update of w skip locked`
}

/** Locks items before their payments, as whoever changes both does. */
export async function lockItems(sql: Transaction, ids: readonly bigint[]): Promise<void> {
  await sql`select id from work_item where id = any(${list(ids)}::bigint[]) order by id for update`
}

/** Binds locked items to a transaction. Throws when one of them was not queued. */
export async function assignItems(
  sql: Transaction,
  ids: readonly bigint[],
  txId: bigint,
): Promise<void> {
  const rows = await sql`
    update work_item set state = 'assigned', tx_id = ${txId}, result = null, updated_at = now()
    where id = any(${list(ids)}::bigint[]) and state = 'queued' returning id`
  if (rows.length !== ids.length) throw new Error('an item was assigned twice')
}

/** The items bound to a transaction, in the order in which they were encoded. */
export async function itemsOf(sql: Queryable, txId: bigint): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select id, network_id, kind, payload, state, result, tries, batch_limit
    from work_item where tx_id = ${txId} order by id`
}

export interface ItemResult {
  readonly id: bigint
  readonly logIndex: number | null
  /** Plain JSON; amounts as strings of base units. */
  readonly result: Readonly<Record<string, string>>
}

/** Writes down what a transaction did for its items, and moves them to `state`. */
export async function recordResults(
  sql: Transaction,
  state: 'assigned' | 'settled' | 'failed' | 'review',
  results: readonly ItemResult[],
): Promise<void> {
  if (results.length === 0) return
  await sql`
    update work_item w set state = ${state}, log_index = r.log_index, result = r.result,
      updated_at = now()
    from jsonb_to_recordset(${sql.json(
      results.map((r) => ({ id: r.id.toString(), log_index: r.logIndex, result: r.result })),
    )}) as r(id bigint, log_index integer, result jsonb)
    where w.id = r.id and w.id = any(${list(results.map(({ id }) => id))}::bigint[])`
}

/** Takes back what a reorganised transaction had done: its items are on their way again. */
export async function reopenItems(sql: Transaction, txId: bigint): Promise<void> {
  await sql`
    update work_item set state = 'assigned', log_index = null, result = null, updated_at = now()
    where tx_id = ${txId} and state in ('assigned', 'settled')`
}

/** Ends items without a result of their own, with a reason for people. */
export async function endItems(
  sql: Transaction,
  ids: readonly bigint[],
  state: 'failed' | 'review',
  reason: string,
): Promise<void> {
  await sql`
    update work_item set state = ${state}, result = ${sql.json({ error: reason })},
      updated_at = now()
    where id = any(${list(ids)}::bigint[])`
}

/** Frees items for another transaction, in batches no larger than `batchLimit`. */
export async function requeueItems(
  sql: Transaction,
  ids: readonly bigint[],
  change: { batchLimit: number | null; countTry: boolean; delayMs: number },
): Promise<void> {
  await sql`
    update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
      batch_limit = coalesce(${change.batchLimit}::integer, batch_limit),
      tries = tries + ${change.countTry ? 1 : 0},
      not_before = now() + ${change.delayMs} * interval '1 millisecond', updated_at = now()
    where id = any(${list(ids)}::bigint[])`
}

/** The queued items that wait for one of these. */
export async function itemsWaitingFor(
  sql: Transaction,
  ids: readonly bigint[],
): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select id, network_id, kind, payload, state, result, tries, batch_limit
    from work_item where waits_for = any(${list(ids)}::bigint[]) and state = 'queued'
    order by id for update`
}

/** Postgres arrays of bigint travel as text, because the driver infers no type for them. */
function list(ids: readonly bigint[]): string[] {
  return ids.map(String)
}
