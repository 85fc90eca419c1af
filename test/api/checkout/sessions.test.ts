import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import {
  choose,
  dataOf,
  newPrice,
  newSession,
  ORIGIN,
  type SessionJson,
  sessionIn,
  viewOf,
} from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  await rig.database`
    insert into merchant_page (merchant_id, name, allowed_origins, support_email)
    values (${rig.merchant.merchant.id}, 'Tea & Sons', ${[ORIGIN]}, 'help@shop.example')`
}, 120_000)

afterAll(() => rig.close())

function create(body: Readonly<Record<string, unknown>>, headers = {}, key?: string) {
  return rig.call('POST', '/v1/checkout/sessions', {
    key: key ?? rig.merchant.publishableKey,
    body,
    headers,
  })
}

describe('a session of a price', () => {
  test('shows what may be chosen, and makes no invoice before it is', async () => {
    const session = await newSession(rig)
    expect(session.id).toMatch(/^cs_[A-Za-z0-9_-]{22}$/)
    expect(session.url).toBe(`${rig.config.publicUrl}/checkout/${session.id}`)
    expect(session.view).toMatchObject({
      id: session.id,
      state: 'choosing',
      payment: null,
      merchant: { name: 'Tea & Sons', supportEmail: 'help@shop.example' },
      tokens: [
        { tokenSymbol: 'USDC', amount: '10' },
        { tokenSymbol: 'USDT', amount: '10' },
      ],
    })
    expect(session.expiresAt).toBe(session.view.expiresAt)
    const [count] = await rig.database<{ n: number }[]>`
      select count(*)::integer as n from checkout_session_invoice where session_id = ${session.id}`
    expect(count?.n).toBe(0)
  })

  test('makes the invoice of the choice, whose metadata name session and reference', async () => {
    const clientReference = crypto.randomUUID()
    const price = await newPrice(rig, { metadata: { plan: 'tea-3' } })
    const session = await newSession(rig, { price: price.id, clientReference })
    const view = await choose(rig, session.id, 'USDT')
    expect(view).toMatchObject({ state: 'waiting', payment: { tokenSymbol: 'USDT', due: '10' } })
    expect(view.version).toBeGreaterThan(session.view.version)
    const list = await rig.call('GET', `/v1/invoices?reference=${view.payment?.reference}`)
    const [invoice] = list.list.data
    expect(invoice).toMatchObject({
      amountExpected: '10',
      expiresAt: session.expiresAt,
      metadata: {
        plan: 'tea-3',
        checkout: { session: session.id, price: price.id, clientReference },
      },
    })
    expect(view.payment?.addresses.map(({ networkId }) => networkId)).toEqual(
      invoice?.addresses.map(({ networkId }) => networkId) ?? [],
    )
  })

  test('is found again by its reference, and never by the key that did not make it', async () => {
    const price = await newPrice(rig)
    const body = { price: price.id, clientReference: 'a-reference-of-one-order' }
    const first = await create(body)
    const again = await create(body)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(dataOf<SessionJson>(again).id).toBe(dataOf<SessionJson>(first).id)
    const byServer = await create(body, {}, rig.merchant.secretKey)
    expect(byServer.status).toBe(201)
    expect(dataOf<SessionJson>(byServer).id).not.toBe(dataOf<SessionJson>(first).id)
    const other = await create({ ...body, returnUrl: `${ORIGIN}/elsewhere` })
    expectError(other, 409, 'clientReference conflict')
  })

  test('asked for again after it has ended is another one that names the former', async () => {
    const price = await newPrice(rig, { expiresAfter: 600 })
    const body = { price: price.id, clientReference: crypto.randomUUID(), returnUrl: ORIGIN }
    const first = dataOf<SessionJson>(await create(body))
    expect(first.formerSession).toBeNull()
    // Another way to write the same URL is no other request.
    const same = await create({ ...body, returnUrl: `${ORIGIN}/` })
    expect([same.status, dataOf<SessionJson>(same).id]).toEqual([200, first.id])
    const { payment } = await choose(rig, first.id)
    rig.setClock(new Date(Date.now() + 700_000))
    const answers = await Promise.all([create(body), create(body), create(body)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    const sessions = answers.map((answer) => dataOf<SessionJson>(answer))
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
    const [second] = sessions
    expect(second).toMatchObject({ formerSession: first.id, view: { state: 'choosing' } })
    const view = await choose(rig, second?.id ?? '')
    rig.setClock(null)
    const list = await rig.call('GET', `/v1/invoices?reference=${view.payment?.reference}`)
    expect(list.list.data[0]?.metadata).toMatchObject({
      checkout: { clientReference: body.clientReference, formerSession: first.id },
    })
    expect(view.payment?.reference).not.toBe(payment?.reference ?? '')
  })

  test('asked for again after it has ended is the same where money has come late', async () => {
    const price = await newPrice(rig, { expiresAfter: 600 })
    const body = { price: price.id, clientReference: crypto.randomUUID() }
    const { id } = dataOf<SessionJson>(await create(body))
    const { payment } = await choose(rig, id)
    const list = await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)
    const expire = await rig.call('POST', `/v1/invoices/${list.list.data[0]?.id}/expire`)
    expect(expire.status).toBe(200)
    await pay(rig, list.list.data[0] as InvoiceJson, 1n)
    const again = await create(body)
    expect([again.status, dataOf<SessionJson>(again).id]).toEqual([200, id])
  })

  test('takes no reference from a browser that others could guess', async () => {
    const { id: price } = await newPrice(rig)
    const guessable = await create({ price, clientReference: 'order-1042' })
    expectDetail(guessable, 'invalid request body', 'clientReference', 'hard to guess')
    const byServer = await create(
      { price, clientReference: 'order-1042' },
      {},
      rig.merchant.secretKey,
    )
    expect(byServer.status).toBe(201)
  })

  test('that can be paid once is the same for everyone, until it has ended unpaid', async () => {
    const { id: price } = await newPrice(rig, { reusable: false, expiresAfter: 600 })
    const both = await Promise.all([create({ price }), create({ price })])
    const ids = both.map((answer) => dataOf<SessionJson>(answer).id)
    expect(new Set(ids).size).toBe(1)
    rig.setClock(new Date(Date.now() + 700_000))
    const later = await create({ price })
    rig.setClock(null)
    expect(dataOf<SessionJson>(later).id).not.toBe(ids[0] ?? '')
  })
})

describe('choosing', () => {
  test('the same token again changes nothing, another one ends the invoice before', async () => {
    const { id } = await newSession(rig)
    const first = await choose(rig, id, 'USDC')
    expect((await choose(rig, id, 'USDC')).payment?.reference).toBe(first.payment?.reference ?? '')
    await rig.database`update chain_state set head_seen_at = now()`
    const second = await choose(rig, id, 'USDT')
    expect(second.payment?.reference).not.toBe(first.payment?.reference ?? '')
    const list = await rig.call('GET', `/v1/invoices?reference=${first.payment?.reference}`)
    const [ended] = list.list.data
    expect(ended?.closedAt).not.toBeNull()
    await pay(rig, ended as InvoiceJson, 10_000_000n)
    const view = await viewOf(rig, id)
    expect(view.earlier).toMatchObject([{ amount: '10', kind: 'late', status: 'pending' }])
    expect(view).toMatchObject({ state: 'waiting', payment: { transfers: [] } })
  })

  test('is over once a payment was seen, and when the session is', async () => {
    const { id } = await newSession(rig)
    const view = await choose(rig, id, 'USDC')
    const list = await rig.call('GET', `/v1/invoices?reference=${view.payment?.reference}`)
    await pay(rig, list.list.data[0] as InvoiceJson, 1_000_000n)
    const refused = await rig.call('POST', `/v1/checkout/sessions/${id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDT' },
    })
    expectError(refused, 409, 'choice not possible')
    const late = await newSession(rig)
    rig.setClock(new Date(Date.now() + 2 * 86_400_000))
    const over = await rig.call('POST', `/v1/checkout/sessions/${late.id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDC' },
    })
    expect((await viewOf(rig, late.id)).state).toBe('expired')
    rig.setClock(null)
    expectError(over, 409, 'choice not possible')
  })

  test('names a token and a network that are offered', async () => {
    const { id } = await newSession(rig)
    const path = `/v1/checkout/sessions/${id}/choice`
    const token = await rig.call('POST', path, { key: null, body: { tokenSymbol: 'DAI' } })
    expectDetail(token, 'invalid request body', 'tokenSymbol', 'USDC, USDT')
    const body = { tokenSymbol: 'USDC', networkId: 'ethereum' }
    expectDetail(await rig.call('POST', path, { key: null, body }), 'unknown chain', 'networkId')
  })
})

describe('the page of an invoice', () => {
  test('is named in every answer, and shows how far the payment is', async () => {
    const invoice = await rig.create()
    const answer = await rig.call('GET', `/v1/invoices/${invoice.id}`)
    const { checkoutUrl } = dataOf<{ checkoutUrl: string }>(answer)
    const id = sessionIn(checkoutUrl)
    expect(await viewOf(rig, id)).toMatchObject({
      id,
      state: 'waiting',
      tokens: [{ amount: '10' }],
    })
    await pay(rig, invoice, 4_000_000n)
    expect(await viewOf(rig, id)).toMatchObject({
      state: 'seen',
      payment: { pending: '4', due: '6', transfers: [{ confirmationsNeeded: 3, kind: 'counted' }] },
    })
    await confirm(rig, invoice)
    expect(await viewOf(rig, id)).toMatchObject({ state: 'partial', payment: { received: '4' } })
    await pay(rig, invoice, 7_000_000n)
    await confirm(rig, invoice)
    expect(await viewOf(rig, id)).toMatchObject({
      state: 'paid',
      payment: { due: '0', overpaid: '1' },
    })
  })

  test('shows nothing of the merchant but what is public', async () => {
    const invoice = await rig.create({ externalRef: 'secret-ref', metadata: { secret: 'tea' } })
    const body = { invoice: invoice.id }
    const made = await create(body, {}, rig.merchant.secretKey)
    const { id } = dataOf<SessionJson>(made)
    const { text } = await rig.call('GET', `/v1/checkout/sessions/${id}`, { key: null })
    for (const hidden of ['secret-ref', 'tea"', invoice.id, invoice.merchantId, 'platformFee']) {
      expect(text).not.toContain(hidden)
    }
    expect(text).not.toContain(invoice.recipient?.address ?? 'none')
  })

  test('is the page of the session that made the invoice', async () => {
    const { id } = await newSession(rig)
    const { payment } = await choose(rig, id)
    const list = await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)
    const invoice = list.list.data[0] as InvoiceJson & { checkoutUrl: string }
    expect((await viewOf(rig, sessionIn(invoice.checkoutUrl))).id).toBe(id)
  })

  test("is made by the secret key for the merchant's own invoices only", async () => {
    const invoice = await rig.create()
    const browser = await create({ invoice: invoice.id })
    expectDetail(browser, 'invalid request body', 'invoice', 'secret key')
    const other = await rig.newMerchant()
    expectError(
      await create({ invoice: invoice.id }, {}, other.secretKey),
      404,
      'invoice not found',
    )
  })
})

test('an unknown session is not found, regardless of its form', async () => {
  for (const id of ['cs_AAAAAAAAAAAAAAAAAAAAAA', 'cs_short', 'x', '%00']) {
    const answer = await rig.call('GET', `/v1/checkout/sessions/${id}`, { key: null })
    expectError(answer, 404, 'session not found')
  }
})
