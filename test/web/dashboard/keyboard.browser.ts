import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Role } from '../../../core/access/roles.ts'
import { confirm, followChains, pay } from '../../support/api/ledger.ts'
import { invite, newEmail, newMember, PASSWORD, totp } from '../../support/api/people.ts'
import { leaderTurn } from '../../support/api/recipients.ts'
import { OTHER_TREASURY, TREASURY } from '../../support/api/rig.ts'
import { addAuthenticator } from '../../support/web/authenticator.ts'
import { openBrowser, PATIENCE_MS } from '../../support/web/browser.ts'
import { press, tabTo, write } from '../../support/web/dashboard/keys.ts'
import { hearFaults } from '../../support/web/dashboard/page.ts'
import { openStage, type Stage } from '../../support/web/dashboard/stage.ts'
import { startReceiver } from '../../support/webhooks.ts'

/** Part of `bun run check:web`: what a merchant does alone, by the keyboard alone. */

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await followChains(stage.site.rig)
}, PATIENCE_MS)
afterAll(() => stage.close())

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).first().waitFor()

test(
  'from an invitation to a sign-in by passkey',
  async () => {
    const { rig, url } = stage.site
    const browser = await openBrowser()
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    const faults = hearFaults(page)
    await addAuthenticator(page)
    const email = newEmail()
    await page.goto(`${url}/dashboard/invitation#${await invite(rig, email, 'owner')}`)
    await write(page, page.getByLabel('Your name'), 'Ada Lovelace')
    await write(page, page.getByLabel('Password'), PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Check your email')
    await page.goto(`${url}/dashboard/mailbox`)
    await press(page, page.locator('article', { hasText: email }).getByRole('link').first())
    await press(page, button(page, 'Confirm address'))
    await press(page, link(page, 'Go to sign-in'))
    await write(page, page.getByLabel('Email'), email)
    await write(page, page.getByLabel('Password'), PASSWORD)
    await press(page, button(page, 'Sign in'))
    await write(page, page.getByLabel('Password'), PASSWORD)
    await press(page, button(page, 'Continue'))
    const secret = (await page.locator('.secret').textContent()) ?? ''
    await write(page, page.getByRole('textbox', { name: 'Code' }), totp(secret))
    await press(page, button(page, 'Continue'))
    await heading(page, 'Save your recovery codes')
    await tabTo(page, page.getByLabel('I saved these codes'))
    await page.keyboard.press('Space')
    await press(page, button(page, 'Continue'))
    await heading(page, 'Overview')
    await page.goto(`${url}/dashboard/security`)
    await press(page, button(page, 'Add passkey'))
    await button(page, 'Remove').waitFor()
    await press(page, button(page, 'Account'))
    await press(page, page.getByRole('banner').getByRole('button', { name: 'Sign out' }))
    await press(page, button(page, 'Sign in with a passkey'))
    await heading(page, 'Overview')

    // A sign-in of the last minutes, where one is asked for, by the passkey as well.
    await rig.database`
      update auth.session set "signedInAt" = now() - interval '11 minutes'
      where "userId" in (select id from auth."user" where email = ${email})`
    await press(page, link(page, 'Settings'))
    await press(page, link(page, 'Approval rules'))
    await press(page, button(page, 'Save rules'))
    const again = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await press(page, again.getByRole('button', { name: 'Sign in with a passkey' }))
    await page.getByText('Approval rules saved').waitFor()
    await browser.close()
    expect(faults).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'an invoice is made, late money refunded and accepted, and the list taken along',
  async () => {
    const { rig } = stage.site
    const { page, complaints, leave } = await stage.enter(await stage.member('owner'))
    await page.goto(stage.at('overview'))
    await press(page, link(page, 'Create invoice'))
    await write(page, page.getByLabel('Amount'), '12.5')
    await page.keyboard.press('Enter')
    await heading(page, '12.50')

    for (const amount of [5_000_000n, 10_000_000n]) {
      const invoice = await rig.create()
      await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
      await pay(rig, invoice, amount, { blockTime: new Date(Date.now() + 60_000) })
      await confirm(rig, invoice)
    }
    await press(page, page.getByRole('link', { name: /^Held funds/ }))
    await press(page, button(page, 'Refund 5.00 USDC'))
    await press(
      page,
      page.getByRole('dialog').getByRole('button', { name: /^Refund 5.00 USDC to/ }),
    )
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(page, button(page, 'Accept 10.00 USDC'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Accept 10.00 USDC' }))
    await heading(page, 'No held funds')

    await press(page, link(page, 'Invoices'))
    await page.getByRole('row').nth(2).waitFor()
    await tabTo(page, button(page, 'Download CSV'))
    const downloading = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const text = await Bun.file(await (await downloading).path()).text()
    const references = await page.locator('tbody th').allInnerTexts()
    const lines = text.trimEnd().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',')[0])).toEqual(references)

    await press(page, link(page, 'Settings'))
    await press(page, link(page, 'Checkout'))
    await write(page, page.getByLabel('Business name'), 'Tea & Sons')
    await press(page, button(page, 'Save changes'))
    await page.getByText('Payers see the changes now').waitFor()
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'rules for a second person, another address, its approval, and the end of it',
  async () => {
    const { rig, url } = stage.site
    const { id } = (await rig.newMerchant(TREASURY)).merchant
    const at = (place: string) => `${url}/dashboard/merchants/${id}/${place}`
    const member = (role: Role) => newMember(rig, role, id, { origin: url })
    const [owner, finance] = [await member('owner'), await member('finance')]
    const asking = await stage.enter(owner)
    const { page } = asking
    await page.goto(at('settings/approvals'))
    await tabTo(page, page.getByLabel('Require approval to change the payout address'))
    await page.keyboard.press('Space')
    await write(page, page.getByLabel('Require approval for refunds over'), '100')
    await press(page, button(page, 'Save rules'))
    await page.getByText('Approval rules saved').waitFor()
    await press(page, link(page, 'Payout address'))
    const payouts = page.getByRole('region', { name: 'Payout address', exact: true })
    await write(page, payouts.getByLabel('New address'), OTHER_TREASURY)
    await press(page, button(page, 'Continue'))
    await press(page, button(page, 'Pay out to 0x3C44…93BC'))
    await heading(page, 'Pending address change')
    await page.getByText('You can’t approve your own request').waitFor()

    const deciding = await stage.enter(finance)
    await deciding.page.goto(at('overview'))
    await press(deciding.page, button(deciding.page, 'Approve'))
    await deciding.page.getByRole('heading', { name: 'Approvals' }).waitFor({ state: 'detached' })
    await leaderTurn(rig)
    const [change] =
      await rig.database`select state from recipient_change where merchant_id = ${id}`
    expect(change).toEqual({ state: 'waiting' })

    await press(page, button(page, 'Cancel change'))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel change' }))
    await press(page, page.locator('summary', { hasText: 'Past changes' }))
    await page.getByText('Canceled', { exact: true }).waitFor()
    expect([...asking.complaints, ...deciding.complaints]).toEqual([])
    await asking.leave()
    await deciding.leave()
  },
  PATIENCE_MS,
)

/** What nobody but these roles is offered, by the page that it is on. */
const OFFERS = [
  ['overview', 'Create invoice', ['owner', 'finance', 'developer']],
  ['recoveries', /^Refund /, ['owner', 'finance']],
  ['recoveries', /^Accept /, ['owner', 'finance', 'support']],
  ['developers', 'Rotate', ['owner', 'developer']],
  ['settings/checkout', 'Save changes', ['owner', 'developer']],
  ['settings', 'Continue', ['owner']],
  ['settings/approvals', 'Save rules', ['owner']],
  ['members', 'Invite member', ['owner']],
  ['sandbox', 'Run all', ['owner', 'developer']],
  ['sandbox', 'Reset sandbox', ['owner']],
] as const

test.each(['owner', 'finance', 'developer', 'support', 'reader'] as const)(
  'the pages of %s offer nothing that the role may not do',
  async (role) => {
    const { rig } = stage.site
    const invoice = await rig.create()
    await rig.call('POST', `/v1/invoices/${invoice.id}/expire`)
    await pay(rig, invoice, 3_000_000n, { blockTime: new Date(Date.now() + 60_000) })
    await confirm(rig, invoice)
    const { page, complaints, leave } = await stage.enter(await stage.member(role))
    const offered: unknown[] = []
    for (const [place, name] of OFFERS) {
      await page.goto(stage.at(place))
      await page.locator('main h1').waitFor()
      await page.waitForFunction(() => document.querySelector('.skeleton') === null)
      const kind = name === 'Create invoice' ? 'link' : 'button'
      const found = page.getByRole(kind, { name, exact: typeof name === 'string' })
      if ((await found.count()) > 0) offered.push(`${place} ${name}`)
    }
    const mine = OFFERS.filter(([, , roles]) => roles.some((one) => one === role))
    expect(offered).toEqual(mine.map(([place, name]) => `${place} ${name}`))
    expect(await link(page, 'Audit log').count()).toBe(role === 'owner' ? 1 : 0)
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'a key is replaced, a webhook added, a test event sent and its answer read',
  async () => {
    const receiver = startReceiver()
    receiver.answer = () => new Response('thank you', { status: 200 })
    const { page, complaints, leave } = await stage.enter(await stage.member('developer'))
    await page.goto(stage.at('overview'))
    await press(page, link(page, 'Developers'))
    const secretRow = page.getByRole('row', { name: /Full access/ })
    await press(page, secretRow.getByRole('button', { name: 'Rotate' }))
    await press(page, button(page, 'Rotate key'))
    await page.getByText('able to see it again').waitFor()
    await press(page, link(page, 'Webhooks'))
    await press(page, button(page, 'New endpoint'))
    await write(page, page.getByLabel('URL', { exact: true }), receiver.url)
    await press(page, button(page, 'Add endpoint'))
    await press(page, link(page, receiver.url))
    await press(page, button(page, 'Send test event'))
    await page.getByText(/^Test event .* sent\./).waitFor()
    await page.getByText('Delivered', { exact: true }).last().waitFor()
    await press(page, page.locator('details.delivery summary').first())
    await page.getByText('thank you').waitFor()
    receiver.stop()
    await leave()
    expect(complaints).toEqual([])
  },
  PATIENCE_MS,
)
