import type { Queryable } from '../../store/database/database.ts'

/** The sums by the day of what was confirmed, which triggers would have written row by row. */
export async function seedSums(sql: Queryable): Promise<void> {
  const day = sql`(confirmed_at at time zone 'UTC')::date`
  await sql`
    insert into movement_tally (merchant_id, day, network_id, token, type, movements, amount, fee)
    select merchant_id, ${day}, network_id, token,
      case kind when 'late' then 'late_payment' else 'payment' end, count(*), sum(amount), 0
    from payment where status = 'confirmed' group by 1, 2, 3, 4, 5
    union all
    select merchant_id, ${day}, network_id, token, 'settlement', count(*), sum(amount), sum(fee)
    from settlement where status = 'confirmed' group by 1, 2, 3, 4
    union all
    select merchant_id, ${day}, network_id, asset, 'x402_payment', count(*), sum(amount), 0
    from x402_payment where confirmed_at is not null group by 1, 2, 3, 4
    union all
    select merchant_id, (block_time at time zone 'UTC')::date, network_id, token, 'x402_payout',
      count(*), sum(remitted + fee), sum(fee)
    from x402_distribution group by 1, 2, 3, 4`
  await sql`
    insert into x402_endpoint_tally (merchant_id, day, network_id, token, endpoint_id, payments,
      amount)
    select merchant_id, ${day}, network_id, asset, endpoint_id, count(*), sum(amount)
    from x402_payment where confirmed_at is not null group by 1, 2, 3, 4, 5`
  await sql`
    insert into money_day (day, network_id, token, type, movements, amount, fee)
    select day, network_id, token, type, sum(movements), sum(amount), sum(fee)
    from movement_tally group by 1, 2, 3, 4`
  await sql`
    insert into money_total (network_id, token, type, movements, amount, fee)
    select network_id, token, type, sum(movements), sum(amount), sum(fee)
    from money_day group by 1, 2, 3`
}
