import type { MerchantId } from '../../../core/base/ids.ts'
import type { ReportedDay } from '../../../core/invoice/report.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { foldChanges, type Tally } from '../../database/tallies.ts'

/**
 * What payments, settlements and refunds add up to, day by day (UTC) of their confirmation: summed by the
 * database as they are confirmed, so that a report of a year takes no longer than one of a week.
 */

export const MOVEMENTS: Tally = {
  lock: 7_733_105,
  changes: 'movement_tally_change',
  sums: ['movements', 'amount', 'fee'],
  into: {
    movement_tally: ['merchant_id', 'day', 'network_id', 'token', 'type'],
    money_total: ['network_id', 'token', 'type'],
  },
}
const DAY_MS = 86_400_000

interface Range {
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
}

/** The sums of each day, chain and token between two moments, by the time of confirmation. */
export async function reportDays(
  database: Database,
  merchantId: MerchantId,
  range: Range,
): Promise<ReportedDay[]> {
  const { first, whole, last } = partsOf(range)
  return database<ReportedDay[]>`
    select to_char(day, 'YYYY-MM-DD') as day, network_id, token,
      coalesce(sum(movements) filter (where type in ('payment', 'late_payment')), 0)::integer
        as payments,
      coalesce(sum(amount) filter (where type = 'payment'), 0) as received,
      coalesce(sum(amount) filter (where type = 'late_payment'), 0) as late,
      coalesce(sum(movements) filter (where type = 'settlement'), 0)::integer as settlements,
      coalesce(sum(amount - fee) filter (where type = 'settlement'), 0) as remitted,
      coalesce(sum(fee) filter (where type = 'settlement'), 0) as fees,
      coalesce(sum(movements) filter (where type = 'refund'), 0)::integer as refunds,
      coalesce(sum(amount) filter (where type = 'refund'), 0) as refunded,
      coalesce(sum(movements) filter (where type = 'external_refund'), 0)::integer
        as external_refunds,
      coalesce(sum(amount) filter (where type = 'external_refund'), 0) as externally_refunded,
      coalesce(sum(movements) filter (where type = 'x402_refund'), 0)::integer as x402_refunds,
      coalesce(sum(amount) filter (where type = 'x402_refund'), 0) as x402_refunded,
      coalesce(sum(movements) filter (where type in ('x402_payment', 'x402_direct')), 0)::integer
        as x402_payments,
      coalesce(sum(amount) filter (where type = 'x402_payment'), 0) as x402_received,
      coalesce(sum(amount) filter (where type = 'x402_direct'), 0) as x402_direct,
      coalesce(sum(fee) filter (where type = 'x402_direct'), 0) as x402_fees_owed,
      coalesce(sum(movements) filter (where type = 'x402_payout'), 0)::integer as x402_payouts,
      coalesce(sum(amount - fee) filter (where type = 'x402_payout'), 0) as x402_remitted,
      coalesce(sum(fee) filter (where type = 'x402_payout'), 0) as x402_fees
    from (
      ${tallied(database, merchantId, whole)}
      union all ${moved(database, merchantId, first)}
      union all ${moved(database, merchantId, last)}
    ) as movement
    group by movement.day, network_id, token having sum(movements) <> 0
    order by movement.day, network_id, token`
}

/** The range as whole days (UTC), and what of it lies before and after them. */
function partsOf({ from, to }: Range): { first: Range; whole: Range; last: Range } {
  const begin = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const end = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS)
  const none = { from: to, to }
  if (begin >= end) return { first: { from, to }, whole: none, last: none }
  return { first: { from, to: begin }, whole: { from: begin, to: end }, last: { from: end, to } }
}

/** What was added up of whole days, and what is yet to be. */
function tallied(sql: Queryable, merchantId: MerchantId, { from, to }: Range) {
  const wanted = sql`
    where merchant_id = ${merchantId} and type <> 'other_deposit' and day >= (${from}::timestamptz at time zone 'UTC')::date
      and day < (${to}::timestamptz at time zone 'UTC')::date`
  return sql`
    select day, network_id, token, type, movements, amount, fee from movement_tally ${wanted}
    union all
    select day, network_id, token, type, movements, amount, fee from movement_tally_change ${wanted}`
}

/** The same of part of a day, out of the rows themselves. */
function moved(sql: Queryable, merchantId: MerchantId, { from, to }: Range) {
  const confirmed = sql`
    merchant_id = ${merchantId} and status = 'confirmed'
    and confirmed_at >= ${from} and confirmed_at < ${to}`
  const day = sql`(confirmed_at at time zone 'UTC')::date as day`
  return sql`
    select ${day}, network_id, token::text,
      case kind when 'late' then 'late_payment' else 'payment' end as type, 1 as movements, amount,
      0 as fee
    from payment where ${confirmed} and kind <> 'foreign'
    union all
    select ${day}, network_id, token, 'settlement', 1, amount, fee from settlement where ${confirmed}
    union all
    select ${day}, network_id, token,
      case when x402_payment_id is null then 'refund' else 'x402_refund' end, 1, amount, 0
    from refund where ${confirmed}
    union all
    select ${day}, network_id, token, 'external_refund', 1, amount, 0 from external_refund
    where ${confirmed}
    union all
    select ${day}, network_id, asset, case when direct then 'x402_direct' else 'x402_payment' end, 1,
      amount, fee_owed
    from x402_payment
    where merchant_id = ${merchantId} and confirmed_at >= ${from} and confirmed_at < ${to}
    union all
    select (block_time at time zone 'UTC')::date, network_id, token, 'x402_payout', 1, remitted + fee,
      fee
    from x402_distribution
    where merchant_id = ${merchantId} and block_time >= ${from} and block_time < ${to}`
}

export const foldMovements = (database: Database, merchantId?: MerchantId) =>
  foldChanges(database, MOVEMENTS, merchantId)
