import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { dataOf, newPrice } from '../../support/api/checkoutCalls.ts'
import { followChains, PAYER, pay, randomHash } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { createEndpoint, events, fanOut } from '../../support/api/webhookCalls.ts'
import { insertPayment, register } from '../../support/api/x402Calls.ts'

/** GET /v1/find: the search of all pages. */

let rig: ApiRig
let merchantId: MerchantId
let member: SignedIn
let stranger: SignedIn
let strangerId: MerchantId

beforeAll(async () => {
  rig = await openDashboardRig()
  merchantId = rig.merchant.merchant.id
  await followChains(rig)
  member = await newMember(rig, 'support')
  strangerId = (await rig.newMerchant()).merchant.id
  stranger = await newMember(rig, 'owner', strangerId)
}, 120_000)
afterAll(() => rig.close())

interface Found {
  readonly invoices: readonly Record<string, unknown>[]
  readonly refunds: readonly Record<string, unknown>[]
  readonly objects: readonly Record<string, unknown>[]
}

/** What the merchant finds; that another one finds nothing is checked on the way. */
async function find(q: string): Promise<Found> {
  const path = `/v1/find?${new URLSearchParams({ q })}`
  const others = await stranger.browser.api('GET', strangerId, path)
  expect(Object(others.json).data).toEqual({ invoices: [], refunds: [], objects: [] })
  return Object((await member.browser.api('GET', merchantId, path)).json).data
}

test('an invoice is found by its names, its payer, and the email of its customer', async () => {
  const metadata = { customerEmail: 'ada@teas.example' }
  const invoice = await rig.create({ externalRef: 'order-find-1', metadata })
  await pay(rig, invoice, 4_000_000n)
  for (const q of [invoice.id, invoice.reference, 'order-find', PAYER]) {
    expect((await find(q)).invoices).toMatchObject([{ invoiceId: invoice.id }])
  }
  expect(await find(' Ada@Teas.example ')).toEqual({
    ...{ invoices: [], refunds: [] },
    objects: [
      {
        kind: 'customer',
        id: 'ada@teas.example',
        title: 'ada@teas.example',
        about: 'customerEmail',
      },
    ],
  })
  expect((await find('eve@teas.example')).objects).toEqual([])
})

test('refunds are found by id and by transaction', async () => {
  const invoice = await rig.create()
  const [id, txHash] = [Bun.randomUUIDv7(), randomHash()]
  await rig.database`insert into external_refund ${rig.database([
    {
      ...{ id, invoice_id: invoice.id, network_id: 'base-sepolia', amount: 5n, status: 'mined' },
      ...{ token: PAYER, sender: PAYER, recipient: PAYER, tx_hash: txHash },
      ...{ block_number: 7n, block_hash: randomHash() },
    },
  ])}`
  for (const q of [id, txHash]) {
    expect((await find(q)).refunds).toMatchObject([{ id, kind: 'wallet', invoiceId: invoice.id }])
  }
})

test('endpoints, links, events and x402 payments are found by id and by their words', async () => {
  const hook = await createEndpoint(rig)
  await rig.create()
  await fanOut(rig)
  const [event] = (await events(rig)).data
  const priced = await register(rig)
  const paymentId = await insertPayment(rig, priced, { status: 'settled' })
  const price = await newPrice(rig, { description: 'Winter tea' })
  const made = await rig.call('POST', '/v1/payment-links', { body: { price: price.id } })
  const link = dataOf<{ id: string }>(made)
  const [payment] = await rig.database<{ payer: string; txHash: string }[]>`
    select payer, tx_hash from x402_payment where id = ${paymentId}`
  const cases = [
    [hook.id, { kind: 'webhook_endpoint', id: hook.id }],
    [event?.id ?? '', { kind: 'event', title: event?.type }],
    [priced.id, { kind: 'x402_endpoint', id: priced.id }],
    [paymentId, { kind: 'x402_payment', id: paymentId, title: payment?.payer }],
    [payment?.txHash ?? '', { kind: 'x402_payment', id: paymentId }],
    [payment?.payer ?? '', { kind: 'x402_payer', title: payment?.payer }],
    [link.id, { kind: 'payment_link', id: link.id }],
    ['winter TEA', { kind: 'payment_link', id: link.id }],
  ] as const
  for (const [q, wanted] of cases) expect((await find(q)).objects).toMatchObject([wanted])
  expect((await find('te')).objects).toEqual([])
})

test('without a text nothing is searched', async () => {
  const answer = await member.browser.api('GET', merchantId, '/v1/find')
  expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_query_parameters' } })
})
