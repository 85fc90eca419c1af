import { describe, expect, test } from 'bun:test'
import { csvLine } from '../../../core/base/csv.ts'
import { newMember } from '../../support/api/people.ts'
import { useDashboard } from '../../support/web/dashboard/useDashboard.ts'

/** The list of invoices in a real browser, on a phone and in German. */

const dashboard = useDashboard()
const { at, enterAs, heading, inspect, member } = dashboard

describe('the list of invoices', () => {
  test('keeps its filters in the address, pages by cursor, and gives what is shown as CSV', async () => {
    const { page, rig } = dashboard
    const owner = await member('owner')
    await enterAs(owner)
    for (let n = 0; n < 27; n++) await rig.create({ externalRef: `=cmd${n}` })
    await page.goto(at('invoices'))
    await page.getByRole('row').nth(25).waitFor()
    await inspect()
    expect(await page.getByRole('row').count()).toBe(26)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/after=/)
    await page.getByRole('button', { name: 'Newer' }).waitFor()

    await page.getByRole('button', { name: /^Open/ }).click()
    await page.waitForURL(/status=pending/)
    expect(page.url()).not.toContain('after=')
    await page.getByRole('row').nth(25).waitFor()
    const references = await page.locator('tbody th').allInnerTexts()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const bytes = await Bun.file(await (await downloading).path()).bytes()
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = new TextDecoder().decode(bytes)
    const lines = text.trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(references)
    expect(lines[0]).toBe(
      csvLine(['Reference', 'Order', 'Status', 'Amount', 'Token', 'Created']).trimEnd(),
    )
    expect(text).toContain(",'=cmd26,Open,10,USDC,")

    await page.reload()
    await page.getByRole('button', { name: /^Open/, pressed: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('=cmd3')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=/)
    await page.getByText('1 invoice shown').waitFor()
  }, 120_000)

  test('says what to do when there is nothing, when nothing fits, and when it failed', async () => {
    const { page, rig, url } = dashboard
    const { id } = (await rig.newMerchant()).merchant
    await enterAs(await newMember(rig, 'reader', id, { origin: url, hasSecondFactor: false }))
    await page.goto(`${url}/dashboard/merchants/${id}/invoices`)
    await heading('No invoices yet')
    await inspect()
    await page.getByRole('button', { name: 'Paid', exact: true }).click()
    await heading('No invoices match these filters')
    const pattern = '**/dashboard/api/merchants/*/v1/invoices?*'
    await page.route(pattern, (route) => route.fulfill({ status: 500, body: 'x' }))
    await page.goto(`${url}/dashboard/merchants/${id}/invoices`)
    await heading('Couldn’t load this')
    await inspect()
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('No invoices yet')
    await page.goto(`${url}/dashboard/merchants/${id}/invoices/${crypto.randomUUID()}`)
    await heading('Invoice not found')
    await page.goto(at('invoices'))
    await heading('Page not found')
  }, 120_000)
})

test('on a phone the other pages are behind a button, and by keyboard as well', async () => {
  const { page } = dashboard
  await enterAs(await member('owner'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(at('invoices'))
  await heading('Invoices')
  const log = page.getByRole('link', { name: 'Audit log' })
  expect(await log.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await log.waitFor()
  await inspect()
  await page.keyboard.press('Escape')
  await log.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'More' }).click()
  await log.click()
  await heading('Audit log')
  expect(await log.isVisible()).toBe(false)
}, 60_000)

test('in German every word is German', async () => {
  await dashboard.visitIn('de-DE')
  const { page, rig } = dashboard
  await enterAs(await member('owner'))
  await rig.create()
  await page.goto(at('invoices'))
  await heading('Rechnungen')
  await page.getByRole('button', { name: 'Konto' }).click()
  await page.getByRole('link', { name: 'Sicherheit' }).click()
  await heading('Sitzungen')
  await inspect()
  await page.goto(at('audit'))
  await page.getByText('Angemeldet').filter({ visible: true }).first().waitFor()
  await inspect()
}, 60_000)
