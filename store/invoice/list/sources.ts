import type { MerchantId } from '../../../core/base/ids.ts'
import type { Queryable } from '../../database/database.ts'
import { momentAt } from '../../database/moments.ts'
import {
  type AmountRange,
  besideStatus,
  inRange,
  isOfAnyStatus,
  matching,
  paidWithin,
  type Selection,
  within,
} from './selection.ts'

/**
 * Where the invoices of a list are found: each selective filter has an index, most in the order of
 * the list, so that a page takes what it shows. What an index doesn't have is looked up in the invoices.
 */

export type Fragment = ReturnType<typeof within>

/** From where on invoices are wanted, and in which order. */
export interface Range {
  /** Only those created before; null for no bound. */
  readonly before: Date | null
  /** The microsecond of its creation and the id of the invoice that comes before; null for none. */
  readonly beyond: readonly string[] | null
  /** The oldest first. */
  readonly isReversed: boolean
}

export const WHOLE: Range = { before: null, beyond: null, isReversed: false }

/** A part of a list as `from` and `where` of a query; `key` has created_at and id. */
export interface Branch {
  readonly key: Fragment
  readonly from: Fragment
  readonly where: Fragment
}

/** The parts of a list within a range; no invoice is in two of them. */
export type Source = (range: Range) => readonly Branch[]

/** As many as a range of amounts or times may choose to be looked up and sorted; where more are, they are near. */
const FEW = 10_000
/** As many as may be sorted without being looked up. */
const MANY = 300_000

/** An invoice is paid after it was created, by clocks that differ by less than this. */
const CLOCKS_APART_MS = 3_600_000

/** Finds out where a list is best read. Null: in the index that is in its order. */
export async function chooseSource(sql: Queryable, selection: Selection): Promise<Source | null> {
  const { merchantId, externalRef, reference, payment, metadata, payer } = selection
  const { paidFrom, paidTo } = selection
  if (externalRef !== undefined || reference !== undefined) {
    const named =
      externalRef === undefined
        ? sql`reference = ${reference ?? null}`
        : sql`external_ref = ${externalRef}`
    return among(sql, selection, () => [
      sql`select created_at, id from invoice where merchant_id = ${merchantId} and ${named}`,
    ])
  }
  if (payment) {
    return among(sql, selection, () => [
      sql`
        select i.created_at, i.id from invoice i where i.id in (
          select invoice_id from payment
          where network_id = any(${[...payment.networkIds]}::text[]) and tx_hash = ${payment.hash})`,
    ])
  }
  if (metadata) {
    const { key, value } = metadata
    return among(sql, selection, (range) => [
      sql`
        select created_at, invoice_id as id from invoice_metadata
        where merchant_id = ${merchantId} and term = metadata_term(${key}, ${value})
          and digest = (select metadata_digest(${key}, ${value}))
          and ${beyond(sql, range, sql`created_at`, sql`invoice_id`)}
        ${order(sql, range, sql`created_at`, sql`invoice_id`)}`,
    ])
  }
  if (payer) {
    return among(sql, selection, (range) => [
      sql`
        select distinct on (invoice_created_at, invoice_id)
          invoice_created_at as created_at, invoice_id as id
        from payment where merchant_id = ${merchantId} and sender = ${payer}
          and ${beyond(sql, range, sql`invoice_created_at`, sql`invoice_id`)}
        ${order(sql, range, sql`invoice_created_at`, sql`invoice_id`)}`,
    ])
  }
  const ranges = rangesOf(selection)
  if (ranges?.every(({ from, to }) => from === to)) return ofAmounts(sql, selection, ranges)
  if (ranges && isOfAnyStatus(selection)) {
    const those = ofRanges(sql, merchantId, ranges)
    return (await areFew(sql, those, MANY)) ? ofRangesAlone(sql, selection, ranges) : null
  }
  if (ranges && (await areFew(sql, ofRanges(sql, merchantId, ranges)))) {
    return among(sql, selection, () =>
      ofRanges(sql, merchantId, ranges).map((those) => sql`select i.created_at, i.id ${those}`),
    )
  }
  if (paidFrom || paidTo) {
    const those = sql`
      from invoice i where i.merchant_id = ${merchantId} and ${paidWithin(sql, selection)}`
    if (await areFew(sql, [those])) {
      return among(sql, selection, () => [sql`select i.created_at, i.id ${those}`])
    }
  }
  return null
}

