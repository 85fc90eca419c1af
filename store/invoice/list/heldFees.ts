import type { Queryable } from '../../database/database.ts'

/**
 * Fees of payouts that a token refused to pay out, and that the forwarder holds until the collector is paid
 * the next time: the hub pays them along with that payout's own fee.
 */

/**
 * What the forwarder of a row `of` of x402_distribution held when it was paid out: the fees of the payouts
 * before it, since the last one that paid the collector. As an expression, in base units.
 */
export function feeHeldBefore(sql: Queryable, of: string) {
  return sql`(
    select coalesce(sum(e.fee_held), 0) from x402_distribution e
    left join lateral (
      select s.block_number, s.log_index from x402_distribution s
      where s.fee > 0 and ${isPayoutBefore(sql, 's', of)}
      order by s.block_number desc, s.log_index desc limit 1
    ) paid on true
    where e.fee_held > 0 and ${isPayoutBefore(sql, 'e', of)}
      and (e.block_number, e.log_index)
        >= (coalesce(paid.block_number, -1), coalesce(paid.log_index, -1)))`
}

/** Payouts of one forwarder and token, the first before the second on-chain. */
export function isPayoutBefore(sql: Queryable, first: string, second: string) {
  return sql`
    ${sql(first)}.merchant_id = ${sql(second)}.merchant_id
    and ${sql(first)}.network_id = ${sql(second)}.network_id
    and ${sql(first)}.token = ${sql(second)}.token
    and (${sql(first)}.block_number, ${sql(first)}.log_index)
      < (${sql(second)}.block_number, ${sql(second)}.log_index)`
}
