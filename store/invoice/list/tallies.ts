import type { MerchantId } from '../../../core/base/ids.ts'
import type { TokenSymbol } from '../../../core/chain/tokens.ts'
import type { InvoiceStatus } from '../../../core/invoice/state.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { foldChanges, type Tally } from '../../database/tallies.ts'

/** How many invoices a merchant has: counted by the database as they come and change. */

export const INVOICES: Tally = {
  lock: 7_733_103,
  changes: 'invoice_tally_change',
  sums: ['invoices'],
  into: { invoice_tally: ['merchant_id', 'day', 'status', 'token_symbol'] },
}

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

export const foldTallies = (database: Database, merchantId?: MerchantId) =>
  foldChanges(database, INVOICES, merchantId)
