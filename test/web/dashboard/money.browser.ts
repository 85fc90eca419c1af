import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { asInvoiceId } from '../../../core/base/ids.ts'
import { ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { fanOutEvents } from '../../../store/webhook/fanOut.ts'
import { confirm, followChains, PAYER, paidInvoice, pay, settle } from '../../support/api/ledger.ts'
import { newMember, PASSWORD, type SignedIn, totp } from '../../support/api/people.ts'
import { openBrowser } from '../../support/web/browser.ts'
import { enterAs, heading, hearFaults, inspect } from '../../support/web/dashboard/page.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'

/** The dashboard's pages about money, in a real browser, on real rows. */

let site: DashboardSite
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]
let owner: SignedIn

beforeAll(async () => {
  site = await openDashboardSite()
  browser = await openBrowser()
  await followChains(site.rig)
  owner = await newMember(site.rig, 'owner', merchantId(), { origin: site.url })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})
beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true })
  page = await context.newPage()
  faults = hearFaults(page)
  await enterAs(context, site.url, owner)
})
afterEach(async () => {
  await context.close()
  expect(faults).toEqual([])
})

function merchantId() {
  return site.rig.merchant.merchant.id
}

const at = (place: string) => `${site.url}/dashboard/merchants/${merchantId()}/${place}`

/** What happened in the ledger is told to pages, as the notifier does it. */
async function tell(): Promise<void> {
  while ((await fanOutEvents(site.rig.database)) > 0);
}

/** An invoice whose time is over, with money that came too late. */
async function lateInvoice(
  amount: bigint,
  change: Parameters<typeof pay>[3] = {},
): Promise<InvoiceJson> {
  const { rig } = site
  const invoice = await rig.create()
  await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
  await pay(rig, invoice, amount, { blockTime: new Date(Date.now() + 60_000), ...change })
  await confirm(rig, invoice)
  return invoice
}

test('an invoice is created by keyboard alone, and seen to be paid and settled live', async () => {
  const { rig } = site
  const followed = page.waitForResponse(/\/v1\/live$/)
  await page.goto(at('invoices/new'))
  await heading(page, 'New invoice')
  await followed
  await inspect(page)
  await page.getByLabel('Amount').focus()
  await page.keyboard.type('12.5')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Two tins of tea')
  await page.keyboard.press('Tab')
  await page.keyboard.type('order-live')
  const preview = page.frameLocator('iframe')
  await preview.getByText('Two tins of tea').waitFor()
  await preview.getByText('12.50').first().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ada@teas.example')
  await page.keyboard.press('Enter')
  await page
    .locator('.toast')
    .getByText(/^Invoice \w+ created$/)
    .waitFor()
  await heading(page, '12.50')
  await page.getByText('Payment link').waitFor()
  await page.getByText('ada@teas.example').waitFor()
  const id = asInvoiceId(page.url().split('/').at(-1) ?? '')

  await pay(rig, { id }, 12_500_000n)
  await tell()
  await page.getByText('Payment of 12.50 USDC detected').waitFor()
  await confirm(rig, { id })
  await tell()
  await page.getByText('Paid in full').waitFor()
  await settle(rig, { id })
  await tell()
  await page.locator('.pill', { hasText: 'Completed' }).waitFor()
  await page.getByText(/^Payout of .* confirmed$/).waitFor()
  await inspect(page)
}, 120_000)

