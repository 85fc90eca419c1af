import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asInvoiceId, type MerchantId } from '../../../core/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database.ts'
import {
  closeInvoice,
  findByExternalRef,
  findInvoice,
  type InvoiceFilter,
  listInvoices,
} from '../../../store/invoice/invoices.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)

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

describe('an invoice', () => {
  test('is found with all that belongs to it and nothing else, by its merchant alone', async () => {
    const [invoice, other] = [await newInvoice(), await newInvoice()]
    const payment = await storePayment(sql, invoice.id, 5n)
    const settlement = await storeSettlement(sql, invoice.id, 3n)
    const refund = await storeRefund(sql, invoice.id, 1n)
    await storePayment(sql, other.id, 5n)
    await storeSettlement(sql, other.id, 3n)
    await storeRefund(sql, other.id, 1n)
    const found = await findInvoice(sql, merchantId, invoice.id)
    expect(found).toMatchObject({
      merchantRecipient: recipient,
      invoice: { id: invoice.id },
      payments: [{ id: payment.id }],
      settlements: [{ id: settlement.id }],
      refunds: [{ id: refund.id }],
    })
    expect(found?.payments).toHaveLength(1)
    expect(await findInvoice(sql, stranger, invoice.id)).toBeNull()
    expect(await findInvoice(sql, merchantId, asInvoiceId(Bun.randomUUIDv7()))).toBeNull()
  })

  test('is found by the externalRef that its merchant gave it, with the same metadata or not', async () => {
    const invoice = await newInvoice({ externalRef: 'order 1' })
    await newInvoice({ externalRef: 'order 2' })
    await storeInvoice(sql, stranger, { externalRef: 'order 1' })
    await sql`update invoice set metadata = '{"a": 1, "b": [2]}' where id = ${invoice.id}`
    const find = async (externalRef: string, metadata: string, who = merchantId) => {
      const found = await findByExternalRef(sql, who, externalRef, metadata)
      return found && [found.rows.invoice.id, found.hasSameMetadata]
    }
    expect(await find('order 1', '{"b":[2],"a":1}')).toEqual([invoice.id, true])
    expect(await find('order 1', '{"b":[2],"a":2}')).toEqual([invoice.id, false])
    expect(await find('order 3', '{}')).toBeNull()
    expect(await find('order 2', '{}', stranger)).toBeNull()
  })
})

describe('a merchant’s invoices', () => {
  const page = { limit: 10, offset: 0n }
  const list = async (filter: InvoiceFilter, { limit, offset } = page) => {
    const found = await listInvoices(sql, merchantId, filter, { limit, offset }, NOW)
    return { ids: found.invoices.map(({ invoice }) => invoice.id), total: found.total }
  }

  test('are listed from the newest on, page by page, and without others’', async () => {
    await storeInvoice(sql, stranger)
    const [a, b, c] = [
      await newInvoice({ createdAt: minutes(-2) }),
      await newInvoice({ createdAt: minutes(-1) }),
      await newInvoice({ createdAt: minutes(-1) }),
    ]
    expect(await list({})).toEqual({ ids: [c.id, b.id, a.id], total: 3 })
    expect(await list({}, { limit: 1, offset: 1n })).toEqual({ ids: [b.id], total: 3 })
    const [first] = (await listInvoices(sql, merchantId, {}, page, NOW)).invoices
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

describe('an invoice is closed', () => {
  const close = (id: Invoice['id'], now = NOW, who = merchantId) => closeInvoice(sql, who, id, now)
  const closedAtOf = async (id: Invoice['id']) => {
    const [row] = await sql`select closed_at, version from invoice where id = ${id}`
    return row
  }

  test('once: the first moment stands, and its version grows once', async () => {
    const [invoice, other] = [await newInvoice({ status: 'partial' }), await newInvoice()]
    expect((await close(invoice.id)).ok).toBe(true)
    expect((await close(invoice.id, minutes(5))).ok).toBe(true)
    expect(await closedAtOf(invoice.id)).toEqual({ closedAt: NOW, version: 2 })
    expect(await closedAtOf(other.id)).toEqual({ closedAt: null, version: 1 })
  })

  test('by nobody but its merchant', async () => {
    const { id } = await newInvoice()
    expect(await close(id, NOW, stranger)).toEqual({ ok: false, reason: 'not_found' })
    expect(await closedAtOf(id)).toEqual({ closedAt: null, version: 1 })
  })

  test.each(['paid', 'completed'] as const)('not when it is %s', async (status) => {
    const { id } = await newInvoice({ status })
    expect(await close(id)).toEqual({ ok: false, reason: 'already_paid' })
    expect(await closedAtOf(id)).toEqual({ closedAt: null, version: 1 })
  })
})
