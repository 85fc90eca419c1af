import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceId } from '../../../core/base/ids.ts'
import {
  dataOf,
  newPrice,
  newSession,
  ORIGIN,
  sessionIn,
  viewOf,
} from '../../support/api/checkoutCalls.ts'
import { followChains } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { anInvoiceClaim, claimedInvoice } from '../../support/store/invoiceClaims.ts'

/** The pages that the API serves to payers, and their forms as browsers without JavaScript send them. */

let rig: ApiRig
const PAGES_A_MINUTE = 100

beforeAll(async () => {
  rig = await openRig({ variables: { RATE_LIMIT_PAYERS: String(PAGES_A_MINUTE) } })
  await followChains(rig)
  await rig.database`
    insert into merchant_page (merchant_id, name, allowed_origins, languages)
    values (${rig.merchant.merchant.id}, 'Tea & Sons', ${[ORIGIN]}, ${['de', 'en']})`
}, 120_000)

afterAll(() => rig.close())

const get = (path: string, headers = {}) => rig.call('GET', path, { key: null, headers })

async function send(path: string, fields: Readonly<Record<string, string>>) {
  const answer = await rig.call('POST', path, {
    key: null,
    body: String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}

describe('the page of a session', () => {
  test('is there under its url, in the language of the browser, and loads only its own files', async () => {
    const { id, url } = await newSession(rig)
    const path = new URL(url).pathname
    expect(path).toBe(`/checkout/${id}`)
    const page = await get(path, { 'accept-language': 'de' })
    expect(page.status).toBe(200)
    expect(page.text).toContain('<html lang="de" dir="ltr">')
    expect(page.text).toContain('Tea &amp; Sons')
    // Only the languages that the merchant offers are in the menu.
    expect(page.text.match(/<option/g)).toHaveLength(2)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('x-trace-id')).not.toBeNull()
    expect(page.headers.get('set-cookie')).toBeNull()
    const files = page.text.match(/\/checkout\/assets\/[\w.]+/g) ?? []
    expect(files).toHaveLength(2)
    for (const file of files) {
      const { status, headers } = await get(file)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('immutable')
    }
  })

  test('lets only origins that the merchant has listed show it', async () => {
    const { id } = await newSession(rig)
    const policy = async (parent: string) => {
      const { headers } = await get(`/checkout/${id}?parent=${encodeURIComponent(parent)}`)
      return headers.get('content-security-policy')
    }
    expect(await policy(ORIGIN)).toContain(`frame-ancestors ${ORIGIN}`)
    expect(await policy('https://else.example')).toContain("frame-ancestors 'none'")
  })

  test.each(['cs_unknown', 'cs_AAAAAAAAAAAAAAAAAAAAAA', '%00'])(
    'is a page too for %s',
    async (id) => {
      const page = await get(`/checkout/${id}`)
      expect(page.status).toBe(404)
      expect(page.text).toContain('This page doesn’t exist')
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    },
  )

  test('is no part of the document', async () => {
    const document = await get('/openapi.json')
    expect(Object.keys(JSON.parse(document.text).paths).join()).not.toContain('/checkout/assets')
  })
})

describe('a form without JavaScript', () => {
  test('makes the choice, and leads back to the network', async () => {
    const { id, view } = await newSession(rig)
    const network = view.tokens[0]?.networks[0]?.networkId ?? ''
    const back = await send(`/checkout/${id}/choice?lang=de`, { choice: `USDC ${network}` })
    expect(back).toBe(`/checkout/${id}?lang=de&network=${network}`)
    const made = await viewOf(rig, id)
    expect(made).toMatchObject({ state: 'waiting', payment: { tokenSymbol: 'USDC' } })
    expect((await get(back)).text).toContain(made.payment?.addresses[0]?.address.slice(2, 6) ?? '?')
    // Another network of the same token needs no other invoice.
    await send(`/checkout/${id}/choice`, { choice: `USDC ${network}` })
    expect((await viewOf(rig, id)).payment?.reference).toBe(made.payment?.reference ?? '')
  })

  test('is remembered with the language, also for an invoice of the merchant', async () => {
    const { id, view } = await newSession(rig)
    const network = view.tokens[0]?.networks.at(-1)?.networkId ?? ''
    await send(`/checkout/${id}/choice`, { choice: `USDC ${network}` })
    expect((await viewOf(rig, id)).chosenNetwork).toBe(network)
    await get(`/checkout/${id}?lang=en`)
    const tab = await get(`/checkout/${id}`, { 'accept-language': 'de' })
    expect(tab.text).toContain('<html lang="en" dir="ltr">')
    expect(tab.text).toContain(`"network":"${network}"`)

    const { checkoutUrl } = JSON.parse(JSON.stringify(await rig.create()))
    const own = sessionIn(checkoutUrl)
    const { version, payment } = await viewOf(rig, own)
    const chosen = payment?.addresses.at(-1)?.networkId ?? ''
    await send(`/checkout/${own}/choice`, { choice: `USDC ${chosen}` })
    expect(await viewOf(rig, own)).toMatchObject({ chosenNetwork: chosen, version })
    // Another token stays the merchant's choice.
    const other = await send(`/checkout/${own}/choice`, { choice: `USDT ${chosen}` })
    expect(other).toContain('problem=again')
  })

  test('does not start again while a signed payment is on its way', async () => {
    const { id, view } = await newSession(rig)
    const network = view.tokens[0]?.networks[0]?.networkId ?? ''
    await send(`/checkout/${id}/choice`, { choice: `USDC ${network}` })
    const [invoice] = await rig.database<{ id: InvoiceId; value: bigint }[]>`
      select i.id, i.amount_expected as value from invoice i
      join checkout_session s on s.invoice_id = i.id where s.id = ${id}`
    if (invoice === undefined) throw new Error('nothing was chosen')
    const { value } = invoice
    await claimedInvoice(rig.database, anInvoiceClaim(invoice.id, { value, networkId: network }))
    await rig.database`
      update invoice set expires_at = now() - interval '1 minute' where id = ${invoice.id}`
    expect(await viewOf(rig, id)).toMatchObject({ state: 'expired', canStartAgain: false })
    expect(await send(`/checkout/${id}/again`, {})).toBe(`/checkout/${id}?problem=again`)
    await rig.database`
      update invoice_authorization set status = 'failed', reason = 'payment_expired'
      where invoice_id = ${invoice.id}`
    expect((await viewOf(rig, id)).canStartAgain).toBe(true)
  })

  test('starts again once for a reference, however often it is sent, and not while it can be paid', async () => {
    const price = await newPrice(rig, { expiresAfter: 3600 })
    const clientReference = 'cart-0123456789abcdef'
    const { id } = await newSession(rig, { price: price.id, clientReference })
    expect(await send(`/checkout/${id}/again`, {})).toBe(`/checkout/${id}?problem=again`)
    await rig.database`
      update checkout_session set expires_at = now() - interval '1 minute' where id = ${id}`
    expect((await viewOf(rig, id)).canStartAgain).toBe(true)
    const next = await send(`/checkout/${id}/again?lang=de`, {})
    const [, made = ''] = /^\/checkout\/(cs_[\w-]+)\?lang=de$/.exec(next) ?? []
    expect(made).not.toBe(id)
    expect(await viewOf(rig, made)).toMatchObject({ state: 'choosing', canStartAgain: false })
    expect(await send(`/checkout/${id}/again`, {})).toBe(`/checkout/${made}`)
    const asked = await rig.call('POST', '/v1/checkout/sessions', {
      key: rig.merchant.publishableKey,
      body: { price: price.id, clientReference },
    })
    expect(dataOf<{ id: string }>(asked).id).toBe(made)

    await rig.call('PATCH', `/v1/prices/${price.id}`, { body: { active: false } })
    expect((await viewOf(rig, id)).canStartAgain).toBe(false)
    expect(await send(`/checkout/${id}/again`, {})).toBe(`/checkout/${id}?problem=again`)
  })

  test('says what to change', async () => {
    const { id } = await newSession(rig)
    const path = `/checkout/${id}`
    expect(await send(`${path}/choice`, { choice: 'DOGE moon' })).toBe(`${path}?problem=again`)
    expect(await send(`${path}/transactions`, { hash: '0x12' })).toBe(`${path}?problem=hash`)
    expect(await send(`${path}/refund-address`, { address: 'me' })).toBe(`${path}?problem=refund`)
  })

  test('leaves an address for refunds, and stays on this server', async () => {
    const { id } = await newSession(rig)
    const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
    const query = '?parent=https%3A%2F%2Felse.example&lang=%0d%0aset-cookie%3Aa'
    const back = await send(`/checkout/${id}/refund-address${query}`, { address })
    expect(new URL(back, 'https://pay.example').origin).toBe('https://pay.example')
    expect((await viewOf(rig, id)).refundAddress?.toLowerCase()).toBe(address)
  })

  test('of a session that is not there leads nowhere', async () => {
    const { status, text } = await rig.call('POST', '/checkout/cs_unknown/choice', { key: null })
    expect(status).toBe(404)
    expect(text).toContain('This page doesn’t exist')
  })
})

describe('a refusal', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' }

  test('of too many visits is a page for browsers, and an envelope for scripts', async () => {
    const { id } = await newSession(rig)
    const path = `/checkout/${id}?lang=fr`
    rig.setPeer('198.51.100.77')
    for (let i = 0; i < PAGES_A_MINUTE; i += 1) await get('/checkout/assets/none')
    const page = await get(path, BROWSER)
    expect(page.status).toBe(429)
    const wait = Number(page.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(page.text).toContain('<html lang="fr" dir="ltr">')
    expect(page.text).toContain('Trop de requêtes')
    expect(page.text).toContain(`href="${path}"`)
    expect(page.text).not.toContain('Tea')
    for (const [method, form] of [
      ['POST', `/checkout/${id}/choice`],
      ['GET', `/pay/${'a'.repeat(22)}`],
      ['POST', `/pay/${'a'.repeat(22)}`],
    ] as const) {
      const { status, text } = await rig.call(method, form, { key: null, headers: BROWSER })
      expect([status, text.includes('Zu viele Anfragen')]).toEqual([429, true])
      // A form goes back to its page.
      expect(text).not.toContain('/choice')
    }
    const script = await get(path)
    expect([script.status, script.json.code]).toEqual([429, 'too_many_requests'])
    const api = await get(`/v1/checkout/sessions/${id}`, BROWSER)
    expect([api.status, api.json.code]).toEqual([429, 'too_many_requests'])
    rig.setPeer('203.0.113.7')
  })

  test('is shown in a frame of whichever origin it names, and of nothing that only looks like one', async () => {
    const path = '/checkout/cs_1?parent='
    const policy = async (parent: string) => {
      const { headers } = await get(`${path}${encodeURIComponent(parent)}`, BROWSER)
      const asked = headers.get('content-security-policy') ?? ''
      return [asked.split('; ').at(-1), headers.get('x-frame-options')]
    }
    const shop = 'https://any.example:8443'
    expect(await policy(shop)).toEqual([`frame-ancestors ${shop}`, null])
    const others = ['*', 'https:', 'null', `${shop}/`, 'https://a.example;sandbox', "'self'"]
    for (const other of [...others, 'https://*.example', `${shop} *`, `${shop}, *`]) {
      expect(await policy(other)).toEqual(["frame-ancestors 'none'", 'DENY'])
    }
  })

  test('of a mistyped address is a page', async () => {
    for (const path of ['/checkout/cs_1/2', '/pay/1/2/3']) {
      const { status, text } = await get(path, BROWSER)
      expect([status, text.includes('Diese Seite gibt es nicht')]).toEqual([404, true])
    }
  })

  test('of a link that is over says so, and that of an unknown one does not', async () => {
    const { id: price } = await newPrice(rig)
    const body = { price, usesLimit: 1 }
    const made = await rig.call('POST', '/v1/payment-links', { body })
    const { id: link, url } = dataOf<{ id: string; url: string }>(made)
    const path = new URL(url).pathname
    expect((await get(path, BROWSER)).status).toBe(200)
    const begun = await rig.call('POST', path, { key: null, headers: BROWSER })
    const id = sessionIn(begun.headers.get('location') ?? '')
    await rig.database`
      update checkout_session set expires_at = now() - interval '1 minute' where id = ${id}`
    expect((await viewOf(rig, id)).canStartAgain).toBe(true)
    await rig.call('PATCH', `/v1/payment-links/${link}`, { body: { active: false } })
    expect((await rig.call('POST', path, { key: null, headers: BROWSER })).status).toBe(410)
    expect((await viewOf(rig, id)).canStartAgain).toBe(false)
    for (const one of [path, `${path}/qr`]) {
      const { status, text } = await get(one, BROWSER)
      expect([status, text.includes('Dieser Link nimmt keine Zahlungen')]).toEqual([410, true])
    }
    const unknown = await get(`/pay/${'a'.repeat(22)}`, BROWSER)
    expect([unknown.status, unknown.text.includes('gibt es nicht')]).toEqual([404, true])
  })
})