describe('money that is held', () => {
  test('is refunded to whoever sent it, by a button that says how much and to whom', async () => {
    const { rig } = site
    const invoice = await lateInvoice(5_000_000n)
    await page.goto(at('recoveries'))
    const card = page.getByRole('row').filter({ hasText: invoice.reference })
    await card.getByText('after the invoice expired').waitFor()
    await inspect(page)
    await card.getByRole('button', { name: 'Refund 5.00 USDC' }).click()
    await heading(page, `Refund for invoice ${invoice.reference}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/Amount/).fill('3')
    await inspect(page)
    await dialog.getByRole('button', { name: /^Refund 3.00 USDC to 0x15d3…6a65$/i }).click()
    await dialog.waitFor({ state: 'detached' })
    const [refund] = await rig.database<{ recipient: string; amount: bigint; status: string }[]>`
      select recipient, amount, status from refund where invoice_id = ${invoice.id}`
    expect(refund).toEqual({ recipient: PAYER, amount: 3_000_000n, status: 'open' })
    await card.getByRole('button', { name: 'Refund 2.00 USDC' }).waitFor()
  }, 60_000)

  test('says why nothing can go back to a sender that is not known, beside its other way out', async () => {
    const invoice = await lateInvoice(5_000_000n, { sender: ZERO_ADDRESS })
    await page.goto(at('recoveries'))
    const card = page.getByRole('row').filter({ hasText: invoice.reference })
    const why = card.getByText('The sender is unknown.')
    const accept = card.getByRole('button', { name: 'Accept 5.00 USDC' })
    await why.waitFor()
    expect(await card.getByRole('button', { name: /Refund/ }).count()).toBe(0)
    expect(await card.getByText('No action needed').count()).toBe(0)
    const [text, button] = [await why.boundingBox(), await accept.boundingBox()]
    if (!text || !button) throw new Error('one of them is not to be seen')
    expect(text.x + text.width).toBeLessThanOrEqual(button.x)
    await inspect(page)
  }, 60_000)

  test('is accepted although it came late, and the invoice is paid by it', async () => {
    const invoice = await lateInvoice(10_000_000n)
    await page.goto(at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Accept 10.00 USDC' }).click()
    await heading(page, `Accept 10.00 USDC for invoice ${invoice.reference}?`)
    await inspect(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Accept 10.00 USDC' }).click()
    await page.getByText('Late payment of 10.00 USDC accepted').waitFor()
    await page.getByText('Paid in full').waitFor()
  }, 60_000)

  test('is moved long after signing in once somebody has signed in again', async () => {
    const { rig } = site
    const invoice = await lateInvoice(4_000_000n)
    const person = await newMember(rig, 'finance', merchantId(), { origin: site.url })
    await enterAs(context, site.url, person)
    const age = () => rig.database`
      update auth.session s set "signedInAt" = now() - interval '11 minutes'
      from auth."user" u where u.id = s."userId" and u.email = ${person.email}`
    await age()
    await page.goto(at(`invoices/${invoice.id}`))
    await page.getByRole('button', { name: 'Refund 4.00 USDC' }).click()
    const refund = page.getByRole('button', { name: /to 0x/ })
    await refund.click()
    const again = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await again.waitFor()
    await inspect(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await refund.click()
    await again.getByLabel('Password').fill('seven loud lamps at noon')
    await again.getByRole('textbox', { name: 'Code' }).fill('000000')
    await again.getByRole('button', { name: 'Sign in and continue' }).click()
    await again.getByRole('alert').waitFor()
    await again.getByLabel('Password').fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in and continue' }).click()
    await again.getByRole('alert').filter({ hasText: 'Incorrect or expired code' }).waitFor()
    await again.getByRole('textbox', { name: 'Code' }).fill(totp(person.secret ?? ''))
    await again.getByRole('button', { name: 'Sign in and continue' }).click()
    await again.waitFor({ state: 'detached' })
    await page.getByText('Refund of 4.00 USDC').first().waitFor()

    await age()
    await page.goto(`${site.url}/dashboard/security`)
    await page.getByRole('button', { name: 'View active sessions' }).click()
    await again.getByLabel('Password').fill(PASSWORD)
    await again.getByRole('textbox', { name: 'Code' }).fill(totp(person.secret ?? '', 1))
    await again.getByRole('button', { name: 'Sign in and continue' }).click()
    await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
    await page.getByRole('button', { name: 'Change password' }).click()
    await inspect(page)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('nine green doors in may')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
  }, 90_000)

  test('is not to be moved by readers', async () => {
    const { rig } = site
    const invoice = await lateInvoice(4_000_000n)
    await context.clearCookies()
    const reader = await newMember(rig, 'reader', merchantId(), {
      ...{ origin: site.url, hasSecondFactor: false },
    })
    await enterAs(context, site.url, reader)
    await page.goto(at(`invoices/${invoice.id}`))
    await page.getByText('No action needed').waitFor()
    expect(await page.getByRole('button', { name: /Refund|Accept|Void/ }).count()).toBe(0)
  }, 60_000)
})

test('the list shows chosen columns, keeps them as a view, and its CSV is what is shown', async () => {
  const { rig } = site
  const invoice = await rig.create({ externalRef: '=cmd', metadata: { cart: 'c-9' } })
  await page.goto(at('invoices'))
  await page.getByLabel('Search', { exact: true }).fill('cart=c-9')
  await page.keyboard.press('Enter')
  await page.getByText('1 invoice shown').waitFor()
  await page.getByRole('link', { name: invoice.reference }).waitFor()
  await page.locator('summary', { hasText: 'Columns' }).click()
  await page.getByLabel('Fee').check()
  await page.getByLabel('Created').uncheck()
  await page.waitForURL(/columns=/)
  const heads = await page.locator('thead th').allInnerTexts()
  expect(heads).toEqual(['Reference', 'Order', 'Status', 'Amount', 'Fee'])
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const text = await Bun.file(await (await downloading).path()).text()
  expect(text.split('\r\n')).toEqual([
    'Reference,Order,Status,Amount,Fee,Token',
    `${invoice.reference},'=cmd,Open,10,0.05,USDC`,
    '',
  ])

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('View name').fill('With fees')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'With fees', exact: true }).waitFor()
  await page.goto(at('invoices'))
  await page.getByRole('button', { name: 'With fees', exact: true }).click()
  await page.waitForURL(/columns=/)
  await page.getByRole('button', { name: 'Remove view With fees' }).click()
  await page.getByRole('button', { name: 'Save view' }).waitFor()
}, 60_000)

test('overview, settlements and reports say what has happened, and what to do where nothing has', async () => {
  const { rig } = site
  const paid = await paidInvoice(rig)
  await settle(rig, paid)
  await page.goto(at('overview'))
  await heading(page, 'Needs attention')
  await page.locator('.chart svg').first().waitFor()
  await page.getByText('View as table').first().click()
  await inspect(page)
  await page.goto(at('settlements'))
  await page.getByRole('row').nth(1).waitFor()
  await inspect(page)
  await page.goto(at('reports'))
  await page.getByText('Reconciliation').waitFor()
  await page.getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: 'Schedule report' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).waitFor()
  await inspect(page)

  const empty = (await rig.newMerchant()).merchant.id
  await context.clearCookies()
  const reader = await newMember(rig, 'support', empty, { origin: site.url })
  await enterAs(context, site.url, reader)
  const there = (place: string) => `${site.url}/dashboard/merchants/${empty}/${place}`
  await page.goto(there('overview'))
  await heading(page, 'No payments yet')
  await page.goto(there('recoveries'))
  await heading(page, 'No held funds')
  await page.goto(there('settlements'))
  await heading(page, 'No payouts yet')
  await page.goto(there('settlements/payouts'))
  await heading(page, 'No payouts yet')
  await inspect(page)
  await page.goto(there('reports'))
  await heading(page, 'No confirmed payments in this period')
}, 120_000)
