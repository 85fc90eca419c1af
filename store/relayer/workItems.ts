import type { Fragment, Queryable, Transaction } from '../database/database.ts'

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

interface WithId {
  readonly id: bigint
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
  const lock = (due: Fragment, most: number) => sql<WorkItem[]>`
    select ${columns(sql)} from work_item w
    where w.network_id = ${networkId} and w.kind = ${kind} and ${due}
    limit ${most} for update of w skip locked`
  const free = await lock(sql`${isFree(sql, without)} order by w.not_before, w.id`, limit)
  const left = limit - free.length
  const freed = left === 0 ? [] : await lock(isFreed(sql, networkId, sql`${kind}`, without), left)
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
function isFreed(sql: Queryable, networkId: string, kind: Fragment, without: readonly bigint[]) {
  const next = (above: Fragment) => sql`
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
  if (ids.length === 0) return new Set()
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

/** The items of these transactions that are neither done nor decided, but for some. */
export async function assignedTo(
  sql: Queryable,
  txIds: readonly bigint[],
  without: readonly bigint[],
  limit: number,
): Promise<(WorkItem & { readonly txId: bigint })[]> {
  if (txIds.length === 0) return []
  return sql<(WorkItem & { txId: bigint })[]>`
    select ${columns(sql)}, w.tx_id from work_item w
    where tx_id = any(${list(txIds)}::bigint[]) and state = 'assigned'
      and id <> all(${list(without)}::bigint[])
    order by id limit ${limit}`
}

/** Locks items, and returns which of them are still bound to their transactions, which are over, and undecided. */
export async function lockAssigned(
  sql: Transaction,
  items: readonly { readonly item: WithId; readonly tx: WithId }[],
): Promise<Set<bigint>> {
  const txIds = new Map(items.map(({ item, tx }) => [item.id, tx.id]))
  const rows = await sql<{ id: bigint; txId: bigint }[]>`
    select w.id, w.tx_id from work_item w join relayer_tx t on t.id = w.tx_id
    where w.id = any(${list([...txIds.keys()])}::bigint[]) and w.state = 'assigned' and t.state <> 'signed'
    order by w.id for update of w`
  return new Set(rows.flatMap(({ id, txId }) => (txIds.get(id) === txId ? id : [])))
}

/** An item with what a transaction did for it, as plain JSON; amounts as strings of base units. */
interface ItemResult {
  readonly item: WithId
  readonly result?: Readonly<Record<string, string>>
}

/** Writes down what a transaction did for its items, and moves them to `state`. */
export async function recordResults(
  sql: Transaction,
  state: 'assigned' | 'settled' | 'failed' | 'review',
  results: readonly ItemResult[],
): Promise<void> {
  if (results.length === 0) return
  const given = results.map(({ item, result = {} }) => ({ id: String(item.id), result }))
  await sql`
    update work_item w set state = ${state}, result = r.result, updated_at = now()
    from jsonb_to_recordset(${sql.json(given)}) as r(id bigint, result jsonb)
    where w.id = r.id and w.id = any(${given.map(({ id }) => id)}::bigint[])`
}

/** Reverts the effects of a reorganised transaction: its items are in flight again. */
export async function reopenItems(sql: Transaction, txId: bigint): Promise<void> {
  await sql`
    update work_item set state = 'assigned', result = null, updated_at = now()
    where tx_id = ${txId} and state in ('assigned', 'settled')`
}

/** Ends items without a result of their own, each with a reason as text. */
export async function endItems(
  sql: Transaction,
  ended: readonly { readonly item: WithId; readonly reason: string }[],
  state: 'failed' | 'review',
): Promise<void> {
  const results = ended.map(({ item, reason }) => ({ item, result: { error: reason } }))
  await recordResults(sql, state, results)
}

/** How an item goes out again. */
export interface Requeued {
  readonly id: bigint
  /** The most items that may share its next transactions; null for as many as before. */
  readonly batchLimit: number | null
  readonly countTry: boolean
  readonly delayMs: number
}

/** Frees items for another transaction. */
export async function requeueItems(sql: Transaction, items: readonly Requeued[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    update work_item w set state = 'queued', tx_id = null, result = null,
      batch_limit = coalesce(r.batch_limit, w.batch_limit), tries = w.tries + r.tries,
      not_before = now() + r.delay_ms * interval '1 millisecond', updated_at = now()
    from jsonb_to_recordset(${sql.json(
      items.map(({ id, batchLimit, countTry, delayMs }) => {
        const tries = countTry ? 1 : 0
        return { id: id.toString(), batch_limit: batchLimit, tries, delay_ms: delayMs }
      }),
    )}) as r(id bigint, batch_limit integer, tries integer, delay_ms integer)
    where w.id = r.id and w.id = any(${list(items.map(({ id }) => id))}::bigint[])`
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
