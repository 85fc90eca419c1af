import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnsweredInvoice } from '../../../api/invoice/compose.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { expectDetail } from '../../support/api/answers.ts'
import {
  choose,
  dataOf,
  newPrice,
  newSession,
  sessionIn,
  viewOf,
} from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, pay, randomHash, read, settle } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** What an invoice tolerates: exchanges deduct their fees from what a payer sends. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

const TREASURY = '0x000000000000000000000000000000000000bEEF'
const hundred = (change: object = {}) => rig.create({ amountExpected: '100', ...change })

async function receive(invoice: Pick<InvoiceJson, 'id'>, amount: bigint): Promise<void> {
  await pay(rig, invoice, amount, { blockHash: randomHash() })
  await confirm(rig, invoice)
}

async function usually(underpaymentTolerance: number | string): Promise<void> {
  const body = { underpaymentTolerance }
  const answer = await rig.call('PATCH', '/v1/settings/checkout', { body })
  expect(answer.json.data).toMatchObject({ underpaymentTolerance: String(underpaymentTolerance) })
}

/** What the event of this type showed. */
async function told(invoice: Pick<InvoiceJson, 'id'>, type: string): Promise<InvoiceJson[]> {
  const rows = await rig.database<{ data: InvoiceJson }[]>`
    select data from outbox where object_id = ${invoice.id} and type = ${type} order by version`
  return rows.map(({ data }) => data)
}

