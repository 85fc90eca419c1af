import type { MerchantId } from '../../core/base/ids.ts'
import { DatabaseUnavailable } from '../database/availability.ts'
import type { Database, Transaction } from '../database/database.ts'

/**
 * A read of rows of money for figures: of one moment, of one merchant or of all of them. Every statement names
 * its merchant, by which indexes serve it; the views that it reads show no other's rows even if it forgets to.
 */
export interface ReadScope {
  readonly sql: Transaction
  /** Null for the operator, who sees all. */
  readonly merchantId: MerchantId | null
  /**
   * Whether the indexer has tables to read: not before it was ready, nor while it resyncs, nor without the
   * right to read them.
   */
  readonly isIndexed: boolean
  /**
   * Reads after what the scope reads already, and only if that succeeded. Throws DatabaseUnavailable, without
   * reading, once the scope's time is over.
   */
  inTurn<T>(read: () => T | Promise<T>): Promise<T>
}

/** Days in UTC, as YYYY-MM-DD. */
export interface Days {
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** Filters besides the days; null for all. */
export interface Narrowing {
  readonly merchantId: MerchantId | null
  readonly networkId: string | null
}

/** The most rows that an answer adds up one by one. */
export const MOST_ADDED_UP = 200_000

/**
 * Does reading work in one snapshot that shows this merchant's rows alone, or all with null. It can't write.
 * Each statement ends after `timeoutMs`, and after as long none is begun in turn.
 */
export async function withReadScope<T>(
  database: Database,
  merchantId: MerchantId | null,
  timeoutMs: number,
  work: (scope: ReadScope) => Promise<T>,
): Promise<T> {
  let endsAt = performance.now() + timeoutMs
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<R>(read: () => R | Promise<R>): Promise<R> {
    const reading = last.then(() => {
      if (performance.now() < endsAt) return read()
      throw new DatabaseUnavailable(new Error(`not read within ${timeoutMs} ms`))
    })
    last = reading
    return reading
  }

  const answer = await database.begin('isolation level repeatable read read only', async (sql) => {
    const [row] = await sql<{ isIndexed: boolean }[]>`
      select set_config('remit.merchant', ${merchantId ?? 'all'}, true),
        set_config('statement_timeout', ${String(timeoutMs)}, true),
        exists (
          select from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'indexed' and c.relname = 'hub_event'
            and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
        ) as is_indexed`
    try {
      return { value: await work({ sql, merchantId, isIndexed: row?.isIndexed ?? false, inTurn }) }
    } finally {
      // What is begun after this would read outside of the transaction.
      endsAt = 0
    }
  })
  return answer.value
}

/** Whose rows a statement reads: the caller's own, and of the operator those of whom it names. */
export function ofMerchant(scope: ReadScope, named: MerchantId | null) {
  const { sql } = scope
  const merchantId = scope.merchantId ?? named
  return merchantId === null ? sql`true` : sql`merchant_id = ${merchantId}`
}

/** The days as moments of a column. */
export function within({ sql }: ReadScope, column: string, { from, to }: Days) {
  return sql`${sql(column)} >= ${from}::text::date::timestamp at time zone 'UTC'
    and ${sql(column)} < ${to}::text::date::timestamp at time zone 'UTC'`
}

export function onNetwork({ sql }: ReadScope, networkId: string | null) {
  return networkId === null ? sql`true` : sql`network_id = ${networkId}`
}
