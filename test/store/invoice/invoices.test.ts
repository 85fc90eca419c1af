import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asInvoiceId, type MerchantId } from '../../../core/base/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { closeInvoice, findByExternalRef, findInvoice } from '../../../store/invoice/invoices.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'
import {
  anInvoiceClaim,
  authorizationRow,
  claimedInvoice,
} from '../../support/store/invoiceClaims.ts'
import { storeKey, storeTransaction } from '../../support/store/relayer.ts'

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

  test('by no one but its merchant', async () => {
    const { id } = await newInvoice()
    expect(await close(id, NOW, stranger)).toEqual({ ok: false, reason: 'not_found' })
    expect(await closedAtOf(id)).toEqual({ closedAt: null, version: 1 })
  })

  test('with what payers have signed for it, unless a relayer has signed for that', async () => {
    const [invoice, other] = [await newInvoice(), await newInvoice()]
    const [unsent, elsewhere] = [
      await claimedInvoice(sql, anInvoiceClaim(invoice.id)),
      await claimedInvoice(sql, anInvoiceClaim(other.id)),
    ]
    await close(invoice.id, NOW, stranger)
    expect(await authorizationRow(sql, unsent)).toMatchObject({ status: 'pending' })
    await close(invoice.id)
    expect(await authorizationRow(sql, unsent)).toMatchObject({ status: 'replaced', gasBooked: 0n })
    const { itemId } = await authorizationRow(sql, elsewhere)
    const tx = await storeTransaction(sql, await storeKey(sql))
    await sql`update work_item set state = 'assigned', tx_id = ${tx} where id = ${itemId}`
    await close(other.id)
    expect(await authorizationRow(sql, elsewhere)).toMatchObject({ status: 'pending' })
  })

  test.each(['paid', 'completed'] as const)('not when it is %s', async (status) => {
    const { id } = await newInvoice({ status })
    expect(await close(id)).toEqual({ ok: false, reason: 'already_paid' })
    expect(await closedAtOf(id)).toEqual({ closedAt: null, version: 1 })
  })
})