describe('an invoice', () => {
  test('tolerates nothing, unless someone says so', async () => {
    const invoice = await hundred()
    expect(invoice).toMatchObject({ underpaymentTolerance: '0', toleratedAmount: '0' })
    await receive(invoice, 99_999_999n)
    expect(await read(rig, invoice)).toMatchObject({ status: 'partial', toleratedAmount: '0' })
  })

  test('is paid within its tolerance, says so, and is settled with all that was received', async () => {
    const invoice = await hundred({ underpaymentTolerance: '1' })
    expect(invoice).toMatchObject({ underpaymentTolerance: '1', platformFee: '0.5' })
    await receive(invoice, 50_000_000n)
    expect(await read(rig, invoice)).toMatchObject({ status: 'partial', toleratedAmount: '0' })
    await receive(invoice, 49_500_000n)
    const [paid] = await told(invoice, 'invoice.paid')
    const figures = { receivedAmount: '99.5', toleratedAmount: '0.5', platformFee: '0.4975' }
    expect(paid).toMatchObject({ ...figures, status: 'paid', overpaidAmount: '0' })
    await settle(rig, invoice)
    const done = await read(rig, invoice)
    expect(done).toMatchObject({ ...figures, status: 'completed', amountRemitted: '99.0025' })
    expect(done.transactions.map(({ fee }) => fee)).toEqual(['0.24875', '0.24875'])
    expect(await told(invoice, 'invoice.completed')).toMatchObject([{ toleratedAmount: '0.5' }])
  })

  test('of which the rest arrives afterwards is swept of it without another fee', async () => {
    const invoice = await hundred({ underpaymentTolerance: '100bps' })
    await receive(invoice, 99_500_000n)
    await settle(rig, invoice)
    await receive(invoice, 500_000n)
    await settle(rig, invoice)
    expect(await read(rig, invoice)).toMatchObject({
      status: 'completed',
      receivedAmount: '100',
      toleratedAmount: '0',
      overpaidAmount: '0',
      platformFee: '0.4975',
      amountRemitted: '99.5025',
    })
    expect(await told(invoice, 'invoice.paid')).toHaveLength(1)
  })

  test.each([
    ['1.000001', 'must be at most 1, a hundredth of the amount'],
    ['101bps', 'must be at most 100bps'],
    ['1 %', 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'],
    [true, 'must be an amount, e.g. "0.5", or basis points, e.g. "50bps"'],
  ])('can not tolerate %p', async (underpaymentTolerance, message) => {
    const body = { tokenSymbol: 'USDC', amountExpected: '100', underpaymentTolerance }
    const answer = await rig.call('POST', '/v1/invoices', { body })
    expectDetail(answer, 'invalid request body', 'underpaymentTolerance')
    expect(answer.json.details?.[0]?.message).toBe(message)
  })

  test('that is repeated must name the same tolerance, or none', async () => {
    const body = { tokenSymbol: 'USDC', amountExpected: '100', externalRef: 'tolerant-1' }
    const first = await rig.create({ ...body, underpaymentTolerance: '0.5' })
    const repeat = (change: object) =>
      rig.call('POST', '/v1/invoices', { body: { ...body, ...change } })
    expect((await repeat({ underpaymentTolerance: '50bps' })).json.data.id).toBe(first.id)
    expect((await repeat({})).json.data.id).toBe(first.id)
    const other = await repeat({ underpaymentTolerance: '0.4' })
    expect(other.status).toBe(409)
    expect(other.json.details).toMatchObject([{ path: 'underpaymentTolerance' }])
  })
})

describe("a merchant's usual tolerance", () => {
  test('is that of new invoices which name none, and changes none that are made', async () => {
    await usually('50bps')
    const before = await hundred()
    expect(before.underpaymentTolerance).toBe('0.5')
    expect((await hundred({ underpaymentTolerance: 0 })).underpaymentTolerance).toBe('0')
    expect((await hundred({ recipient: TREASURY })).underpaymentTolerance).toBe('0.5')
    await usually('1')
    expect((await hundred()).underpaymentTolerance).toBe('1')
    expect((await rig.create({ amountExpected: '10' })).underpaymentTolerance).toBe('0.1')
    await usually('0')
    expect((await hundred()).underpaymentTolerance).toBe('0')
    expect((await read(rig, before)).underpaymentTolerance).toBe('0.5')
  })

  test.each(['101bps', '1%', '0.0000001', ''])('can not be %p', async (underpaymentTolerance) => {
    const body = { underpaymentTolerance }
    const answer = await rig.call('PATCH', '/v1/settings/checkout', { body })
    expectDetail(answer, 'invalid request body', 'underpaymentTolerance')
  })
})

describe('a price', () => {
  async function invoiceOf(change: object): Promise<{ tolerance: string; view: unknown }> {
    const { id: price } = await newPrice(rig, { amount: '100', ...change })
    const { id } = await newSession(rig, { price })
    const view = await choose(rig, id)
    const [row] = await rig.database<{ tolerance: bigint }[]>`
      select i.underpayment_tolerance as tolerance from invoice i
      join checkout_session s on s.invoice_id = i.id where s.id = ${id}`
    return { tolerance: String(row?.tolerance), view }
  }

  test('gives its tolerance, or the usual one, to the invoices that are made of it', async () => {
    await usually('20bps')
    expect((await invoiceOf({})).tolerance).toBe('200000')
    expect((await invoiceOf({ underpaymentTolerance: '0.5' })).tolerance).toBe('500000')
    const none = await invoiceOf({ underpaymentTolerance: '0' })
    expect(none.tolerance).toBe('0')
    expect(JSON.stringify(none.view)).not.toContain('olerance')
    await usually('0')
  })

  test('can not tolerate more than a hundredth', async () => {
    const body = { amount: '100', tokens: ['USDC'], underpaymentTolerance: '1.01' }
    const answer = await rig.call('POST', '/v1/prices', { body })
    expectDetail(answer, 'invalid request body', 'underpaymentTolerance')
    expect((await newPrice(rig, { underpaymentTolerance: '0.10' })).underpaymentTolerance).toBe(
      '0.1',
    )
    expect((await newPrice(rig)).underpaymentTolerance).toBeNull()
  })
})

test('a payer is told what is due to the full amount, and of no tolerance', async () => {
  const answer = await rig.call('POST', '/v1/invoices', {
    body: { tokenSymbol: 'USDC', amountExpected: '100', underpaymentTolerance: '1' },
  })
  const { id, checkoutUrl } = dataOf<AnsweredInvoice>(answer)
  await receive({ id }, 60_000_000n)
  const session = sessionIn(checkoutUrl)
  const partial = await viewOf(rig, session)
  expect(partial).toMatchObject({ state: 'partial', payment: { expected: '100', due: '40' } })
  expect(JSON.stringify(partial)).not.toContain('olerat')
  await pay(rig, { id }, 39_500_000n)
  expect(await viewOf(rig, session)).toMatchObject({ state: 'seen', payment: { due: '0' } })
  await confirm(rig, { id })
  expect(await viewOf(rig, session)).toMatchObject({
    state: 'paid',
    payment: { expected: '100', received: '99.5', due: '0' },
  })
})
