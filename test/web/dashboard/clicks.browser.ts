import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { newEmail } from '../../support/api/people.ts'
import { OTHER_TREASURY } from '../../support/api/rig.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { openStage, type Stage, type Visit } from '../../support/web/dashboard/stage.ts'
import { startReceiver } from '../../support/webhooks.ts'

/** Part of `bun run check:web`: ten tasks from the overview, each with its clicks counted; Enter is one, too. */

const MOST_CLICKS = 3

let stage: Stage
let visit: Visit
let page: Page
let late: InvoiceJson
let hash: string
const receiver = startReceiver()
beforeAll(async () => {
  stage = await openStage()
  const { rig } = stage.site
  await followChains(rig)
  await rig.call('POST', '/v1/webhooks/endpoints', { body: { url: receiver.url } })
  late = await rig.create()
  await rig.call('POST', `/v1/invoices/${late.id}/expire`)
  const paid = await pay(rig, late, 5_000_000n, { blockTime: new Date(Date.now() + 60_000) })
  hash = paid.txHash
  await confirm(rig, late)
  visit = await stage.enter(await stage.member('owner'))
  page = visit.page
}, PATIENCE_MS)
afterAll(async () => {
  expect(visit.complaints).toEqual([])
  receiver.stop()
  await stage.close()
})

let clicks = 0
async function click(target: Locator): Promise<void> {
  clicks += 1
  await target.click()
}
const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' })
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first()
const inDialog = (name: string | RegExp) => button(name, page.getByRole('dialog'))
const toast = (text: string | RegExp) => page.locator('.toast').getByText(text).waitFor()

/** Each does its task from the overview, and ends when the page shows the result. */
const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  async 'change the payout address'() {
    await click(link('Settings'))
    await page.getByLabel('New address').fill(OTHER_TREASURY)
    await click(button('Continue'))
    await click(inDialog(/^Pay out to/))
    await page.getByText('Pending address change').waitFor()
  },
  async 'find a payment by its hash'() {
    await click(button(/^Search/))
    await page.getByRole('searchbox', { name: 'Search' }).fill(hash)
    await click(
      page.getByRole('dialog').getByRole('link', { name: new RegExp(`^${late.reference}`) }),
    )
    await page.getByText('Payment of 5.00 USDC').first().waitFor()
  },
  async 'refund a payment'() {
    await click(button('Refund 5.00 USDC'))
    await click(inDialog(/^Refund 5.00 USDC to/))
    await toast('Refund of 5.00 USDC requested.')
  },
  async 'create a key'() {
    await click(link('Developers'))
    await click(button('Create key'))
    await page.getByLabel('Name').fill('Back office')
    await click(inDialog('Create key'))
    await page.getByRole('heading', { name: 'New key: Back office' }).waitFor()
  },
  async 'resend a webhook'() {
    const before = receiver.received.length
    await click(link(late.reference))
    await click(page.locator('details', { hasText: 'invoice.late_payment' }).locator('summary'))
    await click(button('Resend'))
    while (receiver.received.length === before) await Bun.sleep(50)
  },
  async 'invite a member'() {
    await click(link('Members'))
    await click(button('Invite member'))
    const email = newEmail()
    await page.getByLabel('Email').fill(email)
    await click(inDialog('Invite member'))
    await toast(new RegExp(email))
  },
  async 'create an invoice'() {
    await click(link('Create invoice'))
    await page.getByLabel('Amount').fill('12.5')
    await click(button('Create invoice'))
    await page.getByRole('heading', { name: '12.50' }).waitFor()
  },
  async 'create a payment link'() {
    await click(link('New payment link'))
    await page.getByLabel('Amount').fill('7.25')
    await click(inDialog('Create link'))
    await page.getByText('7.25').first().waitFor()
  },
  async 'void an invoice'() {
    const { reference } = await stage.site.rig.create()
    await page.reload()
    await click(link(reference))
    await click(button('Void invoice'))
    await click(inDialog('Void invoice'))
    await toast(new RegExp(reference))
  },
  async 'export a report'() {
    await click(link('Reports'))
    const saved = page.waitForEvent('download')
    await click(button('Download CSV'))
    expect((await saved).suggestedFilename()).toEndWith('.csv')
  },
}

test.each(Object.entries(TASKS))(
  '%s: at most three clicks',
  async (_, run) => {
    await page.goto(stage.at('overview'))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    clicks = 0
    await run()
    expect(clicks).toBeGreaterThan(0)
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
  },
  PATIENCE_MS,
)
