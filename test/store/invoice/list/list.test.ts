import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { TOKEN_SYMBOLS } from '../../../../core/chain/tokens.ts'
import type { InvoiceId, MerchantId } from '../../../../core/ids.ts'
import type { InvoiceRows } from '../../../../core/invoice/presentation/present.ts'
import type { Invoice, InvoiceStatus } from '../../../../core/invoice/state.ts'
import { baseUnits } from '../../../../core/money.ts'
import type { Page } from '../../../../core/page.ts'
import type { Database } from '../../../../store/database.ts'
import { listInvoices } from '../../../../store/invoice/list/read.ts'
import type { InvoiceFilter } from '../../../../store/invoice/list/selection.ts'
import { foldTallies } from '../../../../store/invoice/list/tallies.ts'
import { freshDatabase } from '../../../support/servers/database.ts'
import { isEnding, newAddress, openTransaction } from '../../../support/store/database.ts'
import { storeInvoice, storeMerchant, storePayment } from '../../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const page = { limit: 10, offset: 0n }

let sql: Database
let merchantId: MerchantId
let stranger: MerchantId
const recipient = newAddress()
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql, { recipient })
  stranger = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)

async function list(filter: InvoiceFilter, { limit, offset } = page) {
  const found = await listInvoices(sql, merchantId, filter, { limit, offset }, NOW)
  return { ids: found.elements.map(({ invoice }) => invoice.id), total: found.total }
}

describe('a merchant’s invoices', () => {
  test('are listed from the newest on, page by page, and without others’', async () => {
    await storeInvoice(sql, stranger)
    const [a, b, c] = [
      await newInvoice({ createdAt: minutes(-2) }),
      await newInvoice({ createdAt: minutes(-1) }),
      await newInvoice({ createdAt: minutes(-1) }),
    ]
    expect(await list({})).toEqual({ ids: [c.id, b.id, a.id], total: 3 })
    expect(await list({}, { limit: 1, offset: 1n })).toEqual({ ids: [b.id], total: 3 })
    const [first] = (await listInvoices(sql, merchantId, {}, page, NOW)).elements
    expect(first?.merchantRecipient).toBe(recipient)
  })

  test('are chosen by status, externalRef and reference', async () => {
    await newInvoice({ externalRef: 'order 1' })
    const paid = await newInvoice({ status: 'paid', externalRef: 'order 2' })
    const only = { ids: [paid.id], total: 1 }
    expect(await list({ status: 'paid' })).toEqual(only)
    expect(await list({ externalRef: 'order 2' })).toEqual(only)
    expect(await list({ reference: paid.reference })).toEqual(only)
  })

  test('are chosen by the time of their creation, both ends included', async () => {
    const [a, b, c] = [
      await newInvoice({ createdAt: minutes(-3) }),
      await newInvoice({ createdAt: minutes(-2) }),
      await newInvoice({ createdAt: minutes(-1) }),
    ]
    expect((await list({ createdFrom: minutes(-2) })).ids).toEqual([c.id, b.id])
    expect((await list({ createdTo: minutes(-2) })).ids).toEqual([b.id, a.id])
  })

  test('have expired when their end is past, and they were not paid', async () => {
    const expired = [
      await newInvoice({ expiresAt: minutes(-1) }),
      await newInvoice({ closedAt: minutes(-1), expiresAt: minutes(1), status: 'partial' }),
    ].map(({ id }) => id)
    const others = [
      await newInvoice(),
      await newInvoice({ expiresAt: NOW }),
      await newInvoice({ expiresAt: minutes(-1), status: 'paid' }),
    ].map(({ id }) => id)
    expect((await list({ expired: true })).ids).toEqual(expired.toReversed())
    expect((await list({ expired: false })).ids).toEqual(others.toReversed())
  })
})

