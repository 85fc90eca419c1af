import type { MerchantId } from '../../core/base/ids.ts'
import { MOST_VIEWS, type SavedView } from '../../core/dashboard/views.ts'
import type { Database, Queryable } from '../database/database.ts'

/** Saved views. A user sees only their own. */

export interface ViewOwner {
  readonly merchantId: MerchantId
  readonly personId: string
}

export async function listViews(
  sql: Queryable,
  { merchantId, personId }: ViewOwner,
): Promise<SavedView[]> {
  return sql<SavedView[]>`
    select id, name, query from saved_view
    where merchant_id = ${merchantId} and person_id = ${personId} order by name, id`
}

/** Saves a view; one of the same name is replaced. Null when there are as many as there may be. */
export async function saveView(
  database: Database,
  { merchantId, personId }: ViewOwner,
  { name, query }: Omit<SavedView, 'id'>,
): Promise<SavedView | null> {
  return database.begin(async (sql) => {
    // One after the other, so that there are never more than may be.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${merchantId} ${personId}`}, 0))`
    const [row] = await sql<SavedView[]>`
      insert into saved_view (id, merchant_id, person_id, name, query)
      select ${Bun.randomUUIDv7()}, ${merchantId}, ${personId}, ${name}, ${query}
      where exists (
        select from saved_view
        where merchant_id = ${merchantId} and person_id = ${personId} and name = ${name}
      ) or (
        select count(*) from saved_view
        where merchant_id = ${merchantId} and person_id = ${personId}
      ) < ${MOST_VIEWS}
      on conflict (merchant_id, person_id, name) do update set query = excluded.query
      returning id, name, query`
    return row ?? null
  })
}

/** Whether there was one. */
export async function deleteView(
  sql: Queryable,
  { merchantId, personId }: ViewOwner,
  id: string,
): Promise<boolean> {
  const rows = await sql`
    delete from saved_view
    where id = ${id} and merchant_id = ${merchantId} and person_id = ${personId} returning id`
  return rows.length > 0
}
