import type { MerchantId } from '../../core/base/ids.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { Payout, PayoutDay, WaitingPayout } from '../../core/x402/payout.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'

/** Payouts of merchants' forwarders, as their dashboard reads them. */

/** A merchant's payouts, the newest first. */
export async function listPayouts(
  database: Database,
  merchantId: MerchantId,
  page: PageRequest,
): Promise<Page<Payout>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    return readPageByMoment<Payout>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from x402_distribution where merchant_id = ${merchantId}`,
      read: ({ beyond, order, place }) => sql`
        select d.id, d.network_id, d.token, d.tx_hash, d.block_number, d.treasury, d.remitted, d.fee,
          (select count(*)::int from x402_payment where distribution_id = d.id) as payments,
          d.created_at, ${microsecondsOf(sql, 'd.created_at')} as microseconds
        from (
          select * from (select *, block_time as created_at from x402_distribution) d
          where d.merchant_id = ${merchantId} and ${beyond('d')} ${order('d')} ${place}
        ) d
        ${order('d')}`,
    })
  })
}

/** The sums of each day (UTC), chain and token between two moments, the second one exclusive. */
export async function payoutDays(
  sql: Queryable,
  merchantId: MerchantId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<PayoutDay[]> {
  return sql<PayoutDay[]>`
    select to_char(block_time at time zone 'UTC', 'YYYY-MM-DD') as day, network_id, token,
      count(*)::int as payouts, sum(remitted) as remitted, sum(fee) as fees
    from x402_distribution
    where merchant_id = ${merchantId} and block_time >= ${from} and block_time < ${to}
    group by 1, 2, 3 order by 1, 2, 3`
}

/** What a merchant's forwarder was paid and has not paid out. */
export async function waitingPayouts(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<WaitingPayout[]> {
  return sql<WaitingPayout[]>`
    select p.network_id, p.asset as token, count(*)::int as payments,
      sum(p.amount - p.refunded - p.refunding) as amount
    from forwarder f cross join chain_state c
    join x402_payment p on p.network_id = c.network_id and p.pay_to = f.address
    where f.merchant_id = ${merchantId} and p.status = 'settled' and p.distribution_id is null and not p.direct
    group by 1, 2 order by 1, 2`
}
