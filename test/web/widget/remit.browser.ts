import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Frame, Page } from 'playwright-core'
import { createApp } from '../../../api/app.ts'
import { openShop as openExample } from '../../../examples/shop/shop.ts'
import { choose, newSession, sessionIn } from '../../support/api/checkoutCalls.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { openBrowser } from '../../support/web/browser.ts'
import { openShop, type Shop } from '../../support/web/shop.ts'

/** The widget in a shop's page, in Chromium: what it opens, how it goes, and whom it believes. */

let rig: ApiRig
let remit: { readonly origin: string; stop(): void }
let browser: Browser
/** One that the merchant has listed, and one that nobody has. */
let shop: Shop
let stranger: Shop
/** Listed as well, with a policy that lets any server of this machine into its frames. */
let lax: Shop
let session: string

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  const app = createApp(rig.deps)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => app.handle(request),
  })
  remit = { origin: server.url.origin, stop: () => void server.stop(true) }
  shop = openShop(remit.origin)
  stranger = openShop(remit.origin)
  lax = openShop(remit.origin, 'http://127.0.0.1:*')
  await rig.database`
    insert into merchant_page (merchant_id, name, allowed_origins)
    values (${rig.merchant.merchant.id}, 'Tea & Sons', ${[shop.origin, lax.origin]})`
  session = (await newSession(rig)).id
  browser = await openBrowser()
}, 120_000)

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
})

afterAll(async () => {
  await browser.close()
  remit.stop()
  await Promise.all([shop, lax, stranger].map((each) => each.stop()))
  await rig.close()
}, 120_000)

describe('the dialog', () => {
  test('holds the page, closes by Escape and by its button, and gives the focus back', async () => {
    const page = await visit(shop)
    const dialog = page.getByRole('dialog', { name: 'Checkout' })
    for (const close of [() => page.keyboard.press('Escape'), () => clickClose(page)]) {
      await page.getByRole('button', { name: 'Buy' }).click()
      await frameOf(page)
      expect(await dialog.isVisible()).toBe(true)
      expect(await overflow(page)).toBe('hidden')
      await close()
      await dialog.waitFor({ state: 'detached' })
      // Chromium tells of a dialog that Escape has closed a moment after it is gone.
      await page.waitForFunction(() => document.documentElement.style.overflow === '')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Buy')
    }
    expect(await heard(page)).toBe('closed:null closed:null')
    expect(await page.locator('remit-checkout').count()).toBe(0)
  }, 120_000)

  test('closes when Escape is pressed inside the frame', async () => {
    const page = await open(shop)
    const frame = await frameOf(page)
    await frame.locator('button').first().focus()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await heard(page)).toBe('closed:null')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Buy')
  }, 120_000)

  test("lets the frame copy, and not take the shop's page elsewhere", async () => {
    const page = await open(shop)
    const frame = await frameOf(page)
    const escaped = await frame.evaluate(() => {
      try {
        Object(window.top).location.href = 'about:blank'
        return true
      } catch {
        return false
      }
    })
    expect(escaped).toBe(false)
    const element = await frame.frameElement()
    expect(await element.getAttribute('allow')).toBe(`clipboard-write ${remit.origin}`)
    expect(page.url()).toStartWith(shop.origin)
  }, 120_000)
})

