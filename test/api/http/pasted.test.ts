import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { newPrice, newSession } from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, PAYER, pay } from '../../support/api/ledger.ts'
import { type Answer, type ApiRig, openRig, TREASURY } from '../../support/api/rig.ts'

/** What people paste has blanks, line ends and other cases than ours: it is meant as it is without them. */

let rig: ApiRig
let invoice: InvoiceJson
let txHash: string
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  invoice = await rig.create({ externalRef: 'order-1042' })
  txHash = (await pay(rig, invoice, 6_000_000n)).txHash
  await confirm(rig, invoice)
})
afterAll(() => rig.close())

const EXPIRY = new Date(Date.now() + 86_400_000).toISOString()
const INVISIBLE = '\u200b\ufeff\u200e'
/** As emails and spreadsheets give a word away. */
const around = (text: string) => ` \t${INVISIBLE}${text}\u00a0\r\n`
/** As a terminal breaks it. */
const broken = (text: string) => `${text.slice(0, 7)}\r\n${text.slice(7)}`
const FORMS = [around, broken, (text: string) => around(broken(text))]

const query = (path: string, parameters: Readonly<Record<string, string>>) =>
  rig.call('GET', `${path}?${new URLSearchParams(parameters)}`)
const post = (path: string, body: unknown, key?: string | null) =>
  rig.call('POST', path, { body, ...(key === undefined ? {} : { key }) })
const dataIn = <T>({ text }: Answer): T => JSON.parse(text).data

describe('a query', () => {
  test.each(FORMS)('finds what was pasted: %p', async (form) => {
    const filters = {
      reference: form(invoice.reference.toLowerCase()),
      txHash: form(txHash.toUpperCase()),
      payer: form(PAYER.toUpperCase()),
      createdFrom: form('2020-01-01T00:00:00Z'),
    }
    for (const [name, value] of Object.entries(filters)) {
      const { list } = await query('/v1/invoices', { [name]: value })
      expect({ name, ids: list.data?.map(({ id }) => id) }).toEqual({ name, ids: [invoice.id] })
    }
    const held = await query('/v1/recoveries', { invoiceId: form(invoice.id.toUpperCase()) })
    expect(held.status).toBe(200)
    const payments = { payer: form(PAYER), network: form('base-sepolia') }
    expect((await query('/v1/x402/payments', payments)).status).toBe(200)
    const nonce = form(`0X${'AB'.repeat(32)}`)
    const status = await query('/v1/x402/payments/status', { nonce })
    expect(dataIn<object>(status)).toMatchObject({ nonce: `0x${'ab'.repeat(32)}` })
  })

  test.each(FORMS)('for anything finds it as well: %p', async (form) => {
    const words = [
      invoice.id.toUpperCase(),
      invoice.reference.toLowerCase(),
      txHash.toUpperCase(),
      PAYER.toUpperCase(),
      invoice.addresses[0]?.address.toUpperCase() ?? '',
      'order-1042',
    ]
    for (const word of words) {
      const { text } = await query('/v1/search', { q: form(word) })
      expect({ word, data: JSON.parse(text).data }).toMatchObject({
        word,
        data: [{ reference: invoice.reference }],
      })
    }
  })

  test('keeps a merchant’s own text as it is', async () => {
    const { list } = await query('/v1/invoices', { externalRef: ' order-1042' })
    expect(list.data).toEqual([])
  })
})

test('a path has the id that was pasted', async () => {
  const path = `/v1/invoices/${encodeURIComponent(around(invoice.id.toUpperCase()))}`
  expect((await rig.call('GET', path)).json.data.id).toBe(invoice.id)
})

