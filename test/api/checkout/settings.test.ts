import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { presentLink } from '../../../core/checkout/link.ts'
import type { presentSettings } from '../../../core/checkout/settings.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { expectDetail, expectError } from '../../support/api/answers.ts'
import {
  choose,
  dataOf,
  newPrice,
  newSession,
  ORIGIN,
  type PriceJson,
  viewOf,
} from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { JPEG, jpegSegment, jpegWith, png, SVG, webp } from '../../support/logos.ts'

/** What merchants decide: prices, payment links, and the look of their pages. */

type SettingsJson = ReturnType<typeof presentSettings>
type LinkJson = ReturnType<typeof presentLink>

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

const change = (body: Readonly<Record<string, unknown>>) =>
  rig.call('PATCH', '/v1/settings/checkout', { body })

describe('the settings', () => {
  test('are empty at first, and shown to payers once they are made', async () => {
    const before = dataOf<SettingsJson>(await rig.call('GET', '/v1/settings/checkout'))
    expect(before).toMatchObject({ name: null, allowedOrigins: [], updatedAt: null })
    const body = {
      name: 'Tea & Sons',
      accent: '#0B6E4F',
      supportEmail: 'help@shop.example',
      allowedOrigins: [ORIGIN],
      returnUrl: `${ORIGIN}/thanks`,
      languages: ['de', 'en'],
      defaultExpiry: 3_600,
    }
    const after = dataOf<SettingsJson>(await change(body))
    expect(after).toMatchObject({ ...body, accent: '#0b6e4f' })
    const { view, expiresAt } = await newSession(rig)
    expect(view).toMatchObject({
      merchant: { name: 'Tea & Sons', accent: '#0b6e4f', supportEmail: 'help@shop.example' },
      returnUrl: `${ORIGIN}/thanks`,
    })
    expect(Date.parse(expiresAt ?? '') - Date.parse(view.createdAt)).toBe(3_600_000)
    const cleared = dataOf<SettingsJson>(await change({ supportEmail: '' }))
    expect(cleared).toMatchObject({ supportEmail: null, name: 'Tea & Sons' })
  })

  test.each([
    ['name', { name: 'Tea\u202eSons' }],
    ['name', { name: 'x'.repeat(81) }],
    ['accent', { accent: 'red' }],
    ['accent', { accent: '#ffee00' }],
    ['supportEmail', { supportEmail: 'help' }],
    ['supportUrl', { supportUrl: 'javascript:alert(1)' }],
    ['supportUrl', { supportUrl: 'http://shop.example' }],
    ['returnUrl', { returnUrl: 'https://elsewhere.example/' }],
    ['returnUrl', { returnUrl: 'https://shop.example.evil.example/' }],
    ['returnUrl', { returnUrl: 'https://shop.example@evil.example/' }],
    ['returnUrl', { returnUrl: 'https://shop.example\\@evil.example/' }],
    ['supportUrl', { supportUrl: 'https://shop.example\\@evil.example/' }],
    ['allowedOrigins.0', { allowedOrigins: ['https://shop.example/'] }],
    ['allowedOrigins.0', { allowedOrigins: ['https://*.example'] }],
    ['allowedOrigins.0', { allowedOrigins: ['null'] }],
    ['allowedOrigins.0', { allowedOrigins: ['https://shop.example;sandbox'] }],
    ['defaultExpiry', { defaultExpiry: 1 }],
    ['languages.0', { languages: ['tlh'] }],
  ])('refuse a %s that would not do: %j', async (path, body) => {
    expectDetail(await change(body), 'invalid request body', path)
  })

  test('say which colour could be seen', async () => {
    const answer = await change({ accent: '#ffee00' })
    const suggested = /#[0-9a-f]{6}/.exec(answer.json.details?.[0]?.message ?? '')?.[0]
    expect((await change({ accent: suggested })).status).toBe(200)
  })
})

