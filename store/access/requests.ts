import type { MerchantId } from '../../core/base/ids.ts'
import { commitWithoutWaiting, type Database, type Queryable } from '../database/database.ts'

/** The request log of merchants' servers: kept for some days, without bodies. */

export interface RequestRecord {
  readonly traceId: string
  readonly merchantId: MerchantId
  readonly at: Date
  readonly method: string
  /** As the router has it, e.g. /v1/invoices/:id. */
  readonly route: string
  readonly path: string
  readonly status: number
  readonly ms: number
  /** The last characters of the key that came with it. */
  readonly keyHint: string | null
  readonly reason: string | null
}

export const REQUESTS_KEPT_DAYS = 7
const REMOVED_AT_ONCE = 5_000

/**
 * Stores requests, and that their keys were used. Both are for display only, so that nothing waits for the
 * disk.
 */
export async function storeRequests(
  database: Database,
  records: readonly RequestRecord[],
): Promise<void> {
  await database.begin(async (sql) => {
    await commitWithoutWaiting(sql)
    await sql`insert into api_request ${sql(records.map((one) => ({ ...one })))} on conflict do nothing`
    // A key that another process is noting is passed over, so that two processes never wait for each other.
    await sql`
      with used as (
        select merchant_id, hint, max(at) as at
        from unnest(${records.map((one) => one.merchantId)}::text[]::uuid[],
          ${records.map((one) => one.keyHint)}::text[],
          ${records.map((one) => one.at.toISOString())}::text[]::timestamptz[]) as r (merchant_id, hint, at)
        where hint is not null group by merchant_id, hint
      ), due as (
        select k.hash, used.at from api_key k join used using (merchant_id, hint)
        where k.revoked_at is null
          and coalesce(k.last_used_at, '-infinity') < used.at - interval '1 minute'
        for no key update of k skip locked
      )
      update api_key k set last_used_at = due.at from due where k.hash = due.hash`
  })
}

/** Removes a batch of those that are too old. Returns how many there were. */
export async function removeOldRequests(sql: Queryable, before: Date): Promise<number> {
  const rows = await sql`
    delete from api_request where trace_id in (
      select trace_id from api_request where at < ${before} limit ${REMOVED_AT_ONCE})
    returning trace_id`
  return rows.length
}

export interface RequestFilter {
  readonly isFailed: boolean
  /** The last request of the page before. */
  readonly before: { readonly at: Date; readonly traceId: string } | null
}

/** The merchant's requests, the newest first. */
export async function listRequests(
  sql: Queryable,
  merchantId: MerchantId,
  { isFailed, before }: RequestFilter,
  limit: number,
): Promise<RequestRecord[]> {
  return sql<RequestRecord[]>`
    select * from api_request
    where merchant_id = ${merchantId}
      ${isFailed ? sql`and (status >= 400 or reason is not null)` : sql``}
      ${before === null ? sql`` : sql`and (at, trace_id) < (${before.at}, ${before.traceId})`}
    order by at desc, trace_id desc limit ${limit}`
}

/** One request of the merchant; null for another merchant's, and for one that is too old. */
export async function findRequest(
  sql: Queryable,
  merchantId: MerchantId,
  traceId: string,
): Promise<RequestRecord | null> {
  const [row] = await sql<RequestRecord[]>`
    select * from api_request where trace_id = ${traceId} and merchant_id = ${merchantId}`
  return row ?? null
}

const MOST_REFUSALS = 50_000

/** Why requests to verify and settle x402 payments were refused, the most frequent reason first. */
export async function readRefusals(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<{ readonly reason: string; readonly count: number }[]> {
  return sql`
    select reason, count(*)::integer as count from (
      select reason from api_request
      where merchant_id = ${merchantId} and (status >= 400 or reason is not null)
        and route in ('/v1/x402/verify', '/v1/x402/settle') and reason is not null
      order by at desc, trace_id desc limit ${MOST_REFUSALS}
    ) refused group by reason order by count desc, reason limit 50`
}
