import type { Queryable } from '../../database/database.ts'
import {
  between,
  isOfAnyKind,
  isOfAnyStatus,
  paidWithin,
  type Selection,
  within,
} from './selection.ts'
import { type Fragment, ofRanges, rangesOf } from './sources.ts'

/**
 * Lists that are counted in one index, without reading any invoice, because the index has all that they
 * are narrowed down by: the time of payment, or the amount, the payer or a value of the metadata, each
 * alone or with the time of creation.
 */

/** What there is a row of for each invoice, as queries without columns; null when no index has it all. */
export function coveredRows(sql: Queryable, selection: Selection): readonly Fragment[] | null {
  const { externalRef, reference, payment, metadata, payer } = selection
  if (externalRef !== undefined || reference !== undefined || payment) return null
  const ranges = rangesOf(selection)
  if (ranges && !metadata && !payer && isOfAnyStatus(selection)) {
    const those = ofRanges(sql, selection.merchantId, ranges)
    return those.map((each) => sql`select ${each} and ${within(sql, selection)}`)
  }
  if (isPaidAlone(selection)) {
    const { merchantId } = selection
    return [
      sql`
      select from invoice i where i.merchant_id = ${merchantId} and ${paidWithin(sql, selection)}`,
    ]
  }
  if (ranges || !isOfAnyKind(selection)) return null
  if (metadata && !payer) return [withMetadata(sql, selection, metadata)]
  return payer && !metadata ? [paidBy(sql, selection, payer)] : null
}

/** True for a time of payment and nothing else: its index has nothing beside it. */
function isPaidAlone(selection: Selection): boolean {
  const { paidFrom, paidTo, createdFrom, createdTo, amounts, metadata, payer } = selection
  const others = createdFrom || createdTo || amounts || metadata || payer
  if (!(paidFrom || paidTo) || others) return false
  return isOfAnyKind({ ...selection, paidFrom: undefined, paidTo: undefined })
}

/** A payer may have paid an invoice several times. */
function paidBy(sql: Queryable, selection: Selection, payer: string): Fragment {
  const { merchantId, createdFrom, createdTo } = selection
  return sql`
    select distinct invoice_created_at, invoice_id from payment
    where merchant_id = ${merchantId} and sender = ${payer}
      and ${between(sql, sql`invoice_created_at`, createdFrom, createdTo)}`
}

/** Two values may have one number in the index, but never one digest. */
function withMetadata(
  sql: Queryable,
  { merchantId, createdFrom, createdTo }: Selection,
  { key, value }: NonNullable<Selection['metadata']>,
): Fragment {
  return sql`
    select from invoice_metadata m
    where m.merchant_id = ${merchantId} and m.term = metadata_term(${key}, ${value})
      and ${between(sql, sql`m.created_at`, createdFrom, createdTo)}
      and m.digest = (select metadata_digest(${key}, ${value}))`
}
