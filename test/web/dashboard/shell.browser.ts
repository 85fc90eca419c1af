import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { de } from '../../../web/messages/dashboard/de.ts'
import { openBrowser, PATIENCE_MS } from '../../support/web/browser.ts'
import { answerWith, type Scene } from '../../support/web/dashboard/answers.ts'
import { HELD, INVOICE, MERCHANT } from '../../support/web/dashboard/fixtures.ts'
import { heading, hearFaults, inspect } from '../../support/web/dashboard/page.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'

/** Part of `bun run check:web`: the frame of all pages, what is said after actions, and the parts of lists. */

let site: DashboardSite
let browser: Browser
beforeAll(async () => {
  site = await openDashboardSite()
  browser = await openBrowser()
}, PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const at = (place: string) => `${site.url}/dashboard/merchants/${MERCHANT}/${place}`

/** A page of a place, with the pictures' data. */
async function visit(
  url: string,
  run: (page: Page) => Promise<void>,
  scene: Scene = { hasData: true },
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url })
  const page = await context.newPage()
  const faults = hearFaults(page)
  await answerWith(page, scene)
  await page.goto(url)
  await page.locator('main h1').waitFor()
  await run(page)
  await context.close()
  expect(faults).toEqual([])
}

test(
  'the navigation counts held funds, marks where one is, and says that the money is a test’s',
  () =>
    visit(at('invoices'), async (page) => {
      const navigation = page.getByRole('navigation', { name: 'Main navigation' })
      await navigation.getByRole('link', { name: `Held funds ${HELD.length}` }).waitFor()
      await navigation.getByRole('link', { name: 'Invoices', exact: true }).waitFor()
      expect(await navigation.locator('[aria-current]').allInnerTexts()).toEqual(['Invoices'])
      await page.getByText('Test mode').waitFor()
    }),
  PATIENCE_MS,
)

test(
  'the search of all pages is opened by keyboard, and goes to what it finds, to a page, or to the list',
  () =>
    visit(at('overview'), async (page) => {
      const field = page.getByRole('searchbox', { name: 'Search' })
      await page.keyboard.press('Control+k')
      await field.fill('web')
      const dialog = page.getByRole('dialog', { name: 'Search' })
      await dialog.getByRole('link', { name: 'Webhooks Page' }).waitFor()
      await dialog.getByText('4 results').waitFor()
      await inspect(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      const focused = () => page.evaluate(() => document.activeElement?.textContent)
      expect(await focused()).toContain('https://shop.example/hooks')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL(/developers\/webhooks$/)
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Search' }).click()
      await field.fill('order-1042')
      await dialog.getByRole('link', { name: /^K7QX2M9PTA · 1,250.00 USDC/ }).click()
      await page.waitForURL(new RegExp(`invoices/${INVOICE}$`))
      await page.keyboard.press('Control+k')
      await field.fill('cart=7')
      await dialog.getByRole('link', { name: 'Search invoices for “cart=7”' }).press('Enter')
      await page.waitForURL(/invoices\?q=cart%3D7/)
    }),
  PATIENCE_MS,
)

test(
  'the account menu closes with Escape, and its language stays',
  () =>
    visit(at('overview'), async (page) => {
      const account = page.getByRole('button', { name: 'Account' })
      await account.press('Enter')
      await page.getByRole('link', { name: 'Documentation' }).waitFor()
      await inspect(page)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Documentation' }).waitFor({ state: 'hidden' })
      await account.click()
      await page.getByLabel('Language').selectOption('de')
      await heading(page, de.overview)
      await page.goto(at('invoices'))
      await heading(page, de.invoices)
      await page.getByRole('button', { name: de.account }).click()
      await page.getByRole('link', { name: de.security }).click()
      await heading(page, de.sessionsTitle)
      await page.getByText('Chrome · Linux').first().waitFor()
      expect(await page.getByText(de.thisDevice).count()).toBe(1)
    }),
  PATIENCE_MS,
)

test(
  'operators have a navigation of their own, and a way back',
  () =>
    visit(
      `${site.url}/dashboard/operator/relayers`,
      async (page) => {
        const navigation = page.getByRole('navigation', { name: 'Main navigation' })
        expect(await navigation.locator('[aria-current]').allInnerTexts()).toEqual(['Relayers'])
        expect(await navigation.getByRole('link', { name: 'Invoices' }).count()).toBe(0)
        await page.getByRole('link', { name: 'Back to the dashboard' }).click()
        await heading(page, 'Overview')
        await navigation.getByRole('link', { name: 'Invoices', exact: true }).waitFor()
      },
      { hasData: true, visitor: 'operator' },
    ),
  PATIENCE_MS,
)

test(
  'a refund is confirmed by a toast that leads to its invoice, and stays while it has the focus',
  () =>
    visit(at('recoveries'), async (page) => {
      await page.route('**/refunds', (route) => route.fulfill({ status: 201, json: { data: {} } }))
      await page.getByRole('button', { name: 'Refund 75.50 USDC' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Refund 75.50/ })
        .click()
      const toast = page.locator('.toast')
      await toast.getByText('Refund of 75.50 USDC requested.').waitFor()
      await inspect(page)
      await toast.getByRole('link', { name: 'View invoice' }).press('Enter')
      await page.waitForURL(new RegExp(`invoices/${INVOICE}$`))
      await toast.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Copy 0x5A0b/ }).click()
      await toast.getByText('Copied').waitFor()
      await toast.getByRole('button', { name: 'Dismiss' }).click()
      await toast.waitFor({ state: 'detached' })
    }),
  PATIENCE_MS,
)

