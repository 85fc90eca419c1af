import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { newMember, type SignedIn } from '../../support/api/people.ts'
import { openBrowser } from '../../support/web/browser.ts'
import { enterAs, heading, hearFaults, inspect } from '../../support/web/dashboard/page.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'

/** Amounts as people of other regions enter them, on pages in their language. */

let site: DashboardSite
let browser: Browser
let owner: SignedIn

beforeAll(async () => {
  site = await openDashboardSite()
  browser = await openBrowser()
  await followChains(site.rig)
  owner = await newMember(site.rig, 'owner', site.rig.merchant.merchant.id, { origin: site.url })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function withPage(locale: string, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale })
  const page = await context.newPage()
  const faults = hearFaults(page)
  await enterAs(context, site.url, owner)
  await work(page)
  await context.close()
  expect(faults).toEqual([])
}

const at = (place: string) =>
  `${site.url}/dashboard/merchants/${site.rig.merchant.merchant.id}/${place}`

test.each([
  ['de-DE', 'Betrag', /^Rechnung erstellen$/, '12,50'],
  ['de-DE', 'Betrag', /^Rechnung erstellen$/, '12.50'],
  ['en-GB', 'Amount', /^Create invoice$/, '12,50'],
])(
  'an invoice is created in %s',
  async (locale, label, button, amount) => {
    await withPage(locale, async (page) => {
      await page.goto(at('invoices/new'))
      await page.getByLabel(label).fill(amount)
      await page.getByText(locale === 'en-GB' ? 'Read as 12.50' : 'Verstanden als 12,50').waitFor()
      await page.getByRole('button', { name: button }).click()
      await heading(page, locale === 'en-GB' ? '12.50' : '12,50')
    })
  },
  60_000,
)

test('a refund is entered with a comma, and nothing is sent of an amount with two meanings', async () => {
  const { rig } = site
  const invoice = await rig.create()
  await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
  await pay(rig, invoice, 5_000_000n, { blockTime: new Date(Date.now() + 60_000) })
  await confirm(rig, invoice)
  await withPage('de-DE', async (page) => {
    await page.goto(at('recoveries'))
    await page.getByRole('button', { name: 'Erstatten' }).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel(/Betrag/)
    expect(await amount.inputValue()).toBe('5')
    await amount.fill('1.234')
    await dialog.getByText('Das kann 1234 oder 1,234 heißen.').waitFor()
    await inspect(page)
    const send = dialog.locator('button[type=submit]')
    await send.click()
    // The browser says why, at the field.
    expect(await amount.evaluate((one: HTMLInputElement) => one.validationMessage)).toContain(
      '1234',
    )
    expect(await amount.evaluate((one) => one === document.activeElement)).toBe(true)
    await amount.fill('2,5')
    await dialog.getByText('Verstanden als 2,50\u00a0USDC').waitFor()
    const address = dialog.getByLabel('Rückerstatten an')
    const payer = await address.inputValue()
    await address.fill('0x12')
    await send.click()
    expect(await address.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await rig.database`select from refund where invoice_id = ${invoice.id}`).toHaveLength(0)
    await address.fill(payer)
    await send.click()
    await dialog.waitFor({ state: 'detached' })
  })
  const refunds = await rig.database<{ amount: bigint }[]>`
    select amount from refund where invoice_id = ${invoice.id}`
  expect(refunds.map(({ amount }) => amount)).toEqual([2_500_000n])
}, 60_000)
