import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { createApp } from '../../../api/app.ts'
import { newPrice, newSession, ORIGIN } from '../../support/api/checkoutCalls.ts'
import { followChains } from '../../support/api/ledger.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { SVG } from '../../support/logos.ts'
import { openBrowser } from '../../support/web/browser.ts'
import { hearViolations } from '../../support/web/sound.ts'

/** A merchant who means harm: what it can set, and what of that happens in a payer's browser. */

let rig: ApiRig
let server: Bun.Server<undefined>
let browser: Browser

beforeAll(async () => {
  rig = await openRig()
  await followChains(rig)
  const app = createApp(rig.deps)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.handle(request) })
  browser = await openBrowser()
}, 120_000)

afterAll(async () => {
  await browser.close()
  await server.stop(true)
  await rig.close()
}, 60_000)

const EVIL = 'https://evil.example'
const TEXT = `"><script>top.ran=1</script><img src=${EVIL}/a onerror=top.ran=1>`
const LOGOS = [
  SVG.replace('<path', '<script>window.ran=1</script><path'),
  SVG.replace('viewBox', 'onload="window.ran=1" viewBox'),
  SVG.replace('<path', `<image href="${EVIL}/a.png" width="8" height="8"/><path`),
  `<html><script>window.ran=1</script><img src="${EVIL}/a.png"></html>`,
]

test.each([
  'javascript:top.ran=1',
  'data:text/html,<script>top.ran=1</script>',
  `${EVIL}/`,
  '//evil.example/',
  `${ORIGIN}@evil.example/`,
  `${ORIGIN}.evil.example/`,
  `${ORIGIN}\\@evil.example/`,
  `${ORIGIN}\t@evil.example/`,
  ' javascript:top.ran=1',
])('no payer is sent on to %p', async (returnUrl) => {
  const settings = { name: TEXT.slice(0, 80), allowedOrigins: [ORIGIN] }
  const set = await rig.call('PATCH', '/v1/settings/checkout', { body: settings })
  expect(set.status).toBe(200)
  const changed = await rig.call('PATCH', '/v1/settings/checkout', { body: { returnUrl } })
  expect(changed.status).toBe(400)
  const asked = { price: (await newPrice(rig)).id, returnUrl }
  const made = await rig.call('POST', '/v1/checkout/sessions', { body: asked })
  expect(made.status).toBe(400)
})

test.each(LOGOS)('a logo that would act is refused: %s', async (logo) => {
  const headers = { 'content-type': 'image/svg+xml' }
  const answer = await rig.call('POST', '/v1/settings/checkout/logo', { body: logo, headers })
  expect(answer.status).toBe(400)
})

test.each(LOGOS)(
  'a logo that got past that does nothing on the page, and asks nobody: %s',
  async (logo) => {
    const logoId = crypto.getRandomValues(new Uint8Array(16)).toBase64({
      alphabet: 'base64url',
      omitPadding: true,
    })
    await rig.database`
      insert into merchant_page (merchant_id, name, logo, logo_type, logo_id)
      values (${rig.merchant.merchant.id}, ${TEXT.slice(0, 80)}, ${Buffer.from(logo)},
        'image/png', ${logoId})
      on conflict (merchant_id) do update set
        name = excluded.name, logo = excluded.logo, logo_type = excluded.logo_type,
        logo_id = excluded.logo_id, version = merchant_page.version + 1`
    const price = await newPrice(rig, { description: TEXT, metadata: { note: TEXT } })
    const { id } = await newSession(rig, { price: price.id })
    const context = await browser.newContext()
    const violations = hearViolations(context)
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).host))
    const page = await context.newPage()
    await page.goto(`${server.url}checkout/${id}?lang=en`)
    await page.locator('.merchant img').waitFor()
    await page.waitForFunction(() => document.images[0]?.complete)
    expect(await page.textContent('.merchant bdi')).toBe(TEXT.slice(0, 80))
    expect(await page.textContent('.description')).toBe(TEXT)
    expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
    expect(await page.locator('img').count()).toBe(1)
    expect(new Set(asked)).toEqual(new Set([server.url.host]))
    expect(violations).toEqual([])

    // Opened by itself its own policy holds it.
    await page.goto(`${server.url}checkout/logo/${logoId}`)
    expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
    expect(await page.evaluate(() => origin)).toBe('null')
    await context.close()
  },
  60_000,
)