describe('a page of another origin', () => {
  const path = '/v1/checkout/sessions'
  const call = (origin: string, key = rig.merchant.publishableKey, price = '') =>
    rig.call('POST', path, { key, body: { price }, headers: { origin } })

  test('may ask whether it may, whoever it is', async () => {
    for (const [method, route] of [
      ['POST', path],
      ['GET', `${path}/cs_AAAAAAAAAAAAAAAAAAAAAA`],
    ] as const) {
      const answer = await rig.call('OPTIONS', route, {
        key: null,
        headers: { origin: 'https://evil.example' },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toBe(method)
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const other = await rig.call('OPTIONS', '/v1/invoices', { key: null })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('makes and reads sessions only where the merchant has listed it, whole', async () => {
    await change({ allowedOrigins: [ORIGIN] })
    const { id: price } = await newPrice(rig)
    const listed = await call(ORIGIN, undefined, price)
    expect(listed.status).toBe(201)
    expect(listed.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(listed.headers.get('vary')).toContain('origin')
    const { id } = dataOf<{ id: string }>(listed)
    const others = ['https://evil.example', `${ORIGIN}:8443`, 'http://shop.example', 'null']
    for (const origin of others) {
      expectError(await call(origin, undefined, price), 403, 'origin not allowed')
      const view = await rig.call('GET', `${path}/${id}`, { key: null, headers: { origin } })
      expectError(view, 403, 'origin not allowed')
    }
    const view = await rig.call('GET', `${path}/${id}`, { key: null, headers: { origin: ORIGIN } })
    expect(view.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    const wrongKey = await call(ORIGIN, 'pk_test_nothing', price)
    expectError(wrongKey, 401, 'unauthorized')
  })

  test('is sent back only to where the merchant is', async () => {
    const { id: price } = await newPrice(rig)
    const body = { price, returnUrl: 'https://evil.example/' }
    const answer = await rig.call('POST', path, { key: rig.merchant.publishableKey, body })
    expectDetail(answer, 'invalid request body', 'returnUrl')
  })

  test('is no longer sent back to where the merchant has left', async () => {
    const other = 'https://old.example'
    await change({ allowedOrigins: [ORIGIN, other], returnUrl: '' })
    const { id: price } = await newPrice(rig)
    const { id, view } = await newSession(rig, { price, returnUrl: `${other}/thanks` })
    expect(view.returnUrl).toBe(`${other}/thanks`)
    await change({ allowedOrigins: [ORIGIN] })
    expect((await viewOf(rig, id)).returnUrl).toBeNull()
    await change({ returnUrl: `${ORIGIN}/thanks` })
    expect((await viewOf(rig, id)).returnUrl).toBe(`${ORIGIN}/thanks`)
    // From before it was looked at so closely.
    const spelt = `${ORIGIN}\\@evil.example/`
    await rig.database`update checkout_session set return_url = ${spelt} where id = ${id}`
    expect((await viewOf(rig, id)).returnUrl).toBe(`${ORIGIN}/thanks`)
  })
})

describe('a logo', () => {
  const upload = (body: string | Uint8Array, type: string) =>
    rig.call('POST', '/v1/settings/checkout/logo', { body, headers: { 'content-type': type } })

  // What a browser could read as a page, if it were left to guess.
  const page = new TextEncoder().encode('<html><script>alert(1)</script></html>')
  const polyglot = jpegWith(jpegSegment(0xe2, page))

  test.each([
    ['image/png', png()],
    ['image/jpeg', JPEG],
    ['image/jpeg', polyglot],
    ['image/webp', webp()],
  ])('is served as the %s that its bytes are, and nothing in it can run', async (type, bytes) => {
    // What the upload calls itself changes nothing.
    const { logoUrl } = dataOf<SettingsJson>(await upload(bytes, 'text/html'))
    const { headers, status } = await rig.call('GET', logoUrl ?? '', { key: null })
    const [row] = await rig.database<{ logo: Uint8Array }[]>`
      select logo from merchant_page where merchant_id = ${rig.merchant.merchant.id}`
    expect<Uint8Array>(new Uint8Array(row?.logo ?? [])).toEqual(bytes)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('has a name that changes with it', async () => {
    const path = dataOf<SettingsJson>(await upload(png(), 'image/png')).logoUrl ?? ''
    expect((await rig.call('GET', path, { key: null })).status).toBe(200)
    const second = dataOf<SettingsJson>(await upload(webp(), 'image/webp'))
    expect(second.logoUrl).not.toBe(path)
    expect((await rig.call('GET', path, { key: null })).status).toBe(404)
    expect((await viewOf(rig, (await newSession(rig)).id)).merchant.logoUrl).toBe(second.logoUrl)
    await rig.call('DELETE', '/v1/settings/checkout/logo')
    expect((await rig.call('GET', second.logoUrl ?? '', { key: null })).status).toBe(404)
  })

  test('of another kind, or too large, is refused', async () => {
    expectDetail(await upload(JPEG.subarray(0, 4), 'image/png'), 'invalid request body', '')
    const svg = await upload(SVG, 'image/svg+xml')
    expectDetail(svg, 'invalid request body', '', 'not an SVG: export it as a PNG and upload that')
    const tall = await upload(png(1, 30_000), 'image/png')
    expectDetail(tall, 'invalid request body', '', '1 to 2048 pixels')
    const large = await upload('x'.repeat(65_537), 'image/png')
    expectError(large, 413, 'request body too large')
  })
})

describe('a price', () => {
  test('is listed, changed, switched off and deleted; what was made of it stays', async () => {
    const price = await newPrice(rig, { description: 'Three months of tea' })
    const { id } = await newSession(rig, { price: price.id })
    await choose(rig, id)
    const path = `/v1/prices/${price.id}`
    const changed = await rig.call('PATCH', path, { body: { active: false, description: 'Tea' } })
    expect(dataOf<PriceJson>(changed)).toMatchObject({ active: false, description: 'Tea' })
    const create = () =>
      rig.call('POST', '/v1/checkout/sessions', {
        key: rig.merchant.publishableKey,
        body: { price: price.id },
      })
    expectError(await create(), 409, 'price not active')
    expect((await viewOf(rig, id)).state).toBe('waiting')
    const list = await rig.call('GET', '/v1/prices?after=')
    expect(dataOf<PriceJson[]>(list)[0]?.id).toBe(price.id)
    expect((await rig.call('DELETE', path)).status).toBe(200)
    expectError(await rig.call('GET', path), 404, 'price not found')
    expectError(await create(), 404, 'price not found')
    expect((await viewOf(rig, id)).state).toBe('waiting')
  })

  test.each([
    ['amount', { amount: '0' }],
    ['amount', { amount: '1.0000001' }],
    ['tokens.0', { tokens: ['DAI'] }],
    ['tokens', { tokens: [] }],
    ['expiresAfter', { expiresAfter: 1 }],
    ['description', { description: '' }],
    ['metadata.checkout', { metadata: { checkout: 1 } }],
  ])('is refused with a wrong %s', async (path, wrong) => {
    const body = { amount: '10', tokens: ['USDC'], ...wrong }
    expectDetail(await rig.call('POST', '/v1/prices', { body }), 'invalid request body', path)
  })
})

describe('a payment link', () => {
  const newLink = async (body: Readonly<Record<string, unknown>> = {}) => {
    const price = (await newPrice(rig, { amount: '2' })).id
    return dataOf<LinkJson>(
      await rig.call('POST', '/v1/payment-links', { body: { price, ...body } }),
    )
  }
  const pathOf = ({ url }: LinkJson) => new URL(url).pathname
  const open = async (link: LinkJson) => {
    const answer = await rig.call('POST', pathOf(link), { key: null })
    return { status: answer.status, id: answer.headers.get('location')?.split('/').at(-1) ?? '' }
  }

  test('makes a session for everyone who opens it, and no invoice before they go on', async () => {
    const link = await newLink()
    const [first, second] = [await open(link), await open(link)]
    expect([first.status, second.status]).toEqual([303, 303])
    expect(first.id).not.toBe(second.id)
    expect(await viewOf(rig, first.id)).toMatchObject({ state: 'choosing', payment: null })
    const qr = await rig.call('GET', `${pathOf(link)}/qr`, { key: null })
    expect(qr.headers.get('content-type')).toBe('image/svg+xml')
    expect(qr.text).toStartWith('<svg')
  })

  test('begins nothing by being opened, only by the form of its page', async () => {
    const once = (await newPrice(rig, { amount: '2', reusable: false, description: 'Tea <3' })).id
    for (const price of [once, (await newPrice(rig, { amount: '2' })).id]) {
      const path = pathOf(
        dataOf<LinkJson>(await rig.call('POST', '/v1/payment-links', { body: { price } })),
      )
      const sessions = async () => {
        const rows = await rig.database`select from checkout_session where price_id = ${price}`
        return rows.length
      }
      for (const method of ['GET', 'HEAD', 'GET']) {
        expect((await rig.call(method, path, { key: null })).status).toBe(200)
      }
      expect(await sessions()).toBe(0)
      const page = await rig.call('GET', `${path}?a="b`, { key: null })
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
      expect(page.headers.get('location')).toBeNull()
      expect(page.text).toContain(`<form method="post" action="${path}?a=%22b">`)
      expect(page.text).not.toContain('Tea <3')
      // A page elsewhere that sends the form is led to the link's own.
      const headers = { 'sec-fetch-site': 'cross-site' }
      const foreign = await rig.call('POST', path, { key: null, headers })
      expect([foreign.status, foreign.headers.get('location')]).toEqual([303, path])
      expect(await sessions()).toBe(0)
      const begun = await rig.call('POST', path, { key: null })
      expect([begun.status, begun.headers.get('location')?.startsWith('/checkout/cs_')]).toEqual([
        303,
        true,
      ])
      expect(await sessions()).toBe(1)
      const german = await rig.call('POST', `${path}?lang=de`, { key: null })
      expect(german.headers.get('location')).toEndWith('?lang=de')
    }
  })

  test('takes so many payments, also where the payers came before it was used up', async () => {
    const link = await newLink({ usesLimit: 1 })
    const [payer, late] = [await open(link), await open(link)]
    const { payment } = await choose(rig, payer.id)
    const list = await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)
    const invoice = list.list.data[0] as InvoiceJson
    await pay(rig, invoice, 2_000_000n)
    await confirm(rig, invoice)
    const used = dataOf<LinkJson>(await rig.call('GET', `/v1/payment-links/${link.id}`))
    expect(used).toMatchObject({ uses: 1, open: false })
    expect((await open(link)).status).toBe(410)
    const refused = await rig.call('POST', `/v1/checkout/sessions/${late.id}/choice`, {
      key: null,
      body: { tokenSymbol: 'USDC' },
    })
    expectError(refused, 409, 'choice not possible')
  })

  test('ends, is switched off, and gets another price', async () => {
    const link = await newLink({ endsAt: '2030-01-01T00:00:00Z' })
    rig.setClock(new Date('2030-01-01T00:00:01Z'))
    expect((await open(link)).status).toBe(410)
    rig.setClock(null)
    const path = `/v1/payment-links/${link.id}`
    await rig.call('PATCH', path, { body: { active: false } })
    expect((await open(link)).status).toBe(410)
    const price = (await newPrice(rig, { amount: '3' })).id
    await rig.call('PATCH', path, { body: { active: true, price } })
    const { id } = await open(link)
    expect((await viewOf(rig, id)).tokens[0]?.amount).toBe('3')
    expect((await rig.call('GET', '/pay/AAAAAAAAAAAAAAAAAAAAAA', { key: null })).status).toBe(404)
    const links = dataOf<LinkJson[]>(await rig.call('GET', '/v1/payment-links?limit=1'))
    expect(links.map((one) => one.id)).toEqual([link.id])
  })

  test('is made for prices of the merchant only', async () => {
    const other = await rig.newMerchant()
    const price = (await newPrice(rig, {}, other.secretKey)).id
    const answer = await rig.call('POST', '/v1/payment-links', { body: { price } })
    expectError(answer, 404, 'price not found')
  })
})
