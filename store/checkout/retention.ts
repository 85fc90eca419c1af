import type { Queryable } from '../database/database.ts'

/**
 * Removes a batch of sessions that could be paid until `before` at most and without a chosen token; those with
 * an invoice stay, and those by which a former one with an invoice is found. Returns how many there were.
 */
export async function removeUnusedSessions(
  sql: Queryable,
  before: Date,
  atMost: number,
): Promise<number> {
  const rows = await sql`
    with unused as materialized (
      select id from checkout_session
      where invoice_id is null and not keeps_former and expires_at <= ${before}
      order by expires_at limit ${atMost}
    )
    delete from checkout_session s using unused
    where s.id = unused.id and s.invoice_id is null
    returning s.id`
  return rows.length
}
