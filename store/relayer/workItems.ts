import type { Queryable, Transaction } from '../database/database.ts'

/**
 * What a chain's relayers have to do. An item is queued, then assigned to one transaction, and ends as settled,
 * failed, in review when only an operator can decide, or held until it is requested again.
 */

export type WorkState = 'queued' | 'assigned' | 'settled' | 'failed' | 'review' | 'held'

export interface WorkItem {
  readonly id: bigint
  readonly networkId: string
  readonly kind: string
  readonly payload: unknown
  /** The row that it advances; null for what follows from the chain alone. */
  readonly subjectId: string | null
  readonly state: WorkState
  readonly result: unknown
  /** How often a transaction with this item alone reverted. */
  readonly tries: number
  /** The most items that may share a transaction with this one. */
  readonly batchLimit: number
}

/** How many items of a kind could be sent now, and how long the oldest has waited. */
export interface Backlog {
  readonly kind: string
  readonly count: number
  readonly waitedMs: number
}

/** The backlog of a kind is counted up to about this number; more make no difference to a turn. */
const BACKLOG_LIMIT = 1_000

/** What waits on a chain of these kinds, but for some items, in the order of the kinds. */
export async function readBacklog(
  sql: Queryable,
  networkId: string,
  kinds: readonly string[],
  without: readonly bigint[] = [],
): Promise<Backlog[]> {
  return sql<Backlog[]>`
    select k.kind, due.count, due.waited_ms
    from unnest(${[...kinds]}::text[]) with ordinality as k (kind, place)
    cross join lateral (
      select count(*)::integer as count,
        (extract(epoch from now() - min(since)) * 1000)::float8 as waited_ms
      from (
        (select greatest(w.updated_at, w.not_before) as since from work_item w
          where w.network_id = ${networkId} and w.kind = k.kind and ${isFree(sql, without)}
          order by w.not_before, w.id limit ${BACKLOG_LIMIT})
        union all
        (select greatest(w.updated_at, w.not_before) from work_item w
          where w.network_id = ${networkId} and w.kind = k.kind
            and ${isFreed(sql, networkId, sql`k.kind`, without)}
          limit ${BACKLOG_LIMIT})
      ) waiting (since)
    ) due
    where due.count > 0 order by k.place`
}

/**
 * Locks items that could share a transaction, without those that another worker is examining. First
 * those that have waited longest; the answer is in the order of their ids.
 */
export async function lockDueItems(
  sql: Transaction,
  networkId: string,
  kind: string,
  limit: number,
  without: readonly bigint[] = [],
): Promise<WorkItem[]> {
  const free = await sql<WorkItem[]>`
    select ${columns(sql)} from work_item w
    where w.network_id = ${networkId} and w.kind = ${kind} and ${isFree(sql, without)}
    order by w.not_before, w.id limit ${limit}
    for update of w skip locked`
  const left = limit - free.length
  const freed =
    left === 0
      ? []
      : await sql<WorkItem[]>`
          select ${columns(sql)} from work_item w
          where w.network_id = ${networkId} and w.kind = ${kind}
            and ${isFreed(sql, networkId, sql`${kind}`, without)}
          limit ${left}
          for update of w skip locked`
  return [...free, ...freed].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function columns(sql: Queryable) {
  return sql`
    w.id, w.network_id, w.kind, w.payload, w.subject_id, w.state, w.result, w.tries, w.batch_limit`
}

/** An item whose time has come, and that waits for no other. */
function isFree(sql: Queryable, without: readonly bigint[]) {
  return sql`
    w.state = 'queued' and w.waits_for is null and w.not_before <= now()
    and w.id <> all(${list(without)}::bigint[])`
}

/**
 * An item whose time has come, and that waited for what has ended, well or not: the chain refuses what it can't
 * do, and a refusal is planned again, whereas waiting forever is not. What is waited for is found by skipping
 * through the index, so that it costs nothing how many wait for one.
 */
function isFreed(
  sql: Queryable,
  networkId: string,
  kind: ReturnType<typeof sql>,
  without: readonly bigint[],
) {
  const next = (above: ReturnType<typeof sql>) => sql`
    select b.waits_for from work_item b
    where b.network_id = ${networkId} and b.kind = ${kind} and b.state = 'queued'
      and b.waits_for is not null and b.waits_for > ${above}
    order by b.waits_for limit 1`
  return sql`
    w.state = 'queued' and w.not_before <= now() and w.id <> all(${list(without)}::bigint[])
    and w.waits_for in (
      with recursive waited_for (id) as (
        (${next(sql`0`)})
        union all
        select (${next(sql`waited_for.id`)}) from waited_for where waited_for.id is not null
      )
      select first.id from waited_for join work_item first using (id)
      where first.state not in ('queued', 'assigned'))`
}

/** Locks those of these items that are queued, without those that another worker is examining. */
export async function lockQueued(sql: Transaction, ids: readonly bigint[]): Promise<WorkItem[]> {
  if (ids.length === 0) return []
  return sql<WorkItem[]>`
    select ${columns(sql)} from work_item w where id = any(${list(ids)}::bigint[]) and state = 'queued'
    order by id for update skip locked`
}

/** Those of these items that are queued or in a transaction. */
export async function openItems(sql: Queryable, ids: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await sql<{ id: bigint }[]>`
    select id from work_item
    where id = any(${list(ids)}::bigint[]) and state in ('queued', 'assigned')`
  return new Set(rows.map(({ id }) => id))
}

/** Locks items before their payments, as in every change of both. */
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
    update work_item set state = 'assigned', tx_id = ${txId}, result = null, hub_wait = null,
      updated_at = now()
    where id = any(${list(ids)}::bigint[]) and state = 'queued' returning id`
  if (rows.length !== ids.length) throw new Error('an item was assigned twice')
}

/** The items bound to a transaction, in the order in which they were encoded. */
export async function itemsOf(sql: Queryable, txId: bigint): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select ${columns(sql)} from work_item w where tx_id = ${txId} order by id`
}

/** The items of these transactions that are neither done nor decided, by transaction. */
export async function assignedTo(
  sql: Queryable,
  txIds: readonly bigint[],
): Promise<Map<bigint, WorkItem[]>> {
  if (txIds.length === 0) return new Map()
  const rows = await sql<(WorkItem & { txId: bigint })[]>`
    select ${columns(sql)}, w.tx_id from work_item w
    where tx_id = any(${list(txIds)}::bigint[]) and state = 'assigned' order by id`
  return Map.groupBy(rows, ({ txId }) => txId)
}

/** Locks those of the items that are still bound to this transaction and undecided. */
export async function lockAssigned(
  sql: Transaction,
  txId: bigint,
  ids: readonly bigint[],
): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select ${columns(sql)} from work_item w
    where id = any(${list(ids)}::bigint[]) and tx_id = ${txId} and state = 'assigned'
    order by id for update`
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

/** Reverts the effects of a reorganised transaction: its items are in flight again. */
export async function reopenItems(sql: Transaction, txId: bigint): Promise<void> {
  await sql`
    update work_item set state = 'assigned', log_index = null, result = null, updated_at = now()
    where tx_id = ${txId} and state in ('assigned', 'settled')`
}

/** Ends items without a result of their own, with a reason as text. */
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
    select ${columns(sql)} from work_item w where waits_for = any(${list(ids)}::bigint[]) and state = 'queued'
    order by id for update`
}

/** Postgres arrays of bigint travel as text, because the driver infers no type for them. */
function list(ids: readonly bigint[]): string[] {
  return ids.map(String)
}
