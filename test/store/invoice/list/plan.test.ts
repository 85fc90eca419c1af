import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MerchantId } from '../../../../core/base/ids.ts'
import { type Database, openDatabase } from '../../../../store/database/database.ts'
import { listInvoices } from '../../../../store/invoice/list/read.ts'
import { databaseUrlOf, freshDatabase } from '../../../support/servers/database.ts'
import { storeInvoice, storeMerchant } from '../../../support/store/invoice.ts'

/** What a page of a list reads in a table whose statistics speak of another merchant only. */

const OTHERS = 20_000
const PAGES = 3

let database: Database
let sql: Database
let small: MerchantId
beforeAll(async () => {
  database = await freshDatabase()
  // One connection, which has planned nothing yet and reports its own reads.
  sql = openDatabase(databaseUrlOf(database), { name: 'remit-test', poolSize: 1 })
  const large = await storeMerchant(sql)
  const { id } = await storeInvoice(sql, large)
  await sql`
    insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected, fee_cap,
      platform_fee, hub, deposit_address, created_at)
    select gen_random_uuid(), merchant_id, 'P' || lpad(n::text, 9, '0'), token_symbol, chains,
      amount_expected, fee_cap, platform_fee, hub, '0x' || lpad(to_hex(n), 40, '0'),
      created_at - n * interval '1 minute'
    from invoice, generate_series(1, ${OTHERS}::integer) as n where id = ${id}`
  await sql`analyze invoice`
  small = await storeMerchant(sql)
  await storeInvoice(sql, small)
}, 60_000)
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await database?.end({ timeout: 1 })
})

/** Rows of invoices that this connection has read so far. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ read: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read
    from pg_stat_user_tables where relname = 'invoice'`
  return row?.read ?? 0
}

test('a page looks its invoices up, however many rows a plan expects', async () => {
  const before = await rowsRead()
  for (let i = 0; i < PAGES; i += 1) {
    const page = await listInvoices(sql, small, {}, { limit: 20, offset: 0n }, new Date())
    expect(page.elements).toHaveLength(1)
  }
  const read = (await rowsRead()) - before
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})
