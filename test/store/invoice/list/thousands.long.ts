import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import type { Page } from '../../../../core/base/page.ts'
import { TOKEN_SYMBOLS } from '../../../../core/chain/tokens.ts'
import type { InvoiceRows } from '../../../../core/invoice/present.ts'
import type { Invoice, InvoiceStatus } from '../../../../core/invoice/state.ts'
import type { Database } from '../../../../store/database/database.ts'
import { listInvoices } from '../../../../store/invoice/list/read.ts'
import type { InvoiceFilter } from '../../../../store/invoice/list/selection.ts'
import { foldTallies } from '../../../../store/invoice/list/tallies.ts'
import { freshDatabase } from '../../../support/servers/database.ts'
import { newAddress } from '../../../support/store/database.ts'
import { storeInvoice, storeMerchant } from '../../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const page = { limit: 10, offset: 0n }

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)

async function list(filter: InvoiceFilter, { limit, offset } = page) {
  const found = await listInvoices(sql, merchantId, filter, { limit, offset }, NOW)
  return { ids: found.elements.map(({ invoice }) => invoice.id), total: found.total }
}

describe('of thousands over many days', () => {
  const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']
  type Row = Pick<
    Invoice,
    | 'id'
    | 'status'
    | 'createdAt'
    | 'expiresAt'
    | 'closedAt'
    | 'paidAt'
    | 'tokenSymbol'
    | 'amountExpected'
    | 'metadata'
  >
  let rows: Row[]

  beforeAll(async () => {
    merchantId = await storeMerchant(sql)
    await sql`
      insert into invoice (id, merchant_id, reference, token_symbol, chains, amount_expected, fee_cap,
        platform_fee, hub, deposit_address, metadata, created_at, status, expires_at, closed_at,
        paid_at)
      select gen_random_uuid(), ${merchantId}, lpad(n::text, 10, 'L'),
        case when n % 10 = 3 then 'USDT' else 'USDC' end, '{base-sepolia}', 1 + n % 7, 0,
        0, ${newAddress()}, '0x' || lpad(to_hex(n), 40, 'e'), jsonb_build_object('shop', n % 13),
        -- Some on the boundaries of days, some at one moment, some within one microsecond of a millisecond.
        timestamptz '2026-05-20Z' + (n / 2) * interval '12 minutes' + (n % 3) * interval '1 microsecond',
        (${STATUSES as string[]}::text[])[1 + (n * 7 % 11) % 4],
        case when n % 3 > 0 then timestamptz '2026-05-25Z' + n * interval '10 minutes' end,
        case when n % 5 = 0 then timestamptz '2026-05-28Z' end,
        case when n % 3 = 1 then timestamptz '2026-05-21Z' + (n / 2) * interval '12 minutes' end
      from generate_series(0, 2999) n`
    await sql`
      insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
      select merchant_id, term, digest, created_at, id
      from invoice, metadata_entries(metadata) as entry where merchant_id = ${merchantId}`
  })
  beforeEach(async () => {
    rows = await sql<Row[]>`
      select id, status, created_at, expires_at, closed_at, paid_at, token_symbol, amount_expected,
        metadata
      from invoice
      where merchant_id = ${merchantId} order by created_at desc, id desc`
  })

  function expected(filter: InvoiceFilter, limit: number, offset: number) {
    const matching = rows.filter((row) => {
      const { status, createdAt, expiresAt, closedAt } = row
      const ends = [expiresAt, closedAt].filter((end) => end !== null)
      const isUnpaid = status === 'pending' || status === 'partial'
      const hasExpired = isUnpaid && ends.some((end) => end < NOW)
      return (
        (filter.status ?? status) === status &&
        (filter.expired ?? hasExpired) === hasExpired &&
        (filter.createdFrom ?? createdAt) <= createdAt &&
        // Dates of rows have lost their microseconds.
        (filter.createdTo === undefined || createdAt < filter.createdTo) &&
        isAmong(row, filter)
      )
    })
    const ids = matching.slice(offset, offset + limit).map(({ id }): InvoiceId => id)
    return { ids, total: matching.length }
  }

  function isAmong({ paidAt, tokenSymbol, amountExpected, metadata }: Row, filter: InvoiceFilter) {
    const { amounts, paidFrom, paidTo } = filter
    const isInRange = amounts?.some(({ from, to, tokenSymbol: symbol }) => {
      return (
        symbol === tokenSymbol && amountExpected >= (from ?? 0n) && amountExpected <= (to ?? 9n)
      )
    })
    const isPaid = paidAt !== null && paidAt >= (paidFrom ?? paidAt) && paidAt <= (paidTo ?? paidAt)
    return (
      (filter.tokenSymbol ?? tokenSymbol) === tokenSymbol &&
      (isInRange ?? true) &&
      (isPaid || !(paidFrom || paidTo)) &&
      (!filter.metadata || String(metadata.shop) === filter.metadata.value)
    )
  }

  const day = (text: string) => new Date(`2026-05-${text}Z`)
  const RANGES: readonly InvoiceFilter[] = [
    {},
    { createdFrom: day('22T00:00:00'), createdTo: day('29T23:59:59.999') },
    { createdFrom: day('22T07:30:01'), createdTo: day('30T17:00:05') },
    { createdFrom: day('24T07:30:01'), createdTo: day('24T17:00:05') },
    { createdFrom: day('24T07:30:01'), createdTo: day('25T17:00:05') },
    { createdFrom: day('29T00:00:00') },
    { createdTo: day('22T13:07:00') },
    { createdFrom: day('01T00:00:00'), createdTo: day('02T00:00:00') },
  ]
  const OTHERS: readonly InvoiceFilter[] = [
    {},
    ...STATUSES.map((status) => ({ status })),
    { expired: true },
    { expired: false },
    { expired: true, status: 'partial' },
    { expired: true, status: 'paid' },
    { expired: false, status: 'pending' },
  ]
  const between = (from: bigint | null, to: bigint | null) => {
    const units = (bound: bigint | null) => (bound === null ? null : baseUnits(bound))
    const range = { from: units(from), to: units(to) }
    return TOKEN_SYMBOLS.map((tokenSymbol) => ({ ...range, tokenSymbol }))
  }
  const FURTHER: readonly InvoiceFilter[] = [
    { tokenSymbol: 'USDT' },
    { tokenSymbol: 'USDT', status: 'paid', createdFrom: day('24T07:30:01') },
    { amounts: between(3n, 3n) },
    { amounts: between(3n, null), expired: true },
    { amounts: between(null, 2n), tokenSymbol: 'USDC' },
    { paidFrom: day('23T00:00:00') },
    { paidTo: day('24T07:30:00') },
    { paidTo: day('24T07:30:00'), tokenSymbol: 'USDT' },
    { paidFrom: day('22T00:00:00'), createdTo: day('24T07:30:00') },
    { paidFrom: day('22T00:00:00'), amounts: between(3n, 3n) },
    { paidFrom: day('23T00:00:00'), paidTo: day('24T07:30:00'), status: 'paid' },
    { metadata: { key: 'shop', value: '7' } },
    { metadata: { key: 'shop', value: '7' }, createdFrom: day('24T07:30:01') },
    { metadata: { key: 'shop', value: '7' }, status: 'paid' },
    { amounts: between(3n, 3n), status: 'paid' },
    { amounts: between(3n, 3n), createdFrom: day('22T07:30:01'), createdTo: day('25T00:00:00') },
    { amounts: between(2n, 5n), createdTo: day('27T00:00:00') },
    { amounts: between(null, 2n), tokenSymbol: 'USDT', paidTo: day('24T07:30:00') },
    { metadata: { key: 'shop', value: '7' }, amounts: between(5n, 6n), expired: false },
    { metadata: { key: 'shop', value: 'x' } },
  ]
  const OFFSETS = [0, 7, 499, 501, 730, 1_400, 2_600, 2_999, 5_000]

  test('are found whole and in order, wherever a page begins and whatever is asked for', async () => {
    for (const range of RANGES) {
      for (const other of OTHERS) {
        const filter = { ...range, ...other }
        for (const offset of OFFSETS) {
          const found = await list(filter, { limit: 3, offset: BigInt(offset) })
          expect({ filter, offset, ...found }).toEqual({
            ...{ filter, offset },
            ...expected(filter, 3, offset),
          })
        }
      }
    }
    for (const filter of FURTHER) {
      for (const offset of [0, 7, 730]) {
        const found = await list(filter, { limit: 3, offset: BigInt(offset) })
        expect({ filter, offset, ...found }).toEqual({
          ...{ filter, offset },
          ...expected(filter, 3, offset),
        })
      }
    }
  }, 120_000)

  /** All pages by cursor from one end on, each read in its own order. */
  async function walk(filter: InvoiceFilter, side: 'after' | 'before', limit: number) {
    const pages: (readonly InvoiceId[])[] = []
    for (let keys: readonly string[] | null = null; ; ) {
      const request = { limit, cursor: { side, keys } }
      const page: Page<InvoiceRows> = await listInvoices(sql, merchantId, filter, request, NOW)
      expect(page.total).toBeNull()
      pages.push(page.elements.map(({ invoice }) => invoice.id))
      // Whoever turns round at a page's end sees what came before it.
      const back = side === 'after' ? page.previous : page.next
      expect({ isFirst: back === null, read: pages.length }).toEqual({
        isFirst: pages.length === 1 || page.elements.length === 0,
        read: pages.length,
      })
      keys = side === 'after' ? page.next : page.previous
      if (keys === null) return side === 'after' ? pages.flat() : pages.toReversed().flat()
    }
  }

  test('are found whole by cursor, each once, in both directions', async () => {
    for (const filter of [{}, ...OTHERS.slice(4, 7), ...FURTHER]) {
      const { ids } = expected(filter, rows.length, 0)
      for (const side of ['after', 'before'] as const) {
        expect({ filter, side, ids: await walk(filter, side, 97) }).toEqual({ filter, side, ids })
      }
    }
  }, 120_000)

  test('that come while someone reads by cursor change nothing of what is still to be read', async () => {
    const first = await listInvoices(
      sql,
      merchantId,
      {},
      { limit: 5, cursor: { side: 'after', keys: null } },
      NOW,
    )
    const newer = await newInvoice({ createdAt: minutes(1) })
    const after = { limit: 5, cursor: { side: 'after', keys: first.next } } as const
    const second = await listInvoices(sql, merchantId, {}, after, NOW)
    expect(second.elements.map(({ invoice }) => invoice.id)).toEqual(expected({}, 5, 5).ids)
    const before = { limit: 10, cursor: { side: 'before', keys: second.previous } } as const
    const { elements } = await listInvoices(sql, merchantId, {}, before, NOW)
    const newest = [newer.id, ...expected({}, 5, 0).ids]
    expect(elements.map(({ invoice }) => invoice.id)).toEqual(newest)
  })

  test('are counted as they change, before and after the changes were added up', async () => {
    const totals = async () => {
      const found = await Promise.all(STATUSES.map((status) => list({ status })))
      return found.map(({ total }) => total)
    }
    const wanted = () => STATUSES.map((status) => expected({ status }, 0, 0).total)
    expect(await totals()).toEqual(wanted())
    while ((await foldTallies(sql)) > 0);
    expect(await totals()).toEqual(wanted())
    const ids = rows.filter(({ status }) => status === 'pending').map(({ id }) => id)
    const moved = ids.slice(0, 100)
    await sql`update invoice set status = 'paid' where id = any(${moved}::uuid[])`
    await sql`update invoice set version = version + 1 where id = any(${ids}::uuid[])`
    rows = rows.map((row) => (moved.includes(row.id) ? { ...row, status: 'paid' } : row))
    expect(await totals()).toEqual(wanted())
    while ((await foldTallies(sql)) > 0);
    expect(await totals()).toEqual(wanted())
    expect([...(await sql`select from invoice_tally_change`)]).toEqual([])
  })
})
