import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { FrameLocator, Page } from 'playwright-core'
import type { SettingsJson } from '../../../web/dashboard/settings/fields.ts'
import { dataOf, newSession } from '../../support/api/checkoutCalls.ts'
import { png, SVG } from '../../support/logos.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { inspect, openStage, type Stage } from '../../support/web/dashboard/stage.ts'

/** Part of `bun run check:web`: settings of the checkout, and the preview beside them, in a real browser. */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, PATIENCE_MS)
afterAll(() => stage.close())

const frameOf = (page: Page) => page.frameLocator('.preview iframe')
const colourOf = (frame: FrameLocator | Page) =>
  frame.locator('.main').evaluate((button) => getComputedStyle(button).backgroundColor)

async function saved(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes', exact: true }).click()
  await page.getByText('Payers see the changes now').waitFor()
}

test(
  'everything that can be set is set, and seen in the preview before it is saved',
  async () => {
    const { page, complaints, leave } = await stage.enter(await stage.member('owner'))
    await page.goto(stage.at('settings/checkout'))
    const frame = frameOf(page)
    await frame.locator('.choose').waitFor()
    await inspect(page)

    await page.getByLabel('Business name').fill('Tea & Sons')
    await frame.locator('.merchant bdi', { hasText: 'Tea & Sons' }).waitFor()
    await page.getByLabel('Brand color').fill('#ffee00')
    await page.getByText('is too low').waitFor()
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Brand color: ' }).waitFor()
    await page.getByRole('button', { name: /^Use #/ }).click()
    await page.getByText('adjusted to stay readable').waitFor()
    await page.getByLabel('Brand color').fill('#0b6e4f')
    await page.getByLabel('Support email').fill('help@shop.example')
    await frame.getByRole('link', { name: 'Tea & Sons' }).waitFor({ state: 'attached' })
    await page.getByLabel('Allowed domains').fill('https://shop.example')
    await page.getByLabel('Return URL').fill('https://shop.example/thanks')
    await page.getByLabel('Checkout expires after').fill('2')
    await page.getByLabel('Unit').first().selectOption('hours')
    await page.getByLabel('Underpayment tolerance').fill('0.5')
    await page.getByLabel('Deutsch').check()
    await page.getByLabel('العربية').check()
    await page.getByLabel('Preview language').selectOption('ar')
    await frame.locator('html[dir="rtl"]').waitFor()
    await page.getByLabel('Logo').setInputFiles({
      ...{ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png(32, 32)) },
    })
    await frame.locator('img[src^="/checkout/logo/"]').waitFor()
    await saved(page)
    await inspect(page)

    const settings = async () =>
      dataOf<SettingsJson>(await stage.site.rig.call('GET', '/v1/settings/checkout'))
    const before = await settings()
    expect(before).toMatchObject({
      ...{ name: 'Tea & Sons', accent: '#0b6e4f', supportEmail: 'help@shop.example' },
      ...{ returnUrl: 'https://shop.example/thanks', allowedOrigins: ['https://shop.example'] },
      ...{ defaultExpiry: 7_200, languages: ['de', 'ar'], underpaymentTolerance: '50bps' },
    })
    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(SVG),
    })
    await page.getByRole('alert').filter({ hasText: 'export it as a PNG' }).waitFor()
    expect((await settings()).logoUrl).toBe(before.logoUrl)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'the preview looks as the checkout does',
  async () => {
    const { rig, url } = stage.site
    const { page, complaints, leave } = await stage.enter(await stage.member('reader'), 'de-DE')
    await page.goto(stage.at('settings/checkout'))
    const frame = frameOf(page)
    await frame.locator('.choose').waitFor()
    await page.getByLabel('Zustand').selectOption('completed')
    const shown = {
      head: await frame.locator('.merchant').innerHTML(),
      back: await frame.getByRole('link', { name: 'Zurück zu Tea & Sons' }).getAttribute('href'),
      colour: await colourOf(frame),
      languages: await frame.locator('footer option').allInnerTexts(),
    }
    expect(await page.getByLabel('Markenfarbe').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Änderungen speichern' }).count()).toBe(0)

    const { id } = await newSession(rig)
    await page.goto(`${url}/checkout/${id}?lang=de`)
    await page.locator('.merchant').waitFor()
    expect({
      ...{ head: await page.locator('.merchant').innerHTML(), back: shown.back },
      colour: await colourOf(page),
      languages: await page.locator('footer option').allInnerTexts(),
    }).toEqual({ ...shown, back: 'https://shop.example/thanks' })
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'a member switches emails about requests off, and about held funds on',
  async () => {
    const { page, complaints, leave } = await stage.enter(await stage.member('finance'))
    await page.goto(stage.at('settings'))
    await page.getByRole('link', { name: 'Notifications' }).click()
    const [requests, held] = [
      page.getByLabel('Requests waiting for your approval'),
      page.getByLabel('Held funds that need a decision'),
    ]
    await requests.uncheck()
    await held.check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('.toast').getByText('Notification preferences saved.').waitFor()
    await page.reload()
    await requests.waitFor()
    expect([await requests.isChecked(), await held.isChecked()]).toEqual([false, true])
    await page.getByRole('link', { name: 'Scheduled reports' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Held funds' }).last().waitFor()
    await page.goto(stage.at('settings/notifications'))
    await held.uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('.toast').waitFor()
    await page.reload()
    await requests.waitFor()
    expect(await held.isChecked()).toBe(false)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)
