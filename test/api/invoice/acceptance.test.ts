import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { recordTransfer } from '../../../store/invoice/payments.ts'
import { expectRefusal } from '../../support/api/answers.ts'
import {
  confirm,
  followChains,
  paidInvoice,
  pay,
  randomHash,
  read,
  settle,
} from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

const HOUR_MS = 3_600_000
const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'

/** An invoice of 10 USDC to which a confirmed payment came an hour late. */
async function latePaid(amount = 10_000_000n): Promise<{ invoice: InvoiceJson; late: string }> {
  const expiresAt = new Date(Date.now() + 30_000)
  const created = await rig.create({ expiresAt: expiresAt.toISOString() })
  await pay(rig, created, amount, { blockTime: new Date(expiresAt.getTime() + HOUR_MS) })
  await confirm(rig, created)
  const invoice = await read(rig, created)
  return { invoice, late: invoice.transactions[0]?.id ?? '' }
}

async function partlyPaid(amount: bigint): Promise<InvoiceJson> {
  const invoice = await rig.create()
  await pay(rig, invoice, amount)
  await confirm(rig, invoice)
  return read(rig, invoice)
}

function accept(invoice: string, transactionId: string, key?: string): Promise<Answer> {
  const path = `/v1/invoices/${invoice}/transactions/${transactionId}/accept`
  return rig.call('POST', path, key === undefined ? {} : { key })
}

function acceptPartial(invoice: string, key?: string): Promise<Answer> {
  const path = `/v1/invoices/${invoice}/accept-partial`
  return rig.call('POST', path, key === undefined ? {} : { key })
}

async function events(invoiceId: InvoiceId): Promise<string[]> {
  const rows = await rig.database<{ type: string }[]>`
    select type from outbox where object_id = ${invoiceId} order by version`
  return rows.map(({ type }) => type)
}

describe('accepting a late payment', () => {
  test('pays the invoice, tells of it and settles it', async () => {
    const { invoice, late } = await latePaid()
    expect(invoice).toMatchObject({ status: 'pending', lateAmount: '10', receivedAmount: '0' })
    const { status, json } = await accept(invoice.id, late)
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'paid', lateAmount: '0', receivedAmount: '10' })
    expect(json.data.transactions).toMatchObject([
      { type: 'payment', fee: invoice.platformFee, acceptedAt: expect.any(String) },
    ])
    expect(json.data.settlements).toMatchObject([{ status: 'open', amount: '10' }])
    expect(await events(invoice.id)).toContain('invoice.paid')
    await settle(rig, invoice)
    expect(await read(rig, invoice)).toMatchObject({ status: 'completed', amountRemitted: '9.95' })
  })

  test('again changes nothing', async () => {
    const { invoice, late } = await latePaid()
    const first = await accept(invoice.id, late)
    const told = await events(invoice.id)
    const second = await accept(invoice.id, late)
    expect(second.status).toBe(200)
    expect(second.json.data.transactions).toEqual(first.json.data.transactions)
    expect(await events(invoice.id)).toEqual(told)
  })

  test('by many at once counts it once', async () => {
    const { invoice, late } = await latePaid(4_000_000n)
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(invoice.id, late)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await read(rig, invoice)).toMatchObject({ receivedAmount: '4', status: 'partial' })
  })

  test('holds when a reorganisation moves the payment to another block', async () => {
    const { invoice, late } = await latePaid(4_000_000n)
    await accept(invoice.id, late)
    const [payment] = (await read(rig, invoice)).transactions
    await rig.database.begin(async (sql) => {
      const [row] = await sql`select * from payment where id = ${late}`
      await recordTransfer(
        sql,
        {
          invoiceId: asInvoiceId(invoice.id),
          networkId: 'base-sepolia',
          txHash: row?.txHash,
          logIndex: 9,
          token: row?.token,
          sender: row?.sender,
          amount: row?.amount,
          blockNumber: 101n,
          blockHash: randomHash(),
          blockTime: new Date(Date.now() + 2 * HOUR_MS),
        },
        'late',
      )
    })
    expect(payment?.type).toBe('payment')
    expect((await read(rig, invoice)).transactions).toMatchObject([
      { id: late, type: 'payment', status: 'pending', logIndex: 9 },
    ])
  })

  test('is refused for a payment that came in time', async () => {
    const invoice = await paidInvoice(rig)
    const answer = await accept(invoice.id, invoice.transactions[0]?.id ?? '')
    expectRefusal(answer, 409, 'transaction not late')
  })

  test('is refused for one that left the chain', async () => {
    const { invoice, late } = await latePaid()
    await rig.database`
      update payment set status = 'reverted', confirmed_at = null where id = ${late}`
    const answer = await accept(invoice.id, late)
    expectRefusal(answer, 409, 'transaction reverted')
  })

  test('is refused for one that is on its way back', async () => {
    const { invoice, late } = await latePaid()
    await rig.database`update payment set refunding = 1 where id = ${late}`
    const answer = await accept(invoice.id, late)
    expectRefusal(answer, 409, 'transaction refunded')
  })

  test('finds neither unknown transactions nor those of others', async () => {
    const { invoice, late } = await latePaid()
    const unknown = await accept(invoice.id, UNKNOWN_ID)
    expect([unknown.status, unknown.json.error]).toEqual([404, 'transaction not found'])
    const other = await rig.create()
    expect((await accept(other.id, late)).json.error).toBe('transaction not found')
    const { secretKey } = await rig.newMerchant()
    const foreign = await accept(invoice.id, late, secretKey)
    expect([foreign.status, foreign.json.error]).toEqual([404, 'invoice not found'])
    expect((await read(rig, invoice)).lateAmount).toBe('10')
  })

  test('refuses ids that are none', async () => {
    const wrong = await accept(UNKNOWN_ID, 'seven')
    expect([wrong.status, wrong.json.error]).toEqual([400, 'invalid transaction id'])
    expect((await accept('seven', UNKNOWN_ID)).json.error).toBe('invalid invoice id')
  })
})

