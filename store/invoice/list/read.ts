import type { MerchantId } from '../../../core/base/ids.ts'
import {
  countedPage,
  cursorPage,
  type Page,
  type PageRequest,
  reachOf,
} from '../../../core/base/page.ts'
import type { InvoiceRows } from '../../../core/invoice/present.ts'
import type { Database, Queryable, Transaction } from '../../database/database.ts'
import { microsecondsOf } from '../../database/moments.ts'
import { inOneSnapshot, type MerchantsInvoice, withTransactions } from '../rows.ts'
import { countListed, skipDays } from './count.ts'
import { type InvoiceFilter, isTallied, type Selection, selectionOf } from './selection.ts'
import { chooseSource, inOrder, order, type Range, type Source, WHOLE } from './sources.ts'

/** A merchant's invoices, page by page. Reading a page doesn't require reading the pages before it. */

/** Up to this offset, skipping the rows before a page is cheaper than finding where the page begins. */
const SKIPPED_ROWS_MAX = 500n

/** An invoice with its creation time to the microsecond, which cursors need. */
type ListedInvoice = MerchantsInvoice & { readonly createdMicroseconds: bigint }

/** The merchant's invoices, newest first. */
export async function listInvoices(
  database: Database,
  merchantId: MerchantId,
  filter: InvoiceFilter,
  page: PageRequest,
  now: Date,
): Promise<Page<InvoiceRows>> {
  const selection = selectionOf(merchantId, filter, now)
  return inOneSnapshot(database, async (sql) => {
    const chosen = await chooseSource(sql, selection)
    const found =
      page.cursor === undefined
        ? await readAtOffset(sql, selection, chosen, page)
        : await readAtCursor(sql, chosen ?? inOrder(sql, selection), page)
    const rows = found.elements.map(({ createdMicroseconds: _, ...invoice }) => invoice)
    return { ...found, elements: await withTransactions(sql, rows) }
  })
}

async function readAtCursor(
  sql: Queryable,
  source: Source,
  page: Extract<PageRequest, { readonly cursor: object }>,
): Promise<Page<ListedInvoice>> {
  const { limit, isReversed } = reachOf(page)
  const range = { before: null, beyond: page.cursor.keys, isReversed }
  const found = await readPage(sql, source, range, { limit, offset: 0n })
  return cursorPage(page, found, (row) => [String(row.createdMicroseconds), row.id])
}

async function readAtOffset(
  sql: Transaction,
  selection: Selection,
  chosen: Source | null,
  page: { readonly limit: number; readonly offset: bigint },
): Promise<Page<ListedInvoice>> {
  const total = await countListed(sql, selection, chosen)
  if (page.offset >= total) return countedPage([], total)
  const source = chosen ?? inOrder(sql, selection)
  const isFar = chosen === null && isTallied(selection) && page.offset > SKIPPED_ROWS_MAX
  const start = isFar ? await skipDays(sql, selection, page.offset) : { ...page, before: null }
  const range = { ...WHOLE, before: start.before }
  const found = await readPage(sql, source, range, { ...page, offset: start.offset })
  return countedPage(found, total)
}

/**
 * Finds the page in the branches of a source, then fetches its invoices one by one, because the planner can't
 * know how few they are.
 */
async function readPage(
  sql: Queryable,
  source: Source,
  range: Range,
  { limit, offset }: { readonly limit: number; readonly offset: bigint },
): Promise<ListedInvoice[]> {
  const end = String(offset + BigInt(limit))
  const [list, ...others] = source(range).map(({ key, from, where }) => {
    const [createdAt, id] = [sql`${key}.created_at`, sql`${key}.id`]
    return sql`
      (select ${createdAt}, ${id} from ${from} where ${where}
      ${order(sql, range, createdAt, id)} limit ${end}::bigint)`
  })
  if (list === undefined) return []
  const all = others.reduce((joined, other) => sql`${joined} union all ${other}`, list)
  return sql<ListedInvoice[]>`
    select i.*, m.recipient as merchant_recipient,
      ${microsecondsOf(sql, 'page.created_at')} as created_microseconds
    from (
      select created_at, id from (${all}) as newest
      ${order(sql, range, sql`created_at`, sql`id`)} limit ${limit} offset ${offset}
    ) as page
    cross join lateral (select * from invoice where id = page.id limit 1) i
    join merchant m on m.id = i.merchant_id
    ${order(sql, range, sql`page.created_at`, sql`page.id`)}`
}
