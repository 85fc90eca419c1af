import { afterAll, beforeAll, expect, test } from 'bun:test'
import { choose, dataOf, newPrice, newSession, viewOf } from '../../support/api/checkoutCalls.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { type RateServer, startRateServer } from '../../support/servers/rateServer.ts'

/** Prices in another currency, which the payer's choice converts. */

let rig: ApiRig
let server: RateServer

beforeAll(async () => {
  server = startRateServer()
  rig = await openRig({
    variables: {
      RATE_URL: server.url,
      RATE_CURRENCIES: 'EUR',
      MIN_INVOICE_USDC_SEPOLIA: '30',
    },
  })
})
afterAll(async () => {
  await rig.close()
  server.stop()
})

async function offer(rate: string) {
  server.offer({ 'EUR/USD': rate })
  await rig.deps.rates.refresh()
}

const EURO = { amount: '25', currency: 'EUR', tokens: ['USDC'] }

test('a price in euros is shown in euros, and converted at the rate of the choice', async () => {
  server.answer = () => new Response(null, { status: 500 })
  const price = await newPrice(rig, EURO)
  expect(price).toMatchObject({ amount: '25', currency: 'EUR' })
  const { id, view } = await newSession(rig, { price: price.id })
  const fiat = { currency: 'EUR', amount: '25' }
  expect(view.fiat).toEqual(fiat)
  expect(view.tokens).toMatchObject([{ tokenSymbol: 'USDC', amount: null }])
  const early = await rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
    key: null,
    body: { tokenSymbol: 'USDC' },
  })
  expect([early.status, early.json.code]).toEqual([503, 'rate_unavailable'])
  expect((await viewOf(rig, id)).payment).toBeNull()
  await offer('1.0834')
  const chosen = await choose(rig, id)
  expect([chosen.payment?.expected, chosen.fiat]).toEqual(['27.085', fiat])
  // What was chosen stays, regardless of what becomes of the rate.
  await offer('1.2')
  expect((await choose(rig, id)).payment?.expected).toBe('27.085')
  const invoice = await rig.call('GET', '/v1/invoices?limit=1')
  expect(invoice.list.data[0]?.fiat).toMatchObject({ ...fiat, rate: '1.0834', source: 'operator' })
})

test('a network that the converted amount is too little for is left out, and can not be chosen', async () => {
  await offer('1.0834')
  const price = await newPrice(rig, EURO)
  const { id } = await newSession(rig, { price: price.id })
  const choice = (networkId: string) =>
    rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDC', networkId },
    })
  const refused = await choice('sepolia')
  expect([refused.status, refused.json.code]).toEqual([409, 'choice_not_possible'])
  expect((await viewOf(rig, id)).payment).toBeNull()
  const taken = await choice('base-sepolia')
  const { payment } = dataOf<{ payment: { addresses: { networkId: string }[] } }>(taken)
  expect(payment.addresses.map(({ networkId }) => networkId)).toEqual(['base-sepolia'])
})

test('a price in dollars needs no rate', async () => {
  const price = await newPrice(rig, { ...EURO, currency: 'USD' })
  const { id, view } = await newSession(rig, { price: price.id })
  expect(view).toMatchObject({
    fiat: { currency: 'USD', amount: '25' },
    tokens: [{ amount: '25' }],
  })
  expect((await choose(rig, id)).payment?.expected).toBe('25')
})

test('a price without a currency is one of its tokens', async () => {
  const price = await newPrice(rig, { currency: null })
  expect(price.currency).toBeNull()
  expect((await newSession(rig, { price: price.id })).view.fiat).toBeNull()
})

test.each([
  ['a currency that nobody converts', { currency: 'GBP' }, 'currency'],
  ['more decimals than the currency has', { amount: '1.001' }, 'amount'],
])('a price with %s is refused', async (_name, change, path) => {
  const { status, json } = await rig.call('POST', '/v1/prices', { body: { ...EURO, ...change } })
  expect([status, json.details?.map((detail) => detail.path)]).toEqual([400, [path]])
})

test('a tolerance is of the converted amount, and at most a hundredth of it', async () => {
  await offer('1.0834')
  const toleranceOf = async (underpaymentTolerance: string) => {
    const price = await newPrice(rig, { ...EURO, amount: '100', underpaymentTolerance })
    const { id } = await newSession(rig, { price: price.id })
    expect((await choose(rig, id)).payment?.expected).toBe('108.34')
    const invoices = await rig.call('GET', '/v1/invoices?limit=1')
    return invoices.list.data[0]?.underpaymentTolerance
  }
  expect(await toleranceOf('50bps')).toBe('0.5417')
  expect(await toleranceOf('0.25')).toBe('0.25')
  expect(await toleranceOf('7')).toBe('1.0834')
  const body = { ...EURO, underpaymentTolerance: '200bps' }
  const refused = await rig.call('POST', '/v1/prices', { body })
  expect([refused.status, refused.json.details?.[0]?.path]).toEqual([400, 'underpaymentTolerance'])
})