describe('lists that are counted without a look at invoices', () => {
  test('have an invoice once, however often its payer has paid', async () => {
    const [payer, other] = [newAddress(), newAddress()]
    const [first, second] = [await newInvoice(), await newInvoice({ status: 'paid' })]
    for (const sender of [payer, payer, other]) {
      await storePayment(sql, first.id, baseUnits(1n), { sender })
    }
    await storePayment(sql, second.id, baseUnits(1n), { sender: payer })
    expect(await list({ payer })).toEqual({ ids: [second.id, first.id], total: 2 })
    expect(await list({ payer, status: 'paid' })).toEqual({ ids: [second.id], total: 1 })
    expect(await list({ payer, createdTo: minutes(-60 * 24 * 3650) })).toEqual({
      ids: [],
      total: 0,
    })
    expect(await list({ payer: other })).toEqual({ ids: [first.id], total: 1 })
  })

  test('have none with another value that has the same number, with a digest or without', async () => {
    const shop = async (metadata: Readonly<Record<string, string>>) => {
      const invoice = await newInvoice()
      await sql`
        update invoice set metadata = ${JSON.stringify(metadata)}::text::jsonb
        where id = ${invoice.id}`
      return invoice
    }
    const [mine, theirs, older, both] = [
      await shop({ shop: 'mine' }),
      await shop({ shop: 'theirs' }),
      await shop({ shop: 'older' }),
      await shop({ shop: 'mine', till: 'theirs' }),
    ]
    const note = (id: InvoiceId, digestOf: string | null) => sql`
      insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
      select merchant_id, metadata_term('shop', 'mine'),
        case when ${digestOf}::text is not null then metadata_digest('shop', ${digestOf}::text) end,
        created_at, id
      from invoice where id = ${id}`
    await note(mine.id, 'mine')
    await note(theirs.id, 'theirs')
    await note(older.id, null)
    // Of two values with one number, in one invoice.
    await note(both.id, 'mine')
    await note(both.id, 'theirs')
    const filter = { metadata: { key: 'shop', value: 'mine' } }
    expect(await list(filter)).toEqual({ ids: [both.id, mine.id], total: 2 })
    await sql`update invoice_metadata set digest = null where invoice_id = ${mine.id}`
    expect(await list(filter)).toEqual({ ids: [both.id, mine.id], total: 2 })
  })
})

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
      -- The release before this one writes no digests.
      select merchant_id, term, case when right(reference, 1) < '5' then digest end, created_at, id
      from invoice, metadata_entries(metadata) as entry where merchant_id = ${merchantId}`
  })
  // The merchant of this block, instead of a new one.
  let own: MerchantId
  beforeAll(() => {
    own = merchantId
  })
  beforeEach(async () => {
    merchantId = own
    rows = await sql<Row[]>`
      select id, status, created_at, expires_at, closed_at, paid_at, token_symbol, amount_expected,
        metadata
      from invoice
      where merchant_id = ${own} order by created_at desc, id desc`
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

  test('that come while somebody reads by cursor change nothing of what is still to be read', async () => {
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

describe('the counters', () => {
  test('take back with their transaction what it created', async () => {
    await sql
      .begin(async (transaction) => {
        await storeInvoice(transaction, merchantId)
        throw new Error('never mind')
      })
      .catch(() => undefined)
    expect((await list({})).total).toBe(0)
  })

  test('let creations of one merchant go on while another is not committed, and are added up', async () => {
    const open = await openTransaction(sql, (transaction) => storeInvoice(transaction, merchantId))
    expect(await isEnding(newInvoice())).toBe(true)
    expect(await isEnding(foldTallies(sql))).toBe(true)
    await open.commit()
    expect((await list({})).total).toBe(2)
  })

  test('are added up by one process at a time', async () => {
    await newInvoice()
    const folding = await openTransaction(sql, async (transaction) => {
      await transaction`select pg_advisory_xact_lock(7733103)`
    })
    expect(await foldTallies(sql)).toBe(0)
    await folding.commit()
    expect(await foldTallies(sql)).toBeGreaterThan(0)
    expect((await list({})).total).toBe(1)
  })
})
