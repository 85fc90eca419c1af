import {
  countedPage,
  cursorPage,
  type OrderKeys,
  type Page,
  type PageRequest,
  reachOf,
} from '../../core/base/page.ts'
import type { Queryable } from './database.ts'

/**
 * Lists in the order of a moment and an id, the newest first. Moments are exact to the microsecond, as Postgres
 * keeps them: a Date has milliseconds only.
 */

/** In a query, the microseconds since 1970 of a column. Read as a bigint. */
export function microsecondsOf(sql: Queryable, column: string) {
  return sql`(extract(epoch from ${sql(column)}) * 1000000)::bigint`
}

/** In a query, the moment so many microseconds after the beginning of 1970. */
export function momentAt(sql: Queryable, microseconds: string | undefined) {
  return sql`(timestamptz 'epoch' + ${microseconds ?? null}::bigint * interval '1 microsecond')`
}

type Fragment = ReturnType<typeof momentAt>

/** The parts of a query that select a page of a table with created_at and id. */
export interface PageParts {
  readonly beyond: (table: string) => Fragment
  readonly order: (table: string) => Fragment
  /** How many rows, after how many others. */
  readonly place: Fragment
}

/** How the rows of a list are counted, and how those of a page are read. */
export interface PageQueries {
  readonly count: () => PromiseLike<readonly { readonly total: number }[]>
  /** Reads the rows with `microseconds`, those of created_at. */
  readonly read: (parts: PageParts) => Fragment
}

/** A page of a list that is ordered by its rows' created_at and id. */
export async function readPageByMoment<Row extends { readonly id: string }>(
  sql: Queryable,
  page: PageRequest,
  { count, read }: PageQueries,
): Promise<Page<Row>> {
  const rows = (parts: PageParts) => sql<(Row & { microseconds: bigint })[]>`${read(parts)}`
  if (page.cursor === undefined) {
    const place = sql`limit ${page.limit} offset ${page.offset}`
    const parts = { ...partsOf(sql, null, false), place }
    const [counted, found] = await Promise.all([count(), rows(parts)])
    return countedPage(found, counted[0]?.total ?? 0)
  }
  const { limit, isReversed } = reachOf(page)
  const parts = partsOf(sql, page.cursor.keys, isReversed)
  const found = await rows({ ...parts, place: sql`limit ${limit}` })
  return cursorPage(page, found, (row) => [String(row.microseconds), row.id])
}

function partsOf(sql: Queryable, keys: OrderKeys | null, isReversed: boolean) {
  const [at, id] = keys ?? []
  const those = sql`(${momentAt(sql, at)}, ${id ?? null}::uuid)`
  const columns = (table: string) => [sql(`${table}.created_at`), sql(`${table}.id`)] as const
  return {
    beyond(table: string) {
      const [createdAt, own] = columns(table)
      if (keys === null) return sql`true`
      return isReversed
        ? sql`(${createdAt}, ${own}) > ${those}`
        : sql`(${createdAt}, ${own}) < ${those}`
    },
    order(table: string) {
      const [createdAt, own] = columns(table)
      return isReversed
        ? sql`order by ${createdAt}, ${own}`
        : sql`order by ${createdAt} desc, ${own} desc`
    },
  }
}