test(
  'held funds are narrowed down by reason, and several are refunded at once, those that fail with the reason',
  () =>
    visit(at('recoveries'), async (page) => {
      const sent: unknown[] = []
      await page.route(/\/v1\/invoices\/[^/]+\/refunds$/, (route) => {
        sent.push(route.request().postDataJSON())
        const isFirst = sent.length === 1
        const refused = { code: 'refund_not_possible', message: 'Already refunded.' }
        return route.fulfill({
          status: isFirst ? 201 : 409,
          json: isFirst ? { data: {} } : refused,
        })
      })
      await page.getByText(`${HELD.length} payments shown`).waitFor()
      await page.getByLabel('Reason').selectOption('Late')
      await page.waitForURL(/reason=late/)
      await page.getByText('2 payments shown').waitFor()
      await page.getByLabel('Reason').selectOption('Screening')
      await heading(page, 'No held funds match this reason')
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByLabel('Select 75.50 USDC').check()
      await page.getByLabel('Select 4.00 USDC').check()
      await page.getByRole('button', { name: 'Refund 2 payments' }).click()
      const dialog = page.getByRole('dialog', { name: 'Refund 2 payments' })
      await inspect(page)
      await dialog.getByRole('button', { name: 'Refund 2 payments' }).click()
      await page.locator('.toast').getByText('1 refund requested').waitFor()
      await dialog.getByRole('alert').filter({ hasText: 'Already refunded.' }).waitFor()
      expect(sent).toMatchObject([{ amount: '75.5' }, { amount: '4' }])
    }),
  PATIENCE_MS,
)

test(
  'the overview shows three held payments and a way to all, and what a new merchant has to do',
  async () => {
    await visit(at('overview'), async (page) => {
      const attention = page.getByRole('region', { name: 'Needs attention' })
      await attention.getByRole('link', { name: 'View all held funds' }).waitFor()
      expect(await attention.locator('tbody tr').count()).toBe(3)
      await page.getByRole('link', { name: /^In transit/ }).click()
      await heading(page, 'Payouts')
    })
    await visit(
      at('overview'),
      async (page) => {
        const steps = page.getByRole('region', { name: 'Set up your account' })
        await steps.getByText('2 of 5 done').waitFor()
        await steps.getByRole('link', { name: 'Add a webhook endpoint' }).click()
        await heading(page, 'No webhook endpoints yet')
      },
      { hasData: false },
    )
  },
  PATIENCE_MS,
)

test(
  'on a phone filters are behind a button, and an invoice is two lines that lead to it',
  () =>
    visit(at('invoices'), async (page) => {
      await page.setViewportSize({ width: 390, height: 760 })
      const token = page.getByLabel('Token')
      expect(await token.isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Filters' }).click()
      await token.waitFor()
      const row = page.locator('tbody tr').nth(1)
      const { height = 0 } = (await row.boundingBox()) ?? {}
      expect(height).toBeLessThan(88)
      await row.click()
      await page.waitForURL(/invoices\/[0-9a-f-]{36}$/)
    }),
  PATIENCE_MS,
)

test(
  'an event is opened beside the list of them, and the address names it',
  () =>
    visit(at('developers/events'), async (page) => {
      const list = page.getByRole('navigation', { name: 'Events' })
      const second = list.getByRole('link').nth(1)
      const type = (await second.locator('code').textContent()) ?? ''
      await second.click()
      await page.waitForURL(/event=/)
      await page.getByRole('heading', { name: type }).waitFor()
      expect(await list.locator('[aria-current]').count()).toBe(1)
      await inspect(page)
    }),
  PATIENCE_MS,
)
