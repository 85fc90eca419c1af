import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newMember } from '../../api/dashboard/people.ts'
import { OTHER_TREASURY, TREASURY } from '../../api/rig.ts'
import { openBrowser } from '../browser.ts'
import { type DashboardSite, openDashboardSite } from '../dashboardSite.ts'
import { enter, inspect } from './stage.ts'

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
  await page.getByLabel('New address').fill(OTHER_TREASURY)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('in force in 24 hours').waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'Send money to 0x3C44…93BC' }).click()
  await page.getByRole('heading', { name: 'Another address waits' }).waitFor()
  await page.getByText('in 23 hr').or(page.getByText('in 1 day')).first().waitFor()
  await inspect(page)

  const [mail] = await rig.database<{ body: string }[]>`
    select body from mail where recipient = ${ada.email} and body like '%stop-change%'`
  const link = /https?:\S+stop-change#\S+/.exec(mail?.body ?? '')?.[0] ?? ''
  const other = await browser.newContext({ locale: 'de-DE' })
  const elsewhere = await other.newPage()
  await elsewhere.goto(link)
  await elsewhere.getByText(OTHER_TREASURY).waitFor()
  await inspect(elsewhere)
  const [waiting] = await rig.database`select state from recipient_change where merchant_id = ${id}`
  expect(waiting).toEqual({ state: 'waiting' })
  await elsewhere.getByRole('button', { name: 'Änderung abbrechen' }).click()
  await elsewhere.getByRole('heading', { name: 'Die Änderung ist abgebrochen' }).waitFor()
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { name: 'Diese Änderung ist vorbei' }).waitFor()
  await other.close()

  await page.getByText('Changes before').click()
  await page.getByText('Cancelled').waitFor()
  await inspect(page)
  await leave()
  expect(complaints).toEqual([])
}, 60_000)
