import type { MerchantId } from '../../../core/base/ids.ts'
import type { BaseUnits } from '../../../core/base/money.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { TOKEN_SYMBOLS, type TokenSymbol } from '../../../core/chain/tokens.ts'
import type { InvoiceStatus } from '../../../core/invoice/state.ts'
import type { Queryable } from '../../database/database.ts'

/** Which invoices are on a list. */

export interface InvoiceFilter {
  readonly status?: InvoiceStatus | undefined
  readonly externalRef?: string | undefined
  readonly reference?: string | undefined
  /** Both ends belong to the range, here and below. */
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
  readonly paidFrom?: Date | undefined
  readonly paidTo?: Date | undefined
  /** Evaluated at `now`. */
  readonly expired?: boolean | undefined
  readonly tokenSymbol?: TokenSymbol | undefined
  /** A range of amountExpected for each token; invoices in other tokens are left out. */
  readonly amounts?: readonly AmountRange[] | undefined
  readonly metadata?: MetadataEntry | undefined
  /** Who sent one of the payments. */
  readonly payer?: Address | undefined
  /** The transaction of one of the payments. */
  readonly payment?: PaymentTransaction | undefined
}

/** In base units; null for no bound. */
export interface AmountRange {
  readonly tokenSymbol: TokenSymbol
  readonly from: BaseUnits | null
  readonly to: BaseUnits | null
}

/** A value as text, whether it is a string, a number or a truth value. */
export interface MetadataEntry {
  readonly key: string
  readonly value: string
}

/** A transaction on any of these chains. */
export interface PaymentTransaction {
  readonly hash: Hex
  readonly networkIds: readonly string[]
}

/** Which invoices of which merchant. */
export interface Selection extends InvoiceFilter {
  readonly merchantId: MerchantId
  readonly statuses: readonly InvoiceStatus[]
  readonly tokens: readonly TokenSymbol[]
  readonly now: Date
}

export const UNPAID: readonly InvoiceStatus[] = ['pending', 'partial']
const ALL: readonly InvoiceStatus[] = [...UNPAID, 'paid', 'completed']

export function selectionOf(merchantId: MerchantId, filter: InvoiceFilter, now: Date): Selection {
  const { status, expired, tokenSymbol, amounts } = filter
  const statuses = status === undefined ? ALL : [status]
  const inRange = amounts?.map((range) => range.tokenSymbol) ?? TOKEN_SYMBOLS
  return {
    ...filter,
    merchantId,
    statuses: expired === true ? statuses.filter((one) => UNPAID.includes(one)) : statuses,
    tokens: inRange.filter((one) => tokenSymbol === undefined || one === tokenSymbol),
    now,
  }
}

/** True when the counters have the number of invoices. */
export function isTallied({ amounts, paidFrom, paidTo, expired }: Selection): boolean {
  return expired === undefined && !amounts && !paidFrom && !paidTo
}

/** True when an invoice of any status and token is on the list, but for other filters. */
export function isOfAnyKind(selection: Selection): boolean {
  return isOfAnyStatus(selection) && selection.tokens.length === TOKEN_SYMBOLS.length
}

/** True when it doesn't matter what became of an invoice. */
export function isOfAnyStatus({ statuses, expired, paidFrom, paidTo }: Selection): boolean {
  return statuses.length === ALL.length && expired === undefined && !paidFrom && !paidTo
}

/** Invoices, called `i`, that were created within the range; without one, all. */
export function within(sql: Queryable, { createdFrom, createdTo }: InvoiceFilter) {
  return between(sql, sql`i.created_at`, createdFrom, createdTo)
}

type Fragment = ReturnType<Queryable>

/** A moment between two, both included; what isn't given is no bound. */
export function between(sql: Queryable, moment: Fragment, from?: Date, to?: Date) {
  if (from && to) return sql`${moment} >= ${from} and ${moment} <= ${to}`
  if (from) return sql`${moment} >= ${from}`
  return to ? sql`${moment} <= ${to}` : sql`true`
}

/**
 * What the index by status has beside an invoice's merchant, status, token and age: written so
 * that no other index serves it, which would look each invoice up for its status.
 */
export function besideStatus(sql: Queryable, selection: Selection, token: TokenSymbol) {
  const { amounts, expired, now, paidFrom, paidTo } = selection
  const range = amounts?.find(({ tokenSymbol }) => tokenSymbol === token)
  return sql`
    ${range ? sql`and ${inRange(sql, range, sql`coalesce(i.amount_expected, 0)`)}` : sql``}
    ${paidFrom ? sql`and coalesce(i.paid_at, '-infinity') >= ${paidFrom}` : sql``}
    ${paidTo ? sql`and coalesce(i.paid_at, 'infinity') <= ${paidTo}` : sql``}
    ${expired === undefined ? sql`` : sql`and ${hasExpired(sql, now)} = ${expired}`}`
}

export function inRange(
  sql: Queryable,
  { from, to }: AmountRange,
  amount: Fragment = sql`i.amount_expected`,
) {
  if (from !== null && from === to) return sql`${amount} = ${String(from)}`
  if (to === null) return sql`${amount} >= ${String(from ?? 0n)}`
  return sql`${amount} >= ${String(from ?? 0n)} and ${amount} <= ${String(to)}`
}

export function paidWithin(sql: Queryable, { paidFrom, paidTo }: InvoiceFilter) {
  return between(sql, sql`i.paid_at`, paidFrom, paidTo)
}

function hasExpired(sql: Queryable, now: Date) {
  return sql`
    (coalesce(least(i.expires_at, i.closed_at) < ${now}, false)
      and i.status in ('pending', 'partial'))`
}

/** All filters of invoices, called `i`, in every source. */
export function matching(sql: Queryable, selection: Selection) {
  const { merchantId, statuses, tokens, amounts, externalRef, reference } = selection
  const { metadata, payer, payment, paidFrom, paidTo, expired, now } = selection
  const ranges = amounts?.map((range) => {
    return sql`(i.token_symbol = ${range.tokenSymbol} and ${inRange(sql, range)})`
  })
  const inAmounts = ranges?.reduce((either, range) => sql`${either} or ${range}`)
  return sql`
    i.merchant_id = ${merchantId} and i.status = any(${[...statuses]}::text[])
    and i.token_symbol = any(${[...tokens]}::text[]) and ${within(sql, selection)}
    ${paidFrom || paidTo ? sql`and ${paidWithin(sql, selection)}` : sql``}
    ${expired === undefined ? sql`` : sql`and ${hasExpired(sql, now)} = ${expired}`}
    ${inAmounts ? sql`and (${inAmounts})` : sql``}
    ${externalRef === undefined ? sql`` : sql`and i.external_ref = ${externalRef}`}
    ${reference === undefined ? sql`` : sql`and i.reference = ${reference}`}
    ${metadata ? sql`and i.metadata ->> ${metadata.key}::text = ${metadata.value}` : sql``}
    ${payer ? sql`and ${hasPayment(sql, sql`p.sender = ${payer}`)}` : sql``}
    ${payment ? sql`and ${hasPayment(sql, sql`p.tx_hash = ${payment.hash}`)}` : sql``}`
}

function hasPayment(sql: Queryable, condition: ReturnType<typeof within>) {
  return sql`exists (select from payment p where p.invoice_id = i.id and ${condition})`
}