describe('accepting what was received as enough', () => {
  test('pays the invoice with a smaller fee, and settles it', async () => {
    const invoice = await partlyPaid(6_000_000n)
    expect(invoice).toMatchObject({ status: 'partial', platformFee: '0.05' })
    const { status, json } = await acceptPartial(invoice.id)
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      status: 'paid',
      amountExpected: '10',
      acceptedAmount: '6',
      platformFee: '0.03',
      overpaidAmount: '0',
    })
    expect(json.data.settlements).toMatchObject([{ amount: '6', fee: '0.03' }])
    expect(await events(invoice.id)).toContain('invoice.paid')
    await settle(rig, invoice)
    expect(await read(rig, invoice)).toMatchObject({ status: 'completed', amountRemitted: '5.97' })
    const [row] = await rig.database`select fee_cap from invoice where id = ${invoice.id}`
    expect(row?.feeCap).toBe(50_000n)
  })

  test('again changes nothing', async () => {
    const invoice = await partlyPaid(6_000_000n)
    await acceptPartial(invoice.id)
    const told = await events(invoice.id)
    const again = await acceptPartial(invoice.id)
    expect([again.status, again.json.data.platformFee]).toEqual([200, '0.03'])
    expect(await events(invoice.id)).toEqual(told)
  })

  test('leaves what comes afterwards to be swept without another fee', async () => {
    const invoice = await partlyPaid(6_000_000n)
    await acceptPartial(invoice.id)
    await settle(rig, invoice)
    await pay(rig, invoice, 1_000_000n, { blockHash: randomHash() })
    await confirm(rig, invoice)
    await settle(rig, invoice)
    expect(await read(rig, invoice)).toMatchObject({
      status: 'completed',
      receivedAmount: '7',
      platformFee: '0.03',
      amountRemitted: '6.97',
      overpaidAmount: '0',
    })
  })

  test('needs something to be received', async () => {
    const { id } = await rig.create()
    const answer = await acceptPartial(id)
    expectRefusal(answer, 409, 'nothing received')
  })

  test('is refused when all was received', async () => {
    const { id } = await paidInvoice(rig)
    const answer = await acceptPartial(id)
    expectRefusal(answer, 409, 'invoice already paid')
  })

  test("is no one's affair but the owner's", async () => {
    const invoice = await partlyPaid(6_000_000n)
    const { secretKey } = await rig.newMerchant()
    const foreign = await acceptPartial(invoice.id, secretKey)
    expect([foreign.status, foreign.json.error]).toEqual([404, 'invoice not found'])
    expect((await acceptPartial('seven')).json.error).toBe('invalid invoice id')
  })

  test('takes no body', async () => {
    const invoice = await partlyPaid(6_000_000n)
    const path = `/v1/invoices/${invoice.id}/accept-partial`
    const answer = await rig.call('POST', path, { body: { amount: '6' } })
    expect([answer.status, answer.json.details?.[0]?.path]).toEqual([400, 'amount'])
  })
})
