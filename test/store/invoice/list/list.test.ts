import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../../core/base/ids.ts'
import { baseUnits } from '../../../../core/base/money.ts'
import type { Invoice } from '../../../../core/invoice/state.ts'
import type { Database } from '../../../../store/database/database.ts'
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

  test('have none with another value that has the same number', async () => {
    const shop = async (metadata: Readonly<Record<string, string>>) => {
      const invoice = await newInvoice()
      await sql`
        update invoice set metadata = ${JSON.stringify(metadata)}::text::jsonb
        where id = ${invoice.id}`
      return invoice
    }
    const [mine, theirs, both] = [
      await shop({ shop: 'mine' }),
      await shop({ shop: 'theirs' }),
      await shop({ shop: 'mine', till: 'theirs' }),
    ]
    const note = (id: InvoiceId, digestOf: string) => sql`
      insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
      select merchant_id, metadata_term('shop', 'mine'),
        metadata_digest('shop', ${digestOf}), created_at, id
      from invoice where id = ${id}`
    await note(mine.id, 'mine')
    await note(theirs.id, 'theirs')
    // Of two values with one number, in one invoice.
    await note(both.id, 'mine')
    await note(both.id, 'theirs')
    const filter = { metadata: { key: 'shop', value: 'mine' } }
    expect(await list(filter)).toEqual({ ids: [both.id, mine.id], total: 2 })
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
