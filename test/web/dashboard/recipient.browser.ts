import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newMember } from '../../support/api/people.ts'
import { tokenSentTo } from '../../support/api/recipients.ts'
import { OTHER_TREASURY, TREASURY } from '../../support/api/rig.ts'
import { openBrowser } from '../../support/web/browser.ts'
import { type DashboardSite, openDashboardSite } from '../../support/web/dashboard/site.ts'
import { enter, inspect } from '../../support/web/dashboard/stage.ts'

/** Where the money goes, in a real browser: asked for by one owner, and stopped by another from her mail. */

let site: DashboardSite
let browser: Browser
beforeAll(async () => {
  site = await openDashboardSite({ variables: { RECIPIENT_DELAY_S: '86400' } })
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test('another address is asked for, waits, and is stopped by the link of a mail', async () => {
  const { rig, url } = site
  const { id } = (await rig.newMerchant(TREASURY)).merchant
  const owner = await newMember(rig, 'owner', id, { origin: url })
  const ada = await newMember(rig, 'owner', id, { origin: url })
  const { page, complaints, leave } = await enter(browser, url, owner, 'en-GB')
  await page.goto(`${url}/dashboard/merchants/${id}/settings`)
  await page.getByText(TREASURY).waitFor()
  const payouts = page.getByRole('region', { name: 'Payout address', exact: true })
  await payouts.getByLabel('New address').fill(OTHER_TREASURY)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Active in 24 hours').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Pay out to 0x3C44…93BC' }).click()
  await page.getByRole('heading', { name: 'Pending address change' }).waitFor()
  const due = await page.locator('main time').first().getAttribute('datetime')
  expect(Math.round((Date.parse(due ?? '') - Date.now()) / 3_600_000)).toBe(24)
  await inspect(page)

  const link = `${url}/dashboard/stop-change#${await tokenSentTo(rig, ada.email)}`
  const other = await browser.newContext({ locale: 'de-DE' })
  const elsewhere = await other.newPage()
  await elsewhere.goto(link)
  await elsewhere.getByText(OTHER_TREASURY).waitFor()
  await inspect(elsewhere)
  const [waiting] = await rig.database`select state from recipient_change where merchant_id = ${id}`
  expect(waiting).toEqual({ state: 'waiting' })
  await elsewhere.getByRole('button', { name: 'Änderung abbrechen' }).click()
  await elsewhere.getByRole('heading', { name: 'Änderung abgebrochen' }).waitFor()
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { name: 'Diese Änderung ist bereits beendet' }).waitFor()
  await other.close()

  await page.getByText('Past changes').click()
  await page.getByText('Canceled').waitFor()
  await inspect(page)
  await leave()
  expect(complaints).toEqual([])
}, 120_000)

test('rules for a second person are set, and what waits is approved from the overview', async () => {
  const { rig, url } = site
  const { id } = (await rig.newMerchant(TREASURY)).merchant
  const owner = await newMember(rig, 'owner', id, { origin: url })
  const finance = await newMember(rig, 'finance', id, { origin: url })
  const asking = await enter(browser, url, owner, 'en-GB')
  await asking.page.goto(`${url}/dashboard/merchants/${id}/settings/approvals`)
  await asking.page.getByLabel('Require approval to change the payout address').check()
  await asking.page.getByLabel('Require approval for refunds over').fill('100')
  await asking.page.getByRole('button', { name: 'Save rules' }).click()
  await asking.page.getByText('Approval rules saved').waitFor()
  await asking.page.getByLabel('Require approval for refunds over').fill('1000')
  await asking.page.getByRole('button', { name: 'Save rules' }).click()
  await asking.page.getByText('You can’t approve your own request').waitFor()
  expect(await asking.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await inspect(asking.page)

  const deciding = await enter(browser, url, finance, 'de-DE')
  await deciding.page.goto(`${url}/dashboard/merchants/${id}/overview`)
  await deciding.page.getByText('Erstattungen über 1.000,00').waitFor()
  await inspect(deciding.page)
  await deciding.page.getByRole('button', { name: 'Freigeben' }).click()
  await deciding.page.getByRole('heading', { name: 'Freigaben' }).waitFor({
    state: 'detached',
  })
  await asking.page.reload()
  await asking.page.getByText('Past requests').click()
  await asking.page.getByText('Approved', { exact: true }).waitFor()
  expect([...asking.complaints, ...deciding.complaints]).toEqual([])
  await asking.leave()
  await deciding.leave()
}, 120_000)
