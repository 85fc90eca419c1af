import type { MerchantId } from '../../core/ids.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import type { Database, Queryable, Transaction } from '../database.ts'
import { inOneSnapshot, type MerchantsInvoice, withTransactions } from './rows.ts'
import { countByDays, type DayRange, readDayTallies } from './tallies.ts'

/**
 * A merchant's invoices, page by page. Neither how many there are nor a page far behind the first takes
 * reading those before it: whole days are skipped by what was counted of them.
 */

export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined
  readonly externalRef?: string | undefined
  readonly reference?: string | undefined
  /** Both ends belong to the range. */
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
  /** Judged by `now`. */
  readonly expired?: boolean | undefined
}

export interface InvoicePage {
  readonly invoices: readonly InvoiceRows[]
  /** How many invoices match the filter, on all pages. */
  readonly total: number
}

interface PageRequest {
  readonly limit: number
  /** In invoices. */
  readonly offset: bigint
}

/** Which invoices of which merchant. */
interface Selection extends InvoiceFilter {
  readonly merchantId: MerchantId
  readonly statuses: readonly InvoiceStatus[]
  readonly now: Date
}

const UNPAID: readonly InvoiceStatus[] = ['pending', 'partial']
const ALL: readonly InvoiceStatus[] = [...UNPAID, 'paid', 'completed']
const DAY_MS = 86_400_000
/** Up to this offset, reading what lies before a page costs less than finding out where it begins. */
const READ_OVER = 500n

/** The merchant's invoices, the newest first. */
export async function listInvoices(
  database: Database,
  merchantId: MerchantId,
  filter: InvoiceFilter,
  page: PageRequest,
  now: Date,
): Promise<InvoicePage> {
  const statuses = filter.status === undefined ? ALL : [filter.status]
  const selection = { ...filter, merchantId, statuses, now }
  const { externalRef, reference, expired } = filter
  return inOneSnapshot(database, async (sql) => {
    if (externalRef !== undefined || reference !== undefined) return named(sql, selection, page)
    const total = await count(sql, selection)
    if (page.offset >= total) return { invoices: [], total }
    const isFar = expired === undefined && page.offset > READ_OVER
    const start = isFar ? await skipDays(sql, selection, page.offset) : { ...page, before: null }
    const found = await readPage(sql, selection, start.before, { ...page, offset: start.offset })
    return { invoices: await withTransactions(sql, found), total }
  })
}

/** A name belongs to one invoice at most, which is looked up by it. */
async function named(
  sql: Transaction,
  selection: Selection,
  { limit, offset }: PageRequest,
): Promise<InvoicePage> {
  const { merchantId, statuses, externalRef, reference, expired, now } = selection
  const rows = await sql<MerchantsInvoice[]>`
    select i.*, m.recipient as merchant_recipient
    from (
      select * from invoice where merchant_id = ${merchantId} and ${
        externalRef === undefined
          ? sql`reference = ${reference ?? null}`
          : sql`external_ref = ${externalRef}`
      } limit 1
    ) i join merchant m on m.id = i.merchant_id
    where i.status = any(${[...statuses]}::text[]) and ${within(sql, selection)}
      ${reference === undefined ? sql`` : sql`and i.reference = ${reference}`}
      ${expired === undefined ? sql`` : sql`and ${hasExpired(sql, now)} = ${expired}`}`
  const isShown = offset === 0n && limit > 0
  return { invoices: await withTransactions(sql, isShown ? rows : []), total: rows.length }
}

async function count(sql: Transaction, selection: Selection): Promise<number> {
  const { expired } = selection
  if (expired === true) return countExpired(sql, selection)
  const created = await countCreated(sql, selection)
  return expired === false ? created - (await countExpired(sql, selection)) : created
}

