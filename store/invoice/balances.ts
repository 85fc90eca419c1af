import type { MerchantId } from '../../core/base/ids.ts'
import type { Balance } from '../../core/invoice/balance.ts'
import type { Queryable } from '../database/database.ts'

/**
 * A merchant's money from invoices, by chain and token: what was confirmed by its daily sums, and what is on
 * its way by the few rows that are. One statement, so that nothing is counted twice or not at all.
 */
export async function readBalances(sql: Queryable, merchantId: MerchantId): Promise<Balance[]> {
  const own = sql`merchant_id = ${merchantId}`
  // What was paid by x402 is in forwarders, whose payouts take all of it, or with the merchant already.
  const invoiced = sql`type not in ('x402_payment', 'x402_payout', 'x402_direct', 'x402_refund')`
  const sumOf = (type: string, what = sql`amount`) => sql`
    coalesce(sum(${what}) filter (where type = ${type}), 0)`
  return sql<Balance[]>`
    select network_id, token,
      ${sumOf('incoming')} as incoming,
      ${sumOf('payment')} + ${sumOf('late_payment')} + ${sumOf('other_deposit')} as received,
      ${sumOf('settling')} as settling, ${sumOf('refunding')} as refunding,
      ${sumOf('settlement', sql`amount - fee`)} as settled, ${sumOf('settlement', sql`fee`)} as fees,
      ${sumOf('refund')} as refunded, ${sumOf('external_refund')} as externally_refunded
    from (
      select network_id, token, type, amount, fee from movement_tally where ${own} and ${invoiced}
      union all
      select network_id, token, type, amount, fee from movement_tally_change
      where ${own} and ${invoiced}
      union all
      select network_id, token, 'incoming', amount, 0 from payment
      where ${own} and status = 'pending'
      union all
      select network_id, token, 'settling', amount, 0 from settlement
      where ${own} and status in ('open', 'mined')
      union all
      select network_id, token, 'refunding', amount, 0 from refund
      where ${own} and status in ('open', 'mined') and x402_payment_id is null
    ) as movement
    group by network_id, token
    order by network_id, token`
}
