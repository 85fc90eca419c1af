import type { Queryable, Transaction } from '../../database/database.ts'
import { coveredRows } from './covered.ts'
import { type InvoiceFilter, isTallied, type Selection, UNPAID, within } from './selection.ts'
import {
  areFew,
  type Fragment,
  inOrder,
  ofRanges,
  rangesOf,
  type Source,
  WHOLE,
} from './sources.ts'
import { countByDays, type DayRange, readDayTallies } from './tallies.ts'

/**
 * How many invoices are on a list, and where a page far behind the first begins: whole days are skipped by
 * what was counted of them, and the rest is counted in the index that has the list.
 */

const DAY_MS = 86_400_000

/** How many invoices are on a list that is read from a source; null for one in the order of the indexes. */
export async function countListed(
  sql: Transaction,
  selection: Selection,
  source: Source | null,
): Promise<number> {
  const rows = coveredRows(sql, selection)
  if (rows !== null) return countRows(sql, rows)
  if (source === null || (await isLeftToStatuses(sql, selection))) {
    return countInOrder(sql, selection, inOrder(sql, selection))
  }
  return countFrom(sql, source)
}

/** Of one amount each there may be so many that they are counted sooner where statuses have amounts beside them. */
async function isLeftToStatuses(sql: Queryable, selection: Selection): Promise<boolean> {
  const { merchantId, externalRef, reference, payment, metadata, payer } = selection
  if (externalRef !== undefined || reference !== undefined || payment || metadata || payer) {
    return false
  }
  const ranges = rangesOf(selection)
  if (!ranges?.every(({ from, to }) => from === to)) return false
  return !(await areFew(sql, ofRanges(sql, merchantId, ranges)))
}

/** How many rows queries have together, in one statement. */
async function countRows(sql: Queryable, queries: readonly Fragment[]): Promise<number> {
  const [first, ...others] = queries.map((rows) => sql`(select count(*) from (${rows}) as rows)`)
  if (first === undefined) return 0
  const sum = others.reduce((all, other) => sql`${all} + ${other}`, first)
  const [row] = await sql<{ found: number }[]>`select (${sum})::integer as found`
  return row?.found ?? 0
}

/** How many invoices are on a list that is read in the order of the indexes. */
async function countInOrder(
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
async function countFrom(sql: Queryable, source: Source): Promise<number> {
  const branches = source(WHOLE)
  return countRows(
    sql,
    branches.map(({ from, where }) => sql`select from ${from} where ${where}`),
  )
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