/** Whole days by what was counted of them, and the rest of the range by the index. */
async function countCreated(sql: Transaction, selection: Selection): Promise<number> {
  const { merchantId, statuses } = selection
  const { newest, days, oldest } = partsOf(selection)
  const whole = days === null ? 0 : await countByDays(sql, merchantId, statuses, days)
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
  { merchantId, statuses }: Selection,
  { from, before, to }: Part,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from invoice
    where merchant_id = ${merchantId} and status = any(${[...statuses]}::text[])
      and created_at >= ${from} and created_at < coalesce(${before}::timestamptz, 'infinity')
      and created_at <= coalesce(${to}::timestamptz, 'infinity')`
  return row?.total ?? 0
}

/** Only unpaid invoices expire, and by the clock: they are counted in the index that has their ends. */
async function countExpired(sql: Queryable, selection: Selection): Promise<number> {
  const { merchantId, statuses, now } = selection
  const unpaid = statuses.filter((status) => UNPAID.includes(status))
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from invoice i
    where i.merchant_id = ${merchantId} and i.status = any(${unpaid}::text[])
      and ${within(sql, selection)} and least(i.expires_at, i.closed_at) < ${now}`
  return row?.total ?? 0
}

/** Before which moment to read on, and how many of those to leave out, for a page far behind. */
async function skipDays(
  sql: Queryable,
  selection: Selection,
  offset: bigint,
): Promise<{ readonly before: Date | null; readonly offset: bigint }> {
  const { merchantId, statuses } = selection
  const { newest, days } = partsOf(selection)
  const first = newest === null ? 0 : await countBetween(sql, selection, newest)
  if (days === null || offset < first) return { before: null, offset }
  let left = offset - BigInt(first)
  for (const day of await readDayTallies(sql, merchantId, statuses, days)) {
    if (left < day.invoices) return { before: new Date(day.from.getTime() + DAY_MS), offset: left }
    left -= BigInt(day.invoices)
  }
  return { before: days.from, offset: left }
}

/** Finds the page in the index alone, and then reads its invoices. */
async function readPage(
  sql: Queryable,
  selection: Selection,
  before: Date | null,
  { limit, offset }: PageRequest,
): Promise<MerchantsInvoice[]> {
  const { merchantId, status, statuses, expired, now } = selection
  const end = String(offset + BigInt(limit))
  /** The newest of one status, or of all, as far as the page may reach. */
  const newest = (condition: ReturnType<typeof within>) => sql`
    (select i.created_at, i.id from invoice i
    where i.merchant_id = ${merchantId} and ${within(sql, selection)}
      and i.created_at < coalesce(${before}::timestamptz, 'infinity') ${condition}
    order by i.created_at desc, i.id desc limit ${end}::bigint)`
  const lists =
    expired === undefined
      ? [newest(status === undefined ? sql`` : sql`and i.status = ${status}`)]
      : statuses
          .filter((one) => !expired || UNPAID.includes(one))
          .map((one) =>
            newest(
              UNPAID.includes(one)
                ? sql`and i.status = ${one} and ${hasExpired(sql, now)} = ${expired}`
                : sql`and i.status = ${one}`,
            ),
          )
  const [list, ...others] = lists
  if (list === undefined) return []
  const all = others.reduce((joined, other) => sql`${joined} union all ${other}`, list)
  return sql<MerchantsInvoice[]>`
    select i.*, m.recipient as merchant_recipient
    from (
      select created_at, id from (${all}) as newest
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) as page
    join invoice i on i.id = page.id
    join merchant m on m.id = i.merchant_id
    order by page.created_at desc, page.id desc`
}

function within(sql: Queryable, { createdFrom, createdTo }: InvoiceFilter) {
  return sql`
    i.created_at >= coalesce(${createdFrom ?? null}::timestamptz, '-infinity')
    and i.created_at <= coalesce(${createdTo ?? null}::timestamptz, 'infinity')`
}

function hasExpired(sql: Queryable, now: Date) {
  return sql`
    (coalesce(least(i.expires_at, i.closed_at) < ${now}, false)
      and i.status in ('pending', 'partial'))`
}
