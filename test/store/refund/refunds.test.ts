import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId, type MerchantId } from '../../../core/base/ids.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { createRefund } from '../../../store/refund/refunds.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  NETWORK,
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
} from '../../support/store/invoice.ts'

const CONFIG = storeConfig()
const TO = newAddress()

let sql: Database
let merchantId: MerchantId
let stranger: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
  stranger = await storeMerchant(sql)
  await sql`update merchant set refunds_any = true`
  await storeChain(sql, { networkId: NETWORK })
})
afterAll(() => sql.end({ timeout: 1 }))

/** An invoice of 1 USDC that was paid 3. */
async function paidInvoice(): Promise<Invoice> {
  const invoice = await storeInvoice(sql, merchantId)
  await storePayment(sql, invoice.id, 3_000_000n)
  return invoice
}

interface Asked {
  readonly amount?: string
  readonly address?: string
  readonly key?: string
  readonly who?: MerchantId
  readonly payment?: Parameters<typeof createRefund>[3]['paymentId']
}

const ask = ({ id: invoiceId }: Pick<Invoice, 'id'>, asked: Asked = {}) => {
  const { amount = '1', address = TO, who = merchantId, payment = null } = asked
  const idempotencyKey = asked.key ?? crypto.randomUUID()
  const request = { amount, address, paymentId: payment }
  const of = { merchantId: who, invoiceId, idempotencyKey }
  return createRefund(sql, CONFIG, of, request)
}

async function moneyOf({ id }: Invoice) {
  const rows = await sql<{ refunding: bigint }[]>`
    select refunding from payment where invoice_id = ${id}`
  return rows.map(({ refunding }) => refunding)
}

describe('a refund', () => {
  test('is promised with its money, its work and its event in one moment', async () => {
    const [invoice, other] = [await paidInvoice(), await paidInvoice()]
    const result = await ask(invoice)
    if (!result.ok) throw new Error(result.code)
    const { refund } = result
    expect(result).toMatchObject({ isNew: true, refund: { amount: 1_000_000n, status: 'open' } })
    expect(await moneyOf(invoice)).toEqual([1_000_000n])
    expect(await moneyOf(other)).toEqual([0n])
    const [row] = await sql`
      select w.kind, o.type, p.amount from work_item w
      join outbox o on o.object_id = ${refund.id}
      join refund_part p on p.refund_id = ${refund.id}
      where w.payload->>'refundId' = ${refund.id}`
    expect(row).toEqual({ kind: 'refund', type: 'refund.created', amount: 1_000_000n })
  })

  test('is promised once for a key, and the same again is answered with it', async () => {
    const invoice = await paidInvoice()
    const [first, second] = [await ask(invoice, { key: 'a' }), await ask(invoice, { key: 'a' })]
    if (!first.ok || !second.ok) throw new Error('it was refused')
    expect(second).toMatchObject({ isNew: false, refund: { id: first.refund.id } })
    expect(await moneyOf(invoice)).toEqual([1_000_000n])
    expect(await ask(invoice, { key: 'b' })).toMatchObject({ ok: true, isNew: true })
  })

  test('of the same amount in other digits is the same', async () => {
    const invoice = await paidInvoice()
    await ask(invoice, { key: 'a' })
    expect(await ask(invoice, { key: 'a', amount: '1.00' })).toMatchObject({ isNew: false })
  })

  test('with a key that was used for another is refused', async () => {
    const invoice = await paidInvoice()
    await ask(invoice, { key: 'a' })
    const [payment] = await sql`select id from payment where invoice_id = ${invoice.id}`
    const conflict = { ok: false, code: 'idempotency_key_conflict' } as const
    for (const change of [
      ...[{ amount: '1.5' }, { amount: 'much' }, { address: newAddress() }],
      { payment: payment?.id },
    ]) {
      expect(await ask(invoice, { key: 'a', ...change })).toMatchObject(conflict)
    }
    expect(await moneyOf(invoice)).toEqual([1_000_000n])
  })

  test('may have a key that was used for another invoice', async () => {
    const [one, two] = [await paidInvoice(), await paidInvoice()]
    await ask(one, { key: 'a' })
    expect(await ask(two, { key: 'a', amount: '2' })).toMatchObject({ ok: true, isNew: true })
  })

  test('of no one’s or another party’s invoice is refused', async () => {
    const invoice = await paidInvoice()
    const refused = { ok: false, code: 'invoice_not_found' } as const
    expect(await ask(invoice, { who: stranger })).toMatchObject(refused)
    expect(await ask({ id: asInvoiceId(Bun.randomUUIDv7()) })).toMatchObject(refused)
    expect(await moneyOf(invoice)).toEqual([0n])
  })

  test('of more than there is is refused', async () => {
    const invoice = await paidInvoice()
    expect((await ask(invoice, { amount: '3.000001' })).ok).toBe(false)
    expect(await moneyOf(invoice)).toEqual([0n])
  })

  test('to an address that is watched is refused', async () => {
    const invoice = await paidInvoice()
    const { depositAddress: address } = await paidInvoice()
    const refused = { ok: false, code: 'invalid_recipient' } as const
    expect(await ask(invoice, { address })).toMatchObject(refused)
    expect(await moneyOf(invoice)).toEqual([0n])
  })

  test('asked for many times at once takes no more than there is', async () => {
    const invoice = await paidInvoice()
    const results = await Promise.all(Array.from({ length: 5 }, () => ask(invoice)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(3)
    expect(await moneyOf(invoice)).toEqual([3_000_000n])
  })
})
