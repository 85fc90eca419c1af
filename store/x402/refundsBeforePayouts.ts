import type { Queryable } from '../database/database.ts'

/**
 * What refunds of x402 payments have taken of a forwarder before it was paid out: each is bound to the
 * first payout after it, which found that much less.
 */

/** What all of them took before the payout `d`, as an expression in base units. */
export function refundedBefore(sql: Queryable) {
  return sql`(select coalesce(sum(amount), 0) from refund where distribution_id = d.id)`
}

/** The payments of the payout `d` as JSON, in the chain's order; amounts in it are text. */
export function paymentsOf(sql: Queryable) {
  return sql`(
    select json_agg(json_build_object('id', p.id, 'amount', p.amount::text, 'fee', p.fee::text,
        'refunded', (select coalesce(sum(r.amount), 0)::text from refund r
          where r.x402_payment_id = p.id and r.distribution_id = d.id))
      order by p.block_number, p.log_index)
    from x402_payment p where p.distribution_id = d.id)`
}
