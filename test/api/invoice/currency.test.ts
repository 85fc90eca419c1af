import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** Invoices whose amount is in money of a country, without a source of rates. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.close())

const post = (body: Readonly<Record<string, unknown>>) =>
  rig.call('POST', '/v1/invoices', { body: { tokenSymbol: 'USDC', amountExpected: '25', ...body } })

test('an invoice in the currency of its token keeps what was asked for, everywhere', async () => {
  const answer = await post({ currency: 'USD' })
  expect(answer.status).toBe(201)
  const { data } = answer.json
  expect(data.amountExpected).toBe('25')
  const fiat = { currency: 'USD', amount: '25', rate: '1', at: data.createdAt, source: 'fixed' }
  expect(data.fiat).toEqual(fiat)
  expect(Object.keys(data.fiat ?? {})).toEqual(Object.keys(fiat))
  const read = await rig.call('GET', `/v1/invoices/${data.id}`)
  expect(read.text).toBe(answer.text)
  const [event] = await rig.database<{ data: { fiat: unknown } }[]>`
    select data from outbox where object_id = ${data.id} and type = 'invoice.created'`
  expect(event?.data.fiat).toEqual(fiat)
})

test('an invoice without a currency is one of its token', async () => {
  for (const body of [{}, { currency: null }]) {
    const { status, json } = await post(body)
    expect([status, json.data.fiat, json.data.amountExpected]).toEqual([201, null, '25'])
  }
})

test('a currency that no one converts is refused by its name', async () => {
  const { status, json } = await post({ currency: 'EUR' })
  expect([status, json.code]).toEqual([400, 'invalid_request_body'])
  expect(json.details).toEqual([{ path: 'currency', message: 'must be one of USD' }])
})

test('an amount with more decimals than the currency has is refused', async () => {
  const { json } = await post({ currency: 'USD', amountExpected: '0.001' })
  expect(json.details).toEqual([
    { path: 'amountExpected', message: 'must have at most 2 decimals' },
  ])
})

test('a currency with a token that no one knows is refused for the token', async () => {
  const { status, json } = await post({ currency: 'USD', tokenSymbol: 'DAI' })
  expect([status, json.code]).toEqual([400, 'no_supported_chains'])
})

test('a repeated externalRef gets the original, and says when the currency differs', async () => {
  const body = { currency: 'USD', externalRef: crypto.randomUUID() }
  const first = await post(body)
  const again = await post(body)
  expect([again.status, again.json.data.id]).toEqual([200, first.json.data.id])
  expect(again.json.data.fiat).toEqual(first.json.data.fiat)
  const bare = await post({ externalRef: body.externalRef })
  expect([bare.status, bare.json.details?.map(({ path }) => path)]).toEqual([
    409,
    ['amountExpected', 'currency'],
  ])
  const more = await post({ ...body, amountExpected: '26' })
  expect([more.status, more.json.details?.map(({ path }) => path)]).toEqual([
    409,
    ['amountExpected'],
  ])
})
