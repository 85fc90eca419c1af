import type { MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import { type Days, type Narrowing, ofMerchant, onNetwork, type ReadScope } from './readScope.ts'

/** Sums of what was confirmed, out of those that the database keeps by the day. */

export type Period = 'DAY' | 'MONTH' | 'TOTAL'

/** What one token on one chain adds up to; amounts in base units. */
export interface VolumeRow {
  /** The first day of the period; null for all the days together. */
  readonly day: string | null
  /** Null where merchants are added up. */
  readonly merchantId: MerchantId | null
  readonly merchantName: string | null
  readonly networkId: string
  readonly token: Address
  readonly payments: bigint
  readonly received: BaseUnits
  readonly late: BaseUnits
  readonly settlements: bigint
  readonly remitted: BaseUnits
  readonly fees: BaseUnits
  readonly refunds: bigint
  readonly refunded: BaseUnits
  readonly externalRefunds: bigint
  readonly externallyRefunded: BaseUnits
  readonly x402Payments: bigint
  readonly x402Received: BaseUnits
  readonly x402Direct: BaseUnits
  readonly x402Refunds: bigint
  readonly x402Refunded: BaseUnits
  readonly x402Payouts: bigint
  readonly x402Remitted: BaseUnits
  readonly x402Fees: BaseUnits
  readonly x402FeesOwed: BaseUnits
}

export interface VolumeQuery extends Narrowing {
  readonly days: Days
  readonly period: Period
  readonly byMerchant: boolean
  readonly limit: number
}

/** The sums of each period, chain and token, by the time of confirmation; the newest period first. */
export async function readVolume(scope: ReadScope, query: VolumeQuery): Promise<VolumeRow[]> {
  const { sql } = scope
  const { byMerchant, limit } = query
  const sumOf = (type: string, what = sql`amount`) =>
    sql`coalesce(sum(${what}) filter (where type = ${type}), 0)`
  const countOf = (...types: string[]) =>
    sql`coalesce(sum(movements) filter (where type = any(${types}::text[])), 0)::bigint`
  return sql<VolumeRow[]>`
    select summed.*, m.name as merchant_name
    from (
      select ${periodOf(scope, query.period)} as day,
        ${byMerchant ? sql`merchant_id` : sql`null::uuid`} as merchant_id, network_id, token,
        ${countOf('payment', 'late_payment')} as payments,
        ${sumOf('payment')} as received, ${sumOf('late_payment')} as late,
        ${countOf('settlement')} as settlements,
        ${sumOf('settlement', sql`amount - fee`)} as remitted,
        ${sumOf('settlement', sql`fee`)} as fees,
        ${countOf('refund')} as refunds, ${sumOf('refund')} as refunded,
        ${countOf('external_refund')} as external_refunds,
        ${sumOf('external_refund')} as externally_refunded,
        ${countOf('x402_payment', 'x402_direct')} as x402_payments,
        ${sumOf('x402_payment')} as x402_received, ${sumOf('x402_direct')} as x402_direct,
        ${sumOf('x402_direct', sql`fee`)} as x402_fees_owed,
        ${countOf('x402_refund')} as x402_refunds, ${sumOf('x402_refund')} as x402_refunded,
        ${countOf('x402_payout')} as x402_payouts,
        ${sumOf('x402_payout', sql`amount - fee`)} as x402_remitted,
        ${sumOf('x402_payout', sql`fee`)} as x402_fees
      from ${source(scope, query)}
      where type <> 'other_deposit' and day >= ${query.days.from}::text::date
        and day < ${query.days.to}::text::date and ${onNetwork(scope, query.networkId)}
      group by 1, 2, 3, 4 having sum(movements) <> 0
      order by 1 desc, 2, 3, 4 limit ${limit}
    ) as summed left join seen_merchant m on m.id = summed.merchant_id
    order by summed.day desc, summed.merchant_id, summed.network_id, summed.token`
}

/** Totals of all merchants have a table of their own. */
function source(scope: ReadScope, { merchantId, byMerchant }: VolumeQuery) {
  const { sql } = scope
  if (scope.merchantId === null && merchantId === null && !byMerchant) return sql`seen_money_day`
  return sql`(select * from seen_movement where ${ofMerchant(scope, merchantId)}) own`
}

/** The first day of the period of a column `day`, as text. */
export function periodOf({ sql }: ReadScope, period: Period) {
  if (period === 'TOTAL') return sql`null::text`
  return period === 'DAY'
    ? sql`to_char(day, 'YYYY-MM-DD')`
    : sql`to_char(date_trunc('month', day::timestamp), 'YYYY-MM-DD')`
}
