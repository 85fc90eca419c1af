import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { InvoiceId, MerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import { TOKEN_SYMBOLS } from '../../../../core/chain/tokens.ts'
import type { Database } from '../../../../store/database/database.ts'
import { listInvoices } from '../../../../store/invoice/list/read.ts'
import {
  type InvoiceFilter,
  matching,
  selectionOf,
} from '../../../../store/invoice/list/selection.ts'
import { foldTallies } from '../../../../store/invoice/list/tallies.ts'
import { freshDatabase } from '../../../support/servers/database.ts'
import { newAddress } from '../../../support/store/database.ts'
import { storeMerchant, USDC } from '../../../support/store/invoice.ts'

/** Whatever a list is narrowed down by: it has, and counts, what one look at every invoice finds. */

const INVOICES = 600
const RUNS = 200
const NOW = new Date('2026-06-01T12:00:00Z')
const PAYERS = Array.from({ length: 4 }, newAddress)
/** Values that are one text, and keys and values that are one when written without a border. */
const METADATA = [
  {},
  { shop: 1 },
  { shop: '1', till: 'a' },
  { shop: true },
  { shop: 'true', till: null },
  { sho: 'p1' },
  { '4:shop': '1', till: { deep: 1 } },
  { 'ümlaut "': "it's", shop: 1.5 },
]

let sql: Database
let merchantId: MerchantId

beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
  await seed(merchantId, 0)
  await seed(await storeMerchant(sql), INVOICES)
  while ((await foldTallies(sql)) > 0);
}, 60_000)
afterAll(() => sql.end({ timeout: 1 }))

/** Invoices of some days, at few moments, with few amounts, so that all meets all; and their payments. */
async function seed(of: MerchantId, from: number): Promise<void> {
  await sql`
    insert into invoice (id, merchant_id, reference, external_ref, token_symbol, chains,
      amount_expected, fee_cap, platform_fee, hub, deposit_address, metadata, created_at, status,
      expires_at, closed_at, paid_at)
    select gen_random_uuid(), ${of}, lpad((n + ${from}::integer)::text, 10, 'L'), 'order ' || n,
      case when random() < 0.3 then 'USDT' else 'USDC' end, '{base-sepolia}',
      1 + floor(random() * 5), 0, 0, ${newAddress()},
      '0x' || lpad(replace(gen_random_uuid()::text, '-', ''), 40, '0'),
      ((${JSON.stringify(METADATA)}::text::jsonb) -> floor(random() * ${METADATA.length})::integer),
      timestamptz '2026-05-28Z' + floor(random() * 16) * interval '6 hours',
      (array['pending', 'partial', 'paid', 'completed'])[1 + floor(random() * 4)::integer],
      case when random() < 0.5
        then timestamptz '2026-05-30Z' + floor(random() * 20) * interval '6 hours' end,
      case when random() < 0.2 then timestamptz '2026-06-01Z' end,
      case when random() < 0.4
        then timestamptz '2026-05-28Z' + floor(random() * 20) * interval '6 hours' end
    from generate_series(1, ${INVOICES}::integer) as n`
  await sql`
    insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
    select merchant_id, term, digest, created_at, id
    from invoice, metadata_entries(metadata) as entry where merchant_id = ${of}`
  await sql`
    insert into payment (id, invoice_id, network_id, token, tx_hash, log_index, sender, amount,
      block_number, block_hash, block_time, status, kind)
    select gen_random_uuid(), i.id, 'base-sepolia', ${USDC.address},
      '0x' || repeat(replace(gen_random_uuid()::text, '-', ''), 2), 0,
      (${PAYERS as string[]}::text[])[1 + floor(random() * ${PAYERS.length})::integer], 1, 1,
      '0x' || repeat('0', 64), now(), 'pending', 'counted'
    from invoice i, generate_series(1, (i.amount_expected % 3)::integer)
    where i.merchant_id = ${of}`
}

const moment = fc.integer({ min: -1, max: 21 }).map((n) => {
  return new Date(Date.parse('2026-05-28T00:00:00Z') + n * 6 * 3_600_000)
})
const bound = fc.option(
  fc.integer({ min: 1, max: 6 }).map((n) => baseUnits(BigInt(n))),
  { nil: null },
)
/** A range without a bound is none. */
const amounts = fc
  .tuple(bound, bound, fc.subarray([...TOKEN_SYMBOLS], { minLength: 1 }))
  .filter(([from, to]) => from !== null || to !== null)
  .map(([from, to, tokens]) => tokens.map((tokenSymbol) => ({ tokenSymbol, from, to })))
const entry = fc.record({
  key: fc.constantFrom('shop', 'till', '4:shop', 'sho', 'ümlaut "', 'none'),
  value: fc.constantFrom('1', 'true', 'a', '1.5', 'p1', "it's", ''),
})
const filters: fc.Arbitrary<InvoiceFilter> = fc.record(
  {
    status: fc.constantFrom('pending', 'partial', 'paid', 'completed'),
    expired: fc.boolean(),
    tokenSymbol: fc.constantFrom(...TOKEN_SYMBOLS),
    createdFrom: moment,
    createdTo: moment,
    paidFrom: moment,
    paidTo: moment,
    amounts,
    metadata: entry,
    payer: fc.constantFrom(...PAYERS, newAddress()),
    externalRef: fc.constantFrom('order 7', 'order 0'),
  },
  { requiredKeys: [] },
)
/** Most of the time few filters: all at once find nothing. */
const some = fc.tuple(filters, fc.integer({ min: 0, max: 2 ** 11 - 1 })).map(([filter, mask]) => {
  const kept = Object.entries(filter).filter((_, i) => i < 2 || (mask >> i) % 2 === 1)
  return Object.fromEntries(kept) as InvoiceFilter
})

test('a list has and counts the invoices that match, by whatever index', async () => {
  await fc.assert(
    fc.asyncProperty(some, fc.integer({ min: 0, max: 40 }), async (filter, offset) => {
      const page = { limit: 5, offset: BigInt(offset) }
      const found = await listInvoices(sql, merchantId, filter, page, NOW)
      const rows = await sql<{ id: InvoiceId }[]>`
        select i.id from invoice i where ${matching(sql, selectionOf(merchantId, filter, NOW))}
        order by i.created_at desc, i.id desc`
      expect(found.total).toBe(rows.length)
      expect(found.elements.map(({ invoice }) => invoice.id)).toEqual(
        rows.slice(offset, offset + 5).map(({ id }) => id),
      )
    }),
    { numRuns: RUNS },
  )
}, 120_000)