describe('what the shop hears', () => {
  test('is how the payment goes, as it goes', async () => {
    const invoice = await rig.create()
    const { checkoutUrl }: Readonly<Record<string, unknown>> = { ...invoice }
    const page = await open(shop, sessionIn(String(checkoutUrl)))
    await frameOf(page)
    const output = page.locator('output')
    await pay(rig, invoice, 10_000_000n)
    await output.filter({ hasText: 'seen' }).waitFor()
    await confirm(rig, invoice)
    await output.filter({ hasText: 'paid' }).waitFor()
    const { reference } = invoice
    expect(await heard(page)).toBe(`seen:${reference} paid:${reference}`)
  }, 120_000)

  test('is what the frame of the checkout says, and nothing that anybody else does', async () => {
    const page = await open(shop)
    const frame = await frameOf(page)
    const lie = { remit: 1, type: 'paid', reference: 'lie' }
    // The shop's own window, another frame of the right origin, and the right frame with other words.
    await page.evaluate((message) => window.postMessage(message, '*'), lie)
    const other = await frameBeside(
      page,
      `${remit.origin}/checkout/${session}?parent=${shop.origin}`,
    )
    await other.evaluate((message) => window.parent.postMessage(message, '*'), lie)
    for (const wrong of [{ ...lie, remit: 2 }, { ...lie, type: 'click' }, 'paid', null]) {
      await frame.evaluate((message) => window.parent.postMessage(message, '*'), wrong)
    }
    const truth = { remit: 1, type: 'paid', reference: 'K7QX2M9PTA' }
    await frame.evaluate((message) => window.parent.postMessage(message, '*'), truth)
    await page.locator('output', { hasText: 'paid' }).waitFor()
    expect(await heard(page)).toBe('paid:K7QX2M9PTA')
  }, 120_000)

  test('is nothing from a page that took the place of the checkout in its frame', async () => {
    const page = await open(lax)
    const frame = await frameOf(page)
    await frame.evaluate((elsewhere) => location.assign(elsewhere), stranger.origin)
    await frame.waitForURL(`${stranger.origin}/`)
    const arrived = page.evaluate(
      () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data))),
    )
    const lie = { remit: 1, type: 'paid', reference: 'lie' }
    await frame.evaluate((message) => window.parent.postMessage(message, '*'), lie)
    expect(await arrived).toEqual(lie)
    expect(await heard(page)).toBe('')
  }, 120_000)

  test('comes to an element in the page as well, which holds nothing and has no button', async () => {
    const page = await visit(shop)
    await page.evaluate((id) => {
      const element = document.createElement('remit-checkout')
      element.setAttribute('session', id)
      document.body.prepend(element)
    }, session)
    const frame = await frameOf(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await overflow(page)).toBe('')
    const said = { remit: 1, type: 'seen', reference: 'K7QX2M9PTA' }
    await frame.evaluate((message) => window.parent.postMessage(message, '*'), said)
    await page.locator('output', { hasText: 'seen' }).waitFor()
    expect(await heard(page)).toBe('seen:K7QX2M9PTA')
    const box = await page.locator('remit-checkout').boundingBox()
    expect(box?.height).toBe(704)
  }, 120_000)
})

test('the example shop has its session made by the page, and asks its server whether it is paid', async () => {
  const { secretKey, publishableKey } = rig.merchant
  const example = await openExample({ apiUrl: remit.origin, secretKey, publishableKey, port: 0 })
  const page = await visit(example)
  await page.getByRole('button', { name: 'Buy' }).click()
  const frame = await frameOf(page)
  const id = sessionIn(new URL(frame.url()).pathname)
  const { payment } = await choose(rig, id)
  const found = await rig.call('GET', `/v1/invoices?reference=${payment?.reference}`)
  const [invoice] = found.list.data
  if (!invoice) throw new Error('the choice made no invoice')
  await pay(rig, invoice, 12_500_000n)
  await page.getByText('Your payment was detected.').waitFor()
  await confirm(rig, invoice)
  await page.getByText('Paid. The tea is on its way.').waitFor()
  await example.stop()
}, 120_000)

describe('a frame that shows no checkout', () => {
  test('of an origin that the merchant has not listed is empty, and has another way beside it', async () => {
    const page = await visit(stranger)
    const answer = page.waitForResponse((response) => response.url().includes('/checkout/'))
    await page.getByRole('button', { name: 'Buy' }).click()
    const policy = (await answer).headers()['content-security-policy'] ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    await page.getByRole('dialog').waitFor()
    const frames = page.frames().filter((frame) => frame.url().startsWith(remit.origin))
    expect(frames).toEqual([])
    const tab = page.waitForEvent('popup')
    await otherWay(page).click()
    await (await tab).getByRole('heading', { name: 'Tea & Sons' }).waitFor()
    const builder = new AxeBuilder({ page }).include('remit-checkout').setLegacyMode(true)
    expect((await builder.analyze()).violations).toEqual([])
  }, 120_000)

  test('shows a refusal in words, and the checkout with no other way once that is over', async () => {
    const page = await open(shop, `cs_${'A'.repeat(22)}`)
    const frame = page.frameLocator('remit-checkout iframe')
    await frame.getByRole('heading', { name: 'This page doesn’t exist' }).waitFor()
    await otherWay(page).waitFor()
    const lang = 'de'
    await page.evaluate(
      (attributes) => {
        addEventListener('message', ({ data }) => {
          if (data.type === 'alive') Object.assign(window, { isHeard: true })
        })
        const element = document.querySelector('remit-checkout')
        for (const [name, value] of Object.entries(attributes)) element?.setAttribute(name, value)
      },
      { lang, session },
    )
    await frameOf(page)
    await page.waitForFunction(() => Reflect.get(window, 'isHeard'))
    await page.clock.runFor(A_WHILE_MS)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.evaluate(() =>
      document.querySelector('remit-checkout')?.setAttribute('session', 'x'),
    )
    await page.clock.runFor(A_WHILE_MS)
    await page.getByRole('link', { name: 'Probleme? In neuem Tab öffnen' }).waitFor()
    // Whoever is in the frame by now is the checkout again.
    await page.evaluate((id) => {
      const inside = document.querySelector('remit-checkout')?.shadowRoot?.querySelector('iframe')
      if (inside) inside.src = inside.src.replace('/x?', `/${id}?`)
    }, session)
    await page.getByRole('link').waitFor({ state: 'detached' })
  }, 120_000)

  const A_WHILE_MS = 60_000
  const otherWay = (page: Page) =>
    page.getByRole('alert').getByRole('link', { name: 'Problems? Open in a new tab' })
})