/** The ranges of amounts in tokens that are wanted; null when any amount will do. */
export function rangesOf({ amounts, tokens }: Selection): readonly AmountRange[] | null {
  return amounts?.filter(({ tokenSymbol }) => tokens.includes(tokenSymbol)) ?? null
}

/** A merchant's invoices `i` of each range, as an index by amounts has them. */
export function ofRanges(
  sql: Queryable,
  merchantId: MerchantId,
  ranges: readonly AmountRange[],
): readonly Fragment[] {
  return ranges.map(
    (range) => sql`
      from invoice i where i.merchant_id = ${merchantId}
        and i.token_symbol = ${range.tokenSymbol} and ${inRange(sql, range)}`,
  )
}

/** The same as a list that nothing but the time of creation narrows down further: the index has all of it. */
function ofRangesAlone(
  sql: Queryable,
  selection: Selection,
  ranges: readonly AmountRange[],
): Source {
  return (range) =>
    ranges.map((amounts) => ({
      key: sql`i`,
      from: sql`invoice i`,
      where: sql`
        i.merchant_id = ${selection.merchantId} and i.token_symbol = ${amounts.tokenSymbol}
        and ${inRange(sql, amounts)} and ${within(sql, selection)}
        and ${beyond(sql, range, sql`i.created_at`, sql`i.id`)}`,
    }))
}

/** Invoices of one amount each, which have an index in the order of the list. */
function ofAmounts(sql: Queryable, selection: Selection, ranges: readonly AmountRange[]): Source {
  return among(sql, selection, (range) =>
    ranges.map(({ tokenSymbol, from }) => {
      return sql`
        select created_at, id from invoice
        where merchant_id = ${selection.merchantId} and token_symbol = ${tokenSymbol}
          and amount_expected = ${String(from)}
          and ${beyond(sql, range, sql`created_at`, sql`id`)}
        ${order(sql, range, sql`created_at`, sql`id`)}`
    }),
  )
}

/** Whether each of these parts of a query, from `from` on, has so few rows that they may be looked up one by one. */
export async function areFew(
  sql: Queryable,
  parts: readonly Fragment[],
  few = FEW,
): Promise<boolean> {
  for (const part of parts) {
    const [row] = await sql<{ found: number }[]>`
      select count(*)::integer as found from (select ${part} limit ${few + 1}) as found`
    if (row === undefined || row.found > few) return false
  }
  return true
}

/** The candidates of a list, each looked up to see whether it is on it. */
function among(
  sql: Queryable,
  selection: Selection,
  candidates: (range: Range) => readonly Fragment[],
): Source {
  const where = matching(sql, selection)
  return (range) =>
    candidates(range).map((each) => ({
      key: sql`c`,
      from: sql`
        (${each}) c cross join lateral (select * from invoice where id = c.id limit 1) i`,
      where: sql`${where} and ${beyond(sql, range, sql`c.created_at`, sql`c.id`)}`,
    }))
}

/** All of a list by the index that is in its order, which separates each status and token. */
export function inOrder(sql: Queryable, selection: Selection): Source {
  const { merchantId, statuses, tokens, paidTo } = selection
  return (range) => {
    const own = sql`
      i.merchant_id = ${merchantId} and ${within(sql, selection)}
      ${paidTo ? sql`and i.created_at <= ${new Date(paidTo.getTime() + CLOCKS_APART_MS)}` : sql``}
      and ${beyond(sql, range, sql`i.created_at`, sql`i.id`)}`
    return statuses.flatMap((status) =>
      tokens.map((token) => {
        const those = sql`i.status = ${status} and i.token_symbol = ${token}`
        const where = sql`${own} and ${those} ${besideStatus(sql, selection, token)}`
        return { key: sql`i`, from: sql`invoice i`, where }
      }),
    )
  }
}

/** In the order of a list, or the other way round. */
export function order(
  sql: Queryable,
  { isReversed }: Pick<Range, 'isReversed'>,
  createdAt: Fragment,
  id: Fragment,
) {
  return isReversed
    ? sql`order by ${createdAt}, ${id}`
    : sql`order by ${createdAt} desc, ${id} desc`
}

function beyond(
  sql: Queryable,
  { before, beyond, isReversed }: Range,
  createdAt: Fragment,
  id: Fragment,
) {
  if (beyond === null) return before === null ? sql`true` : sql`${createdAt} < ${before}`
  const [at, other] = beyond
  const those = sql`(${momentAt(sql, at)}, ${other ?? null}::uuid)`
  return isReversed ? sql`(${createdAt}, ${id}) > ${those}` : sql`(${createdAt}, ${id}) < ${those}`
}
