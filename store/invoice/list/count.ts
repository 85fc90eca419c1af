import type { Queryable, Transaction } from '../../database.ts'
import { countByDays, type DayRange, readDayTallies } from '../tallies.ts'
import { type InvoiceFilter, isTallied, type Selection, UNPAID, within } from './selection.ts'
import { type Source, WHOLE } from './sources.ts'

/**
 * How many invoices are on a list, and where a page far behind the first begins: whole days are skipped by
 * what was counted of them, and the rest is counted in the index that has the list.
 */

const DAY_MS = 86_400_000

/** How many invoices are on a list that is read in the order of the indexes. */
export async function countInOrder(
  sql: Transaction,
  selection: Selection,
  source: Source,
): Promise<number> {
  if (isTallied(selection)) return countCreated(sql, selection)
  if (!isTallied({ ...selection, expired: undefined })) return countFrom(sql, source)
  if (selection.expired) return countExpired(sql, selection)
  return (await countCreated(sql, selection)) - (await countExpired(sql, selection))
}

/** How many invoices a source has. */
export async function countFrom(sql: Queryable, source: Source): Promise<number> {
  let total = 0
  for (const { from, where } of source(WHOLE)) {
    const [row] = await sql<{ found: number }[]>`
      select count(*)::integer as found from ${from} where ${where}`
    total += row?.found ?? 0
  }
  return total
}

/** Whole days by what was counted of them, and the rest of the range by the index. */
async function countCreated(sql: Transaction, selection: Selection): Promise<number> {
  const { newest, days, oldest } = partsOf(selection)
  const whole = days === null ? 0 : await countByDays(sql, selection, days)
  const counted = [newest, oldest].map((part) => part && countBetween(sql, selection, part))
  const [first, last] = await Promise.all(counted)
  return whole + (first ?? 0) + (last ?? 0)
}

interface Part {
  readonly from: Date
  /** Does not belong to it. */
  readonly before: Date | null
  /** Belongs to it. */
  readonly to: Date | null
}

/** The range as whole days (UTC), and what of it lies after and before them. */
function partsOf({ createdFrom, createdTo }: InvoiceFilter): {
  newest: Part | null
  days: DayRange | null
  oldest: Part | null
} {
  const from = createdFrom === undefined ? null : startOfDay(createdFrom, DAY_MS - 1)
  const to = createdTo === undefined ? null : startOfDay(createdTo, 0)
  if (createdFrom && createdTo && from && to && from > to) {
    const whole = { from: createdFrom, before: null, to: createdTo }
    return { newest: whole, days: null, oldest: null }
  }
  return {
    newest: to && createdTo ? { from: to, before: null, to: createdTo } : null,
    days: { from, to },
    oldest: from && createdFrom ? { from: createdFrom, before: from, to: null } : null,
  }
}

/** The first moment of the day that holds the moment so long, in ms, after the given one. */
function startOfDay(at: Date, laterMs: number): Date {
  return new Date(Math.floor((at.getTime() + laterMs) / DAY_MS) * DAY_MS)
}

async function countBetween(
  sql: Queryable,
  { merchantId, statuses, tokens }: Selection,
  { from, before, to }: Part,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from invoice
    where merchant_id = ${merchantId} and status = any(${[...statuses]}::text[])
      and token_symbol = any(${[...tokens]}::text[])
      and created_at >= ${from} and created_at < coalesce(${before}::timestamptz, 'infinity')
      and created_at <= coalesce(${to}::timestamptz, 'infinity')`
  return row?.total ?? 0
}

/** Only unpaid invoices expire, and by the clock: they are counted in the index that has their ends. */
async function countExpired(sql: Queryable, selection: Selection): Promise<number> {
  const { merchantId, statuses, tokens, now } = selection
  const unpaid = statuses.filter((status) => UNPAID.includes(status))
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from invoice i
    where i.merchant_id = ${merchantId} and i.status = any(${unpaid}::text[])
      and i.token_symbol = any(${[...tokens]}::text[])
      and ${within(sql, selection)} and least(i.expires_at, i.closed_at) < ${now}`
  return row?.total ?? 0
}

/** Before which moment to read on, and how many of those to leave out, for a page far behind. */
export async function skipDays(
  sql: Queryable,
  selection: Selection,
  offset: bigint,
): Promise<{ readonly before: Date | null; readonly offset: bigint }> {
  const { newest, days } = partsOf(selection)
  const first = newest === null ? 0 : await countBetween(sql, selection, newest)
  if (days === null || offset < first) return { before: null, offset }
  let left = offset - BigInt(first)
  for (const day of await readDayTallies(sql, selection, days)) {
    if (left < day.invoices) return { before: new Date(day.from.getTime() + DAY_MS), offset: left }
    left -= BigInt(day.invoices)
  }
  return { before: days.from, offset: left }
}