describe('a body', () => {
  test.each(FORMS)('has addresses, names and times as they were meant: %p', async (form) => {
    const made = await post('/v1/invoices', {
      tokenSymbol: around('USDC'),
      amountExpected: '10.00000000',
      chains: [form('base-sepolia'), 'base-sepolia'],
      recipient: form(TREASURY),
      expiresAt: form(EXPIRY),
      externalRef: ' kept ',
    })
    // The second time it is the first one's repeat.
    expect(made.status).toBeOneOf([200, 201])
    expect(made.json.data).toMatchObject({
      amountExpected: '10',
      recipient: { address: TREASURY },
      expiresAt: EXPIRY,
      externalRef: ' kept ',
    })
    expect(made.json.data.addresses).toHaveLength(1)
  })

  test.each(FORMS)('names payments, hashes and receivers: %p', async (form) => {
    const path = `/v1/invoices/${invoice.id}`
    const idempotencyKey = crypto.randomUUID()
    const refund = { amount: '1.00000000', address: form(PAYER), idempotencyKey }
    const asked = await post(`${path}/refunds`, refund)
    expect(asked.status).toBe(201)
    const again = await post(`${path}/refunds`, { ...refund, amount: 1, address: PAYER })
    expect([again.status, dataIn<RefundJson>(again).id]).toEqual([
      200,
      dataIn<RefundJson>(asked).id,
    ])
    const hash = form(txHash.toUpperCase())
    const submitted = await post(`${path}/transactions`, { networkId: 'nowhere', txHash: hash })
    // The hash is fine; the chain is not.
    expect(submitted.json.error).toBe('unknown chain')
  })

  test.each(FORMS)('begins sessions and takes what payers leave: %p', async (form) => {
    const price = (await newPrice(rig)).id
    const { id } = await newSession(rig, { price: form(price.toUpperCase()) })
    const path = `/v1/checkout/sessions/${id}`
    const left = await post(`${path}/refund-address`, { address: form(PAYER) }, null)
    expect(left.status).toBe(200)
    const linked = await post('/v1/payment-links', { price: form(price) })
    expect(linked.status).toBe(201)
  })

  test('has no amount with a blank, a sign or a zero before it', async () => {
    for (const amountExpected of [' 10', '10\n', '1 0', '+10', '010', `${INVISIBLE}10`]) {
      const refused = await post('/v1/invoices', { tokenSymbol: 'USDC', amountExpected })
      expect([refused.status, refused.json.details?.[0]?.path]).toEqual([400, 'amountExpected'])
    }
  })

  test('still guards an address by its checksum', async () => {
    const wrong = around(TREASURY.replace('0x7', '0x7').replace('C51', 'c51'))
    const refused = await post('/v1/invoices', {
      tokenSymbol: 'USDC',
      amountExpected: 1,
      recipient: wrong,
    })
    expect(refused.json.error).toBe('invalid recipient address')
  })
})

test.each([
  ['1e-6', '0.000001'],
  ['1E1', '10'],
  ['1.25e+1', '12.5'],
  ['1250e-2', '12.5'],
  ['12.50000000000000000000', '12.5'],
])('the JSON number %s is read by its value', async (number, expected) => {
  const made = await post('/v1/invoices', `{"tokenSymbol":"USDC","amountExpected":${number}}`)
  expect([made.status, made.json.data.amountExpected]).toEqual([201, expected])
})

test.each([
  ['1e-7', 'at most 6 decimals'],
  ['1e400', 'too large or too small'],
  ['1e-400', 'too large or too small'],
  ['0.10000000000000000001', 'more digits'],
])('the JSON number %s is refused by what is wrong with it', async (number, message) => {
  const refused = await post('/v1/invoices', `{"tokenSymbol":"USDC","amountExpected":${number}}`)
  expect(refused.status).toBe(400)
  expect(refused.json.details?.[0]?.message).toContain(message)
})

test('a hash is found in what payers paste, with and without its 0x', async () => {
  const { id } = await newSession(rig)
  for (const form of [
    txHash.slice(2),
    txHash.toUpperCase(),
    around(broken(txHash)),
    `tx: ${txHash}.`,
  ]) {
    const answer = await post(`/v1/checkout/sessions/${id}/transactions`, { hash: form }, null)
    expect([answer.status, dataIn<{ hash: string }>(answer).hash]).toEqual([200, txHash])
  }
})
