import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId, asPaymentId, type MerchantId } from '../../../core/base/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { acceptLatePayment, acceptPartial } from '../../../store/invoice/acceptance.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import {
  NETWORK,
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
} from '../../support/store/invoice.ts'
import {
  anInvoiceClaim,
  authorizationRow,
  claimedInvoice,
} from '../../support/store/invoiceClaims.ts'

const CONFIG = storeConfig()
const NOW = new Date()

let sql: Database
let merchantId: MerchantId
let stranger: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
  stranger = await storeMerchant(sql)
  await storeChain(sql, { networkId: NETWORK })
})
afterAll(() => sql.end({ timeout: 1 }))

/** What a worker makes of what was stored. */
const derive = ({ id }: Pick<Invoice, 'id'>) =>
  sql.begin((transaction) => advanceInvoice(transaction, CONFIG, id, NOW))

const NOBODY = asInvoiceId(Bun.randomUUIDv7())

describe('a late payment', () => {
  async function late(kind: 'late' | 'foreign' = 'late') {
    const invoice = await storeInvoice(sql, merchantId)
    const payment = await storePayment(sql, invoice.id, 600_000n, { kind })
    return { invoice, payment }
  }
  const accept = ({ id: invoiceId }: Pick<Invoice, 'id'>, paymentId: string, who = merchantId) =>
    acceptLatePayment(sql, { merchantId: who, invoiceId, paymentId: asPaymentId(paymentId) }, NOW)

  test('counts from when its merchant accepts it, and accepting it again changes nothing', async () => {
    const { invoice, payment } = await late()
    expect(await accept(invoice, payment.id)).toMatchObject({ ok: true })
    const first = await derive(invoice)
    expect(first.invoice).toMatchObject({ status: 'partial', receivedAmount: 600_000n })
    expect(first.payments).toMatchObject([{ kind: 'counted', acceptedAt: NOW }])
    const later = new Date(NOW.getTime() + 60_000)
    const of = { merchantId, invoiceId: invoice.id, paymentId: payment.id }
    expect(await acceptLatePayment(sql, of, later)).toMatchObject({ ok: true })
    const { payments, settlements } = first
    expect(await derive(invoice)).toMatchObject({ payments, settlements })
    const [{ version } = { version: 0 }] =
      await sql`select version from invoice where id = ${invoice.id}`
    expect(version).toBe(first.invoice.version)
  })

  test('is accepted alone, not with the others', async () => {
    const { invoice, payment } = await late()
    const other = await storePayment(sql, invoice.id, 1n, { kind: 'late' })
    await accept(invoice, payment.id)
    const [row] = await sql`select kind from payment where id = ${other.id}`
    expect(row?.kind).toBe('late')
  })

  test('can be accepted by no one else, and only on its own invoice', async () => {
    const { invoice, payment } = await late()
    expect(await accept(invoice, payment.id, stranger)).toEqual({
      ...{ ok: false, code: 'invoice_not_found' },
    })
    expect(await accept({ id: NOBODY }, payment.id)).toEqual({
      ...{ ok: false, code: 'invoice_not_found' },
    })
    const { invoice: another } = await late()
    expect(await accept(another, payment.id)).toEqual({
      ...{ ok: false, code: 'transaction_not_found' },
    })
  })

  test('is no foreign one', async () => {
    const { invoice, payment } = await late('foreign')
    expect((await accept(invoice, payment.id)).ok).toBe(false)
    const [row] = await sql`select kind, accepted_at from payment where id = ${payment.id}`
    expect(row).toEqual({ kind: 'foreign', acceptedAt: null })
  })
})

describe('too little', () => {
  async function partial() {
    const invoice = await storeInvoice(sql, merchantId)
    await storePayment(sql, invoice.id, 400_000n)
    await sql`
      update invoice set status = 'partial', received_amount = 400000 where id = ${invoice.id}`
    return invoice
  }
  const accept = ({ id: invoiceId }: Pick<Invoice, 'id'>, who = merchantId) =>
    acceptPartial(sql, { merchantId: who, invoiceId }, NOW)

  test('pays an invoice when its merchant takes it for enough, once', async () => {
    const [invoice, other] = [await partial(), await partial()]
    expect(await accept(invoice)).toMatchObject({ ok: true })
    const first = await derive(invoice)
    expect(first.invoice).toMatchObject({ status: 'paid', acceptedAmount: 400_000n })
    expect(await accept(invoice)).toMatchObject({ ok: true })
    const { payments, settlements } = first
    expect(await derive(invoice)).toMatchObject({ payments, settlements })
    const [{ version } = { version: 0 }] =
      await sql`select version from invoice where id = ${invoice.id}`
    expect(version).toBe(first.invoice.version)
    const [row] = await sql`select accepted_amount from invoice where id = ${other.id}`
    expect(row?.acceptedAmount).toBeNull()
  })

  test('is enough without what the payer has signed and no relayer has sent', async () => {
    const invoice = await partial()
    await derive(invoice)
    const signed = await claimedInvoice(sql, anInvoiceClaim(invoice.id, { value: 600_000n }))
    expect(await accept(invoice)).toMatchObject({ ok: true })
    expect(await authorizationRow(sql, signed)).toMatchObject({ status: 'replaced' })
  })

  test('is taken for enough by no one else', async () => {
    const invoice = await partial()
    const expected = { ok: false, code: 'invoice_not_found' } as const
    expect(await accept(invoice, stranger)).toEqual(expected)
    expect(await accept({ id: NOBODY })).toEqual(expected)
    const [row] = await sql`select accepted_amount from invoice where id = ${invoice.id}`
    expect(row?.acceptedAmount).toBeNull()
  })

  test('is not nothing', async () => {
    const invoice = await storeInvoice(sql, merchantId)
    expect((await accept(invoice)).ok).toBe(false)
  })
})
