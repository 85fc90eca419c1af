import type { Database, Queryable } from '../../store/database/database.ts'
import { seedEvents } from './seedEvents.ts'
import { seedIndex } from './seedIndex.ts'
import { seedInvoices } from './seedInvoices.ts'
import { seedX402 } from './seedX402.ts'
import { DAYS, type HistorySeed, OTHERS } from './size.ts'

/**
 * A ledger with a long history: rows such as years of business leave behind, written by the database
 * itself. Nothing of it is still to be done, so that all the work of an actor's turn is for nothing.
 */

/** Writes a history into a ledger that has nothing but a merchant. */
export async function seedHistory(database: Database, seed: HistorySeed): Promise<void> {
  const connection = await database.reserve()
  try {
    // Neither references nor triggers are looked at for each of millions of rows.
    await connection`set session_replication_role = replica`
    await connection`set synchronous_commit = off`
    await connection`set statement_timeout = 0`
    await connection`set enable_seqscan = on`
    await connection`set max_parallel_workers_per_gather = 0`
    await connection`create temporary table seed_merchant (n integer primary key, id uuid)`
    await connection`
      insert into seed_merchant select 0, ${seed.merchantId}::uuid
      union all select n, gen_random_uuid() from generate_series(1, ${OTHERS}) n`
    await connection`
      insert into merchant (id, name, recipient, config_version, created_at)
      select id, 'Shop ' || n, case when n > 1 then '0xa' || lpad(to_hex(n), 39, '0') end,
        case when n > 1 then 1 else 0 end, now() - ${DAYS} * interval '1 day'
      from seed_merchant where n > 0`
    const indexes = await dropIndexes(connection)
    await seedInvoices(connection, seed)
    await seedX402(connection, seed)
    await seedIndex(connection, seed)
    await seedSums(connection)
    await seedEvents(connection, seed)
    await connection`set maintenance_work_mem = '512MB'`
    for (const { definition } of indexes) await connection.unsafe(definition)
    await connection`reset all`
    await connection`drop table seed_merchant`
  } finally {
    connection.release()
  }
  await database`vacuum analyze`
}

/** Building an index at the end takes a third of the time of adding to it row by row. */
async function dropIndexes(sql: Queryable): Promise<readonly { definition: string }[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisunique`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  return indexes
}

/** The sums by the day of what was confirmed, which triggers would have written row by row. */
async function seedSums(sql: Queryable): Promise<void> {
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
