import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { lockInvoiceRow, lockOwnInvoice } from '../../../store/invoice/locking.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  lockInvoice,
  storeInvoice,
  storeMerchant,
  storePayment,
} from '../../support/store/invoice.ts'
import { isLocked } from '../../support/store/relayer.ts'

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

const NOBODY = asInvoiceId(Bun.randomUUIDv7())

describe('an invoice', () => {
  test('is locked alone, until the transaction ends', async () => {
    const merchantId = await storeMerchant(sql)
    const [invoice, other] = [
      await storeInvoice(sql, merchantId),
      await storeInvoice(sql, merchantId),
    ]
    await sql.begin(async (transaction) => {
      expect((await lockInvoiceRow(transaction, invoice.id))?.id).toBe(invoice.id)
      expect(await isLocked(sql, 'invoice', invoice.id)).toBe(true)
      expect(await isLocked(sql, 'invoice', other.id)).toBe(false)
    })
    expect(await isLocked(sql, 'invoice', invoice.id)).toBe(false)
  })

  test('is read with its own merchant’s terms and its own rows', async () => {
    await storeMerchant(sql, { recipient: newAddress() })
    const recipient = newAddress()
    const merchantId = await storeMerchant(sql, { recipient, configVersion: 3 })
    const invoice = await storeInvoice(sql, merchantId)
    const payment = await storePayment(sql, invoice.id, 1n)
    await sql.begin(async (transaction) => {
      const locked = await lockInvoice(transaction, invoice.id)
      expect(locked?.merchant).toMatchObject({ recipient, configVersion: 3, refundsAny: false })
      expect(locked?.payments.map(({ id }) => id)).toEqual([payment.id])
    })
  })

  test('shows what was committed while the lock was waited for', async () => {
    const invoice = await storeInvoice(sql, await storeMerchant(sql))
    let seen = 0
    let waiting: Promise<void> = Promise.resolve()
    await sql.begin(async (transaction) => {
      await lockInvoice(transaction, invoice.id)
      waiting = sql.begin(async (other) => {
        seen = (await lockInvoice(other, invoice.id))?.payments.length ?? 0
      })
      await Bun.sleep(100)
      await storePayment(transaction, invoice.id, 1n)
    })
    await waiting
    expect(seen).toBe(1)
  })

  test('is found by its own merchant only', async () => {
    const merchantId = await storeMerchant(sql)
    const invoice = await storeInvoice(sql, merchantId)
    const stranger = await storeMerchant(sql)
    await sql.begin(async (transaction) => {
      const of = { merchantId, invoiceId: invoice.id }
      expect((await lockOwnInvoice(transaction, of))?.invoice.id).toBe(invoice.id)
      expect(await lockOwnInvoice(transaction, { ...of, merchantId: stranger })).toBeNull()
      expect(await lockOwnInvoice(transaction, { ...of, invoiceId: NOBODY })).toBeNull()
      expect(await lockInvoice(transaction, NOBODY)).toBeNull()
    })
  })
})
