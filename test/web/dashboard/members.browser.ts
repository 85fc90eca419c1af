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
  await page.getByRole('button', { name: 'Invite member', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(invited)
  await dialog.getByRole('button', { name: 'Invite member', exact: true }).click()
  await page
    .getByText(`Invitation sent to ${invited}. The link works once and expires in 7 days.`)
    .waitFor()
  await inspect()
  await page
    .getByRole('row')
    .filter({ hasText: invited })
    .getByRole('button', { name: 'Revoke invitation' })
    .click()
  await page.getByRole('row').filter({ hasText: invited }).waitFor({ state: 'detached' })

  await page.goto(at('settings/checkout'))
  await page.getByLabel('Business name').fill('Tea & Sons')
  await page.getByLabel('Brand color').fill('red')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Brand color').fill('#0b6e4f')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Payers see the changes now').waitFor()
  await inspect()
  const { json } = await rig.call('GET', '/v1/settings/checkout')
  expect(json).toMatchObject({ data: { name: 'Tea & Sons', accent: '#0b6e4f' } })

  await page.goto(at('audit'))
  const entry = (action: string) => page.getByRole('row').filter({ hasText: action }).first()
  await entry('Invitation revoked').waitFor()
  await entry('Member invited').locator('summary').click()
  await entry('Member invited').getByText(invited).waitFor()
  await entry('Checkout settings changed').locator('summary').click()
  await entry('Checkout settings changed').getByText('#0b6e4f').waitFor()
  await entry('Signed in').waitFor()
  await inspect()

  await page.getByLabel('Action').selectOption('revokeInvitation')
  await page.waitForURL(/action=revokeInvitation/)
  await page.getByLabel('Actor type').selectOption('API key')
  await page.waitForURL(/actor=key/)
  await heading('No entries match these filters')
  await inspect()
  await page.getByLabel('Actor type').selectOption('Member')
  await page.getByLabel('Actor', { exact: true }).fill('=nobody')
  await page.keyboard.press('Enter')
  await page.waitForURL(/who=/)
  await heading('No entries match these filters')
  await page.getByLabel('Actor', { exact: true }).fill('Ada')
  await page.keyboard.press('Enter')
  await page.reload()
  await entry('Invitation revoked').waitFor()
  expect(await page.getByLabel('Action').inputValue()).toBe('revokeInvitation')
  const names = await page.locator('tbody th').allInnerTexts()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
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
  await page.getByText('You already have an account.').waitFor()
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
  const row = page.getByRole('row').filter({ hasText: eve.email })
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText(eve.email).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Ada' }).click()
  await row.getByText('once it is approved').waitFor()
  await inspect()

  await enter(eve, 'overview')
  await page.getByText('about yourself').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  await enter(finance, 'overview')
  await page.getByText(`Remove Ada <${eve.email}>`).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(`Remove Ada <${eve.email}>`).waitFor({ state: 'detached' })
  await leaderTurn(rig)
  await enter(finance, 'members')
  await page.getByRole('row').filter({ hasText: finance.email }).waitFor()
  await row.waitFor({ state: 'detached' })
}, 60_000)
