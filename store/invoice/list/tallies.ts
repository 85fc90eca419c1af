import type { TokenSymbol } from '../../../core/chain/tokens.ts'
import type { MerchantId } from '../../../core/ids.ts'
import type { InvoiceStatus } from '../../../core/invoice/state.ts'
import type { Database, Queryable } from '../../database.ts'

/** How many invoices a merchant has: counted by the database as they come and change. */

/** Held while changes are added up; nothing else in the database locks it. */
const FOLD_LOCK = 7_733_103
/** Of invoices, or of movements. */
export const CHANGES_AT_ONCE = 10_000

/** The invoices of one day (UTC) by its first moment. */
export interface DayTally {
  readonly from: Date
  readonly invoices: number
}

/** Which invoices are counted. */
interface Counted {
  readonly merchantId: MerchantId
  readonly statuses: readonly InvoiceStatus[]
  readonly tokens: readonly TokenSymbol[]
}

/** Whole days, from the first moment of one to before the first moment of another; null for no bound. */
export interface DayRange {
  readonly from: Date | null
  readonly to: Date | null
}

/** Those of the invoices that were created on these days, day by day, the newest first. */
export async function readDayTallies(
  sql: Queryable,
  counted: Counted,
  days: DayRange,
): Promise<DayTally[]> {
  return sql<DayTally[]>`
    select day::timestamp at time zone 'UTC' as "from", sum(invoices)::integer as invoices
    from ${tallied(sql, counted, days)} group by day having sum(invoices) > 0
    order by day desc`
}

/** How many of the invoices were created on these days. */
export async function countByDays(
  sql: Queryable,
  counted: Counted,
  days: DayRange,
): Promise<number> {
  const [row] = await sql<{ invoices: number }[]>`
    select coalesce(sum(invoices), 0)::integer as invoices
    from ${tallied(sql, counted, days)}`
  return row?.invoices ?? 0
}

/** What is added up, and what is yet to be. */
function tallied(
  sql: Queryable,
  { merchantId, statuses, tokens }: Counted,
  { from, to }: DayRange,
) {
  const wanted = sql`
    merchant_id = ${merchantId} and status = any(${[...statuses]}::text[])
    and token_symbol = any(${[...tokens]}::text[])
    and (${from}::timestamptz is null or day >= (${from}::timestamptz at time zone 'UTC')::date)
    and (${to}::timestamptz is null or day < (${to}::timestamptz at time zone 'UTC')::date)`
  return sql`(
    select day, invoices from invoice_tally where ${wanted}
    union all
    select day, invoices from invoice_tally_change where ${wanted}
  ) as tallied`
}

/** Merchants with changes that are not added up: those of as many changes as are added up at once. */
export async function unfoldedMerchants(
  database: Database,
  changes: 'invoice_tally_change' | 'movement_tally_change',
): Promise<MerchantId[]> {
  const rows = await database<{ merchantId: MerchantId }[]>`
    select distinct merchant_id from (
      select merchant_id from ${database(changes)} order by id limit ${CHANGES_AT_ONCE}) changes
    order by merchant_id`
  return rows.map(({ merchantId }) => merchantId)
}

/**
 * Adds up some of the changes, of one merchant where that is given, in one process at a time. Returns how many
 * there were. In one statement, so that whoever counts sees each change once, here or there.
 */
export async function foldTallies(
  database: Database,
  merchantId: MerchantId | null = null,
): Promise<number> {
  const isWanted = merchantId === null ? database`true` : database`merchant_id = ${merchantId}`
  const [row] = await database<{ changes: number }[]>`
    with turn as materialized (
      select pg_try_advisory_xact_lock(${FOLD_LOCK}) as is_ours
    ), taken as (
      delete from invoice_tally_change where id = any(array(
        select id from invoice_tally_change where (select is_ours from turn) and ${isWanted}
        order by id limit ${CHANGES_AT_ONCE}))
      returning merchant_id, day, status, token_symbol, invoices
    ), added as (
      insert into invoice_tally (merchant_id, day, status, token_symbol, invoices)
      select merchant_id, day, status, token_symbol, sum(invoices) from taken group by 1, 2, 3, 4
      on conflict (merchant_id, day, status, token_symbol) do update
        set invoices = invoice_tally.invoices + excluded.invoices
    )
    select count(*)::integer as changes from taken`
  return row?.changes ?? 0
}
