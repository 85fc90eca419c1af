import { expect, test } from 'bun:test'
import { invite, newMember } from '../../support/api/people.ts'
import { leaderTurn } from '../../support/api/recipients.ts'
import { useDashboard } from '../../support/web/dashboard/useDashboard.ts'

/** How owners let people in and out of a merchant, in a real browser. */

const dashboard = useDashboard()
const { at, enterAs, heading, inspect, member } = dashboard

test('owners invite people, set the checkout, and find both in the audit log', async () => {
  const { page, rig } = dashboard
  await enterAs(await member('owner'))
  const invited = `grace.${crypto.randomUUID().slice(0, 8)}@example.com`

  await page.goto(at('members'))
  await page.getByLabel('E-mail').fill(invited)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText(`A link is on its way to ${invited}.`).waitFor()
  await inspect()
  await page.locator('li', { hasText: invited }).getByRole('button', { name: 'Take back' }).click()
  await page.locator('li', { hasText: invited }).waitFor({ state: 'detached' })

  await page.goto(at('settings'))
  await page.getByLabel('Name that payers read').fill('Tea & Sons')
  await page.getByLabel('Colour').fill('red')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Colour').fill('#0b6e4f')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Payers see it from now on').waitFor()
  await inspect()
  const { json } = await rig.call('GET', '/v1/settings/checkout')
  expect(json).toMatchObject({ data: { name: 'Tea & Sons', accent: '#0b6e4f' } })

  await page.goto(at('audit'))
  const entry = (action: string) => page.locator('li', { hasText: action }).first()
  await entry('Checkout changed').getByText('Done').waitFor()
  await entry('Invitation withdrawn').getByText('Done').waitFor()
  await entry('Member invited').getByText(invited).waitFor()
  await entry('Checkout changed').getByText('#0b6e4f').waitFor()
  await page.locator('li', { hasText: 'Signed in' }).first().waitFor()
  await inspect()

  await page.getByLabel('Action').selectOption('revokeInvitation')
  await page.waitForURL(/action=revokeInvitation/)
  await page.getByLabel('Kind').selectOption('API key')
  await page.waitForURL(/actor=key/)
  await heading('Nothing fits')
  await inspect()
  await page.getByLabel('Kind').selectOption('Person')
  await page.getByLabel('Who').fill('=nobody')
  await page.keyboard.press('Enter')
  await page.waitForURL(/who=/)
  await heading('Nothing fits')
  await page.getByLabel('Who').fill('Ada')
  await page.keyboard.press('Enter')
  await page.reload()
  await entry('Invitation withdrawn').getByText('Done').waitFor()
  expect(await page.getByLabel('Action').inputValue()).toBe('revokeInvitation')
  const names = await page.locator('ul.lines b').allInnerTexts()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as CSV' }).click()
  const text = await Bun.file(await (await downloading).path()).text()
  const lines = text.trimEnd().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',')[4])).toEqual(names)
  expect(lines[1]).toContain(invited)
}, 90_000)

test('somebody who has an account joins another merchant by the link of its mail', async () => {
  const { page, rig, url } = dashboard
  const { id } = (await rig.newMerchant()).merchant
  const ada = await member('reader', { hasSecondFactor: false })
  const link = `${url}/dashboard/invitation#${await invite(rig, ada.email, 'reader', id)}`
  await page.goto(link)
  await page.getByText('You have an account already.').waitFor()
  await enterAs(ada)
  await page.goto(link)
  await page.reload()
  await page.getByRole('button', { name: 'Join Test' }).click()
  await heading('Overview')
  expect(page.url()).toContain(id)
}, 60_000)

test('an owner is removed once a third person has approved it, and not by their own vote', async () => {
  const { page, rig, url } = dashboard
  const { id } = (await rig.newMerchant()).merchant
  const options = { origin: url }
  const owner = await newMember(rig, 'owner', id, options)
  const eve = await newMember(rig, 'owner', id, options)
  const finance = await newMember(rig, 'finance', id, options)
  const rules = { recipient: true }
  expect((await owner.browser.api('POST', id, '/v1/settings/approvals', rules)).status).toBe(200)
  const enter = async (who: typeof owner, place: string) => {
    await enterAs(who)
    await page.goto(`${url}/dashboard/merchants/${id}/${place}`)
  }
  await enter(owner, 'members')
  const row = page.locator('.people li', { hasText: eve.email })
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText(eve.email).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Ada' }).click()
  await row.getByText('when another person has approved it').waitFor()
  await inspect()

  await enter(eve, 'overview')
  await page.getByText('It is about you').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  await enter(finance, 'overview')
  await page.getByText(`Remove Ada <${eve.email}>`).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(`Remove Ada <${eve.email}>`).waitFor({ state: 'detached' })
  await leaderTurn(rig)
  await enter(finance, 'members')
  await page.locator('.people li', { hasText: finance.email }).waitFor()
  await row.waitFor({ state: 'detached' })
}, 60_000)
