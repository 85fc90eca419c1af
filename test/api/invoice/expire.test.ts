import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId } from '../../../core/base/ids.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { isDerived } from '../../../store/invoice/changes.ts'
import { expectRefusal, ISO_TIME } from '../../support/api/answers.ts'
import { confirm, followChains, paidInvoice, pay, read, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
})
afterAll(() => rig.close())

function expire(invoice: Pick<InvoiceJson, 'id'>, body?: unknown) {
  return rig.call('POST', `/v1/invoices/${invoice.id}/expire`, { body })
}

/** The types of its events, once a worker has derived all that was asked for. */
async function notifiedOf(invoice: Pick<InvoiceJson, 'id'>): Promise<string[]> {
  while (!(await isDerived(rig.database, asInvoiceId(invoice.id)))) await Bun.sleep(5)
  const rows = await rig.database<{ type: string }[]>`
    select type from outbox where object_id = ${invoice.id} order by version`
  return rows.map(({ type }) => type)
}

describe('ending an invoice by hand', () => {
  test('answers 200 with the invoice, whose status stays and whose closedAt is now', async () => {
    const invoice = await rig.create()
    const answer = await expire(invoice)
    expect([answer.status, answer.json.success]).toEqual([200, true])
    expect(answer.json.data).toMatchObject({ id: invoice.id, status: 'pending', expired: true })
    expect(answer.json.data.closedAt).toMatch(ISO_TIME)
    expect(answer.json.data.expiresAt).toBeNull()
  })

  test('makes it expired from the next moment on', async () => {
    const invoice = await rig.create()
    await expire(invoice)
    await Bun.sleep(2)
    expect((await read(rig, invoice)).expired).toBe(true)
  })

  test('again changes nothing, and the first moment stands', async () => {
    const invoice = await rig.create()
    const first = await expire(invoice)
    await Bun.sleep(2)
    const second = await expire(invoice)
    expect(second.status).toBe(200)
    expect(second.json.data).toEqual({ ...first.json.data, expired: true })
  })

  test('many times at once stores one moment', async () => {
    const invoice = await rig.create()
    const answers = await Promise.all(Array.from({ length: 10 }, () => expire(invoice)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ json }) => json.data.closedAt)).size).toBe(1)
    expect(await notifiedOf(invoice)).toEqual(['invoice.created', 'invoice.voided'])
  })

  test('is told by an event with the moment in it', async () => {
    const invoice = await rig.create()
    const { closedAt } = (await expire(invoice)).json.data
    await notifiedOf(invoice)
    const [event] = await rig.database`
      select version, data from outbox
      where object_id = ${invoice.id} and type = 'invoice.voided'`
    expect(event).toMatchObject({
      version: 3,
      data: { id: invoice.id, status: 'pending', expired: true, closedAt, version: 3 },
    })
  })

  test('makes payments in later blocks late, while those of earlier blocks count', async () => {
    const invoice = await rig.create()
    const earlier = new Date(Date.now() - 60_000)
    await expire(invoice)
    await pay(rig, invoice, 1n, { blockTime: new Date(Date.now() + 60_000) })
    await pay(rig, invoice, 2n, { blockTime: earlier })
    await confirm(rig, invoice)
    const now = await read(rig, invoice)
    expect([now.lateAmount, now.receivedAmount]).toEqual(['0.000001', '0.000002'])
    expect(now.transactions.map(({ type }) => type)).toEqual(['late_payment', 'payment'])
  })

  test('takes no payment back that was recorded as in time, whichever clock is behind', async () => {
    const invoice = await rig.create()
    const ahead = (ms: number) => new Date(Date.now() + ms)
    const { blockTime } = await pay(rig, invoice, 1n, { blockTime: ahead(60_000) })
    const { closedAt } = (await expire(invoice)).json.data
    expect(closedAt).toBe(blockTime.toISOString())
    await pay(rig, invoice, 2n, { blockTime: ahead(30_000) })
    await pay(rig, invoice, 4n, { blockTime: ahead(90_000) })
    await confirm(rig, invoice)
    const now = await read(rig, invoice)
    expect([now.receivedAmount, now.lateAmount]).toEqual(['0.000003', '0.000004'])
  })

  test('is possible while it is partly paid', async () => {
    const invoice = await rig.create()
    await pay(rig, invoice, 1n)
    await confirm(rig, invoice)
    const answer = await expire(invoice)
    expect([answer.status, answer.json.data.status]).toEqual([200, 'partial'])
  })

  test('is a 409 "invoice already paid" when it is paid or completed', async () => {
    const invoice = await paidInvoice(rig)
    for (const status of ['paid', 'completed']) {
      expect(await read(rig, invoice)).toMatchObject({ status })
      const answer = await expire(invoice)
      expectRefusal(answer, 409, 'invoice already paid')
      await settle(rig, invoice)
    }
    expect((await read(rig, invoice)).closedAt).toBeNull()
  })

  test('wakes the actors of its chains', async () => {
    const invoice = await rig.create({ chains: ['base-sepolia'] })
    await expire(invoice)
    expect(rig.bells.at(-1)).toEqual({
      networkIds: ['base-sepolia'],
      message: { type: 'advance_invoice', invoiceId: invoice.id },
    })
  })

  test("leaves another merchant's invoice alone", async () => {
    const invoice = await rig.create()
    const { secretKey } = await rig.newMerchant()
    const path = `/v1/invoices/${invoice.id}/expire`
    expect((await rig.call('POST', path, { key: secretKey })).status).toBe(404)
    expect((await read(rig, invoice)).closedAt).toBeNull()
  })

  test('takes an empty object for no body, and refuses a field', async () => {
    const invoice = await rig.create()
    expect((await expire(invoice, {})).status).toBe(200)
    const answer = await expire(invoice, { at: 'now' })
    expect([answer.status, answer.json.details?.[0]?.path]).toEqual([400, 'at'])
  })
})