describe('is loaded', () => {
  test('by import(), as a module has no element of its own', async () => {
    const page = await bare()
    await page.evaluate((url) => import(url), `${remit.origin}/widget.js`)
    await page.evaluate((id) => void window.Remit?.open({ session: id }), session)
    await frameOf(page)
  }, 120_000)

  test.each(['script', 'module'])(
    'by a hash, as a %s',
    async (type) => {
      const bytes = await (await fetch(`${remit.origin}/widget.js`)).bytes()
      const hash = new Bun.CryptoHasher('sha384').update(bytes).digest('base64')
      const page = await bare()
      await page.evaluate(
        ({ src, integrity, kind }) =>
          new Promise<void>((resolve, reject) => {
            const script = document.createElement('script')
            Object.assign(script, { crossOrigin: 'anonymous', integrity, src })
            if (kind === 'module') script.type = kind
            script.onload = () => resolve()
            script.onerror = () => reject(new Error('not loaded'))
            document.head.append(script)
          }),
        { src: `${remit.origin}/widget.js`, integrity: `sha384-${hash}`, kind: type },
      )
      await page.evaluate((id) => void window.Remit?.open({ session: id }), session)
      await frameOf(page)
    },
    120_000,
  )

  test('from a copy too, which opens the server that it was built by', async () => {
    const source = await (await fetch(`${remit.origin}/widget.js`)).text()
    const page = await bare()
    await page.evaluate((text) => new Function(text)(), source)
    const src = await page.evaluate((id) => {
      const element = window.Remit?.open({ session: id })
      return element?.shadowRoot?.querySelector('iframe')?.src ?? ''
    }, session)
    expect(src).toStartWith(`${rig.config.publicUrl}/checkout/${session}?`)
  }, 120_000)

  async function bare(): Promise<Page> {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${shop.origin}/bare`)
    return page
  }
})

test('has at most 2 KB, compressed', async () => {
  const ask = (encoding: string) =>
    fetch(`${remit.origin}/widget.js`, {
      headers: { 'accept-encoding': encoding },
      decompress: false,
    })
  const response = await ask('gzip')
  expect(response.headers.get('content-encoding')).toBe('gzip')
  for (const each of [response, await ask('br')]) {
    expect((await each.bytes()).length).toBeLessThanOrEqual(2_048)
  }
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test('no policy was violated by what a listed shop showed', () => {
  expect(violations).toEqual([])
})

const violations: string[] = []

/** The shop's page, in a context of its own. */
async function visit({ origin }: Pick<Shop, 'origin'>, shown = session): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  // Time goes on as ever, and further where a test has it.
  await page.clock.install()
  page.on('console', (message) => {
    const text = message.text()
    const isFree = origin === stranger.origin || origin === lax.origin
    if (!isFree && /content security policy/i.test(text)) violations.push(text)
  })
  await page.goto(`${origin}/?session=${shown}`)
  return page
}

async function open(where: Shop, shown = session): Promise<Page> {
  const page = await visit(where, shown)
  await page.getByRole('button', { name: 'Buy' }).click()
  return page
}

/** The checkout's frame, once it stands. */
async function frameOf(page: Page): Promise<Frame> {
  const element = await page.locator('remit-checkout iframe').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('there is no frame')
  await frame.locator('h1').waitFor()
  return frame
}

/** Another frame with this page, which is none of the widget's. */
async function frameBeside(page: Page, url: string): Promise<Frame> {
  await page.evaluate((src) => {
    const frame = document.createElement('iframe')
    frame.name = 'beside'
    frame.src = src
    document.body.append(frame)
  }, url)
  await page.frameLocator('iframe[name=beside]').locator('h1').waitFor()
  const frame = page.frame('beside')
  if (frame === null) throw new Error('there is no frame beside')
  return frame
}

function clickClose(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Close', exact: true }).click()
}

async function heard(page: Page): Promise<string> {
  return (await page.locator('output').textContent())?.trim() ?? ''
}

function overflow(page: Page): Promise<string> {
  return page.evaluate(() => document.documentElement.style.overflow)
}
