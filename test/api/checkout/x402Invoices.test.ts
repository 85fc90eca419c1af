import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parsePaymentRequired } from '@x402/core/schemas'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { choose, newPrice, newSession, viewOf } from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

/** What invoices require of x402 clients, and what is left to require. Payments: test/e2e/x402/invoices. */

type Payable = InvoiceJson & { readonly x402Url: string | null }

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig({ variables: { RATE_LIMIT_PAYER: '100000' } })
  await followChains(rig)
}, 120_000)

afterAll(() => rig.close())

async function create(body: Readonly<Record<string, unknown>> = {}): Promise<Payable> {
  const invoice = await rig.create({ amountExpected: '10', ...body })
  return { x402Url: null, ...invoice }
}

async function visit(url: string | null, headers: Record<string, string> = {}, method = 'GET') {
  if (url === null) throw new Error('there is no x402Url')
  const response = await rig.fetch(new URL(url).pathname, { method, headers })
  const text = response.headers.get('payment-required')
  const required = text === null ? null : JSON.parse(Buffer.from(text, 'base64').toString())
  return { response, body: await response.json(), required }
}

describe('an open invoice', () => {
  test('requires what is due on each of its chains, in the words of both versions', async () => {
    const invoice = await create({ chains: ['base-sepolia', 'sepolia'] })
    const { response, body, required } = await visit(invoice.x402Url)
    expect(response.status).toBe(402)
    const option = {
      scheme: 'exact',
      amount: '10000000',
      payTo: invoice.addresses[0]?.address,
      maxTimeoutSeconds: 300,
      extra: { name: 'USDC', version: '2', reference: invoice.reference },
    }
    const resource = {
      url: invoice.x402Url,
      description: expect.stringContaining(invoice.reference),
      mimeType: 'application/json',
    }
    expect(required).toEqual({
      x402Version: 2,
      error: 'payment_required',
      resource,
      accepts: invoice.addresses.map(({ networkId, tokenAddress: asset }) => ({
        ...option,
        network: networkId === 'sepolia' ? 'eip155:11155111' : 'eip155:84532',
        asset,
      })),
    })
    expect(parsePaymentRequired(required)).toMatchObject({ success: true })
    // Clients of version 1 know no sepolia, and reject all where one is unknown.
    expect(body).toMatchObject({
      x402Version: 1,
      error: 'payment_required',
      accepts: [{ network: 'base-sepolia', maxAmountRequired: '10000000', payTo: option.payTo }],
    })
    expect(body.accepts).toHaveLength(1)
    expect(parsePaymentRequired(body)).toMatchObject({ success: true })
    expect((await visit(invoice.x402Url, {}, 'POST')).response.status).toBe(402)
  })

  test('has a body of version 2 where version 1 has no name for its chains', async () => {
    const { body, required } = await visit((await create({ chains: ['sepolia'] })).x402Url)
    const { errorMessage, ...same } = body
    expect(same).toEqual(required)
    expect(errorMessage).toBeString()
  })

  test('requires the rest of a partial payment, and is valid no longer than the invoice', async () => {
    const invoice = await create({ expiresAt: new Date(Date.now() + 120_000).toISOString() })
    await pay(rig, invoice, 4_000_000n)
    await confirm(rig, invoice)
    const { required } = await visit(invoice.x402Url)
    expect(required.accepts[0]).toMatchObject({ amount: '6000000' })
    expect(required.accepts[0].maxTimeoutSeconds).toBeWithin(95, 111)
  })

  test('may be read by the pages of any origin, with the headers of x402', async () => {
    const { x402Url } = await create()
    const { response } = await visit(x402Url, { origin: 'https://agent.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers') ?? ''
    for (const name of ['payment-required', 'payment-response', 'x-payment-response']) {
      expect(exposed).toContain(name)
    }
    const preflight = await rig.fetch(new URL(x402Url ?? '').pathname, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('payment-signature')
  })

  test('has no x402Url where its token takes no signatures', async () => {
    expect(await create({ tokenSymbol: 'USDT' })).toMatchObject({ x402Url: null })
  })

  test('refuses a malformed payment, and requires a right one again', async () => {
    const { x402Url } = await create({ chains: ['base-sepolia'] })
    for (const name of ['payment-signature', 'x-payment']) {
      const { response, body, required } = await visit(x402Url, { [name]: 'garbage' })
      expect(response.status).toBe(402)
      expect(body.error).toBe('invalid_payload')
      expect(required).toMatchObject({
        error: 'invalid_payload',
        accepts: [{ amount: '10000000' }],
      })
      const settled = Buffer.from(response.headers.get('payment-response') ?? '', 'base64')
      expect(JSON.parse(settled.toString())).toMatchObject({
        success: false,
        errorReason: 'invalid_payload',
        transaction: '',
      })
    }
  })
})

describe('an invoice of which nothing is due', () => {
  test('says that it is paid', async () => {
    const invoice = await create()
    await pay(rig, invoice, 10_000_000n)
    await confirm(rig, invoice)
    const { response, body, required } = await visit(invoice.x402Url)
    expect({ status: response.status, required }).toEqual({ status: 409, required: null })
    expect(body).toMatchObject({
      error: 'invoice_already_paid',
      invoiceId: invoice.id,
      reference: invoice.reference,
      status: 'paid',
    })
  })

  test('says that payments are pending', async () => {
    const invoice = await create()
    await pay(rig, invoice, 10_000_000n)
    const { response, body } = await visit(invoice.x402Url)
    expect(response.status).toBe(409)
    expect(body).toMatchObject({ error: 'payment_pending', status: 'seen' })
  })

  test('says that it has expired, or was voided', async () => {
    const expiring = await create({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    rig.setClock(new Date(Date.now() + 61_000))
    try {
      const { response, body, required } = await visit(expiring.x402Url)
      expect({ status: response.status, required }).toEqual({ status: 410, required: null })
      expect(body).toMatchObject({ error: 'invoice_expired', status: 'expired' })
    } finally {
      rig.setClock(null)
    }
    const { id, x402Url } = await create()
    await rig.call('POST', `/v1/invoices/${id}/expire`)
    const { response, body } = await visit(x402Url)
    expect(response.status).toBe(410)
    expect(body).toMatchObject({ error: 'invoice_expired', invoiceId: id })
  })
})

describe('a checkout session', () => {
  test('has an x402Url once token and chain are chosen', async () => {
    const session = await newSession(rig)
    expect(session.view.x402Url).toBeNull()
    const url = `${rig.config.publicUrl}/x402/invoices/${session.id}`
    const unchosen = await visit(url)
    expect(unchosen.response.status).toBe(409)
    expect(unchosen.body).toMatchObject({ error: 'token_not_chosen', status: 'choosing' })
    expect((await choose(rig, session.id)).x402Url).toBe(url)
    const { required } = await visit(url)
    expect(required.accepts[0]).toMatchObject({ amount: '10000000' })
    expect((await viewOf(rig, session.id)).x402Url).toBe(url)
  })

  test('requires the token that was chosen last, while the own URL of an invoice stays its own', async () => {
    const price = await newPrice(rig, { tokens: ['USDC', 'USDT'], description: 'Tea' })
    const { id } = await newSession(rig, { price: price.id })
    const { payment } = await choose(rig, id)
    const [invoice] = (await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)).list
      .data
    const { x402Url } = { x402Url: null, ...invoice }
    const { required } = await visit(x402Url)
    expect(required.resource.description).toEndWith('Tea')
    expect((await choose(rig, id, 'USDT')).x402Url).toBeNull()
    const left = await visit(`${rig.config.publicUrl}/x402/invoices/${id}`)
    expect(left.body).toMatchObject({ error: 'not_payable_by_x402' })
    expect((await visit(x402Url)).body).toMatchObject({ reference: invoice?.reference })
  })

  test('is as confidential as its page: no other id opens an invoice', async () => {
    const { id } = await create()
    for (const guess of [id, `cs_${'A'.repeat(22)}`, 'x']) {
      const answer = await rig.fetch(`/x402/invoices/${guess}`)
      expect(answer.status).toBe(404)
    }
  })
})
