import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { csvLine } from '../../core/base/csv.ts'
import { followChains, pay } from '../support/api/ledger.ts'
import { invite, newMember, PASSWORD, totp } from '../support/api/people.ts'
import { leaderTurn } from '../support/api/recipients.ts'
import { remit } from '../support/cli/run.ts'
import { expectAccessibleInBothColours } from './accessibility.ts'
import { addAuthenticator } from './authenticator.ts'
import { openBrowser } from './browser.ts'
import { type DashboardSite, openDashboardSite } from './dashboardSite.ts'

/** The dashboard in a real browser: from an invitation to an invoice. */

let site: DashboardSite
let browser: Browser
let context: BrowserContext
let page: Page
/** What the page complained of: faults, and whatever its policy refused. */
let complaints: string[]

beforeAll(async () => {
  site = await openDashboardSite({ variables: { DASHBOARD_SIGN_UP: 'on' } })
  browser = await openBrowser()
  await followChains(site.rig)
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB' })
  page = await context.newPage()
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isPolicy = /Content Security Policy|Trusted/.test(message.text())
    if (isPolicy) complaints.push(message.text())
  })
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

/** Nothing is wrong with the page as it stands, in either colours, and nothing sticks out of a phone. */
async function inspect(): Promise<void> {
  await expectAccessibleInBothColours(page)
  const usual = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  const { wide, room } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    room: innerWidth,
  }))
  expect(wide).toBeLessThanOrEqual(room)
  if (usual) await page.setViewportSize(usual)
}

async function heading(text: string): Promise<void> {
  await page.getByRole('heading', { name: text }).first().waitFor()
}

async function signIn(email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading('Sign in')
}

/** Takes the session of somebody who signed in elsewhere. */
async function enterAs(person: Awaited<ReturnType<typeof newMember>>): Promise<void> {
  const cookies = [...person.browser.cookies].map(([name, value]) => ({
    name,
    value,
    url: site.url,
  }))
  await context.addCookies(cookies)
}

function member(role: 'owner' | 'reader', options = {}) {
  const { rig, url } = site
  return newMember(rig, role, rig.merchant.merchant.id, { ...options, origin: url })
}

const list = () => `${site.url}/dashboard/merchants/${site.rig.merchant.merchant.id}/invoices`

test('owners invite people, set the checkout, and find both in the audit log', async () => {
  const { rig, url } = site
  await enterAs(await member('owner'))
  const at = (place: string) => `${url}/dashboard/merchants/${rig.merchant.merchant.id}/${place}`
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

test('from an invitation to an invoice', async () => {
  const { rig, url } = site
  const email = `ada.${crypto.randomUUID().slice(0, 8)}@example.com`
  const invited = await remit(
    { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url },
    ...['merchant', 'invite', rig.merchant.merchant.id, '--email', email, '--role', 'owner'],
    '--json',
  )
  expect(invited.err).toBe('')
  const link = String(invited.json().url)

  await page.goto(link)
  await heading('You are invited to Test')
  await inspect()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Password').fill('passwordpassword')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').filter({ hasText: 'tried first' }).waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading('Look into your mail')

  await page.goto(`${url}/dashboard/mailbox`)
  await inspect()
  await page.locator('article', { hasText: 'Confirm your' }).first().getByRole('link').click()
  await heading('Confirm your e-mail address')
  await inspect()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await heading('Your address is confirmed')
  await inspect()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await heading('Sign in')
  await inspect()
  await signIn(email)

  await heading('Set up a second factor')
  await page.getByRole('link', { name: 'Set it up' }).click()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set up an authenticator' }).click()
  const secret = (await page.locator('.secret').textContent()) ?? ''
  await inspect()
  const used = totp(secret)
  await page.getByRole('textbox', { name: 'Code' }).fill(used)
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading('Your backup codes')
  expect(await page.locator('.codes li').count()).toBe(10)
  await inspect()
  await signOut()

  const invoice = await rig.create({ externalRef: 'order-42', metadata: { cart: '<b>7</b>' } })
  await pay(rig, invoice, 4_000_000n)
  await signIn(email)
  await heading('Enter your code')
  await inspect()
  await page.getByRole('textbox', { name: 'Code' }).fill(used)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').filter({ hasText: 'was used before' }).waitFor()
  await page.goto(`${url}/dashboard`)
  await signIn(email)
  await page.getByRole('textbox', { name: 'Code' }).fill(totp(secret, 1))
  await page.getByRole('button', { name: 'Continue' }).click()

  await heading('Overview')
  await inspect()
  await page.getByRole('link', { name: 'Invoices', exact: true }).click()
  await heading('Invoices')
  await page.getByRole('link', { name: invoice.reference }).click()
  await heading('10.00')
  await page.getByText('Payment of 4.00 USDC seen').waitFor()
  await page.getByText('<b>7</b>').waitFor()
  await inspect()

  await page.goto(link)
  await heading('This invitation can’t be used any more')
}, 240_000)

test('somebody signs up without an invitation, and is let in again by the operator', async () => {
  const { rig, url } = site
  const email = `grace.${crypto.randomUUID().slice(0, 8)}@example.com`
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await heading('Create an account')
  await inspect()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading('Look into your mail')
  await page.goto(`${url}/dashboard/mailbox`)
  await page.locator('article', { hasText: 'Confirm your' }).first().getByRole('link').click()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await signIn(email)
  await heading('You belong to no merchant yet')
  await signOut()

  const variables = { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url }
  const recovered = await remit(variables, 'person', 'recover', '--email', email, '--json')
  await signIn(email)
  await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor()
  await page.goto(String(recovered.json().url))
  await heading('Set another password')
  await inspect()
  await page.getByLabel('Password').fill('nine green doors in may')
  await page.getByRole('button', { name: 'Set password' }).click()
  await heading('Your password is set')
  await page.goto(String(recovered.json().url))
  await page.reload()
  await page.getByLabel('Password').fill('nine green doors in june')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('alert').filter({ hasText: 'This link was used' }).waitFor()
}, 120_000)

test('a backup code signs in once, and a wrong one says what to do', async () => {
  const { email, backupCodes } = await member('reader')
  const [first = '', second = ''] = backupCodes
  const enterCode = async (code: string) => {
    await page.getByLabel('Backup code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const isRefused = () =>
    page.getByRole('alert').filter({ hasText: 'not one of your backup codes' }).waitFor()
  const begin = async () => {
    await page.goto(`${site.url}/dashboard`)
    await signIn(email)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
  }
  await begin()
  await enterCode('AAAAA-BBBBB')
  await isRefused()
  await enterCode(first)
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  await signOut()
  await begin()
  await enterCode(first)
  await isRefused()
  await enterCode(second)
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
}, 60_000)

test('somebody who has an account joins another merchant by the link of its mail', async () => {
  const { rig, url } = site
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
  const { rig, url } = site
  const { id } = (await rig.newMerchant()).merchant
  const options = { origin: url }
  const owner = await newMember(rig, 'owner', id, options)
  const eve = await newMember(rig, 'owner', id, options)
  const finance = await newMember(rig, 'finance', id, options)
  const rules = { recipient: true }
  expect((await owner.browser.api('POST', id, '/v1/settings/approvals', rules)).status).toBe(200)
  const enter = async (who: typeof owner, place: string) => {
    await context.clearCookies()
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

describe('the list of invoices', () => {
  test('keeps its filters in the address, pages by cursor, and gives what is shown as CSV', async () => {
    const owner = await member('owner')
    await enterAs(owner)
    const { rig } = site
    for (let n = 0; n < 27; n++) await rig.create({ externalRef: `=cmd${n}` })
    await page.goto(list())
    await page.getByRole('row').nth(25).waitFor()
    await inspect()
    expect(await page.getByRole('row').count()).toBe(26)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/after=/)
    await page.getByRole('button', { name: 'Newer' }).waitFor()

    await page.getByLabel('Status').selectOption('pending')
    await page.waitForURL(/status=pending/)
    expect(page.url()).not.toContain('after=')
    await page.getByRole('row').nth(25).waitFor()
    const references = await page.locator('tbody th').allInnerTexts()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const bytes = await Bun.file(await (await downloading).path()).bytes()
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = new TextDecoder().decode(bytes)
    const lines = text.trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(references)
    expect(lines[0]).toBe(
      csvLine(['Reference', 'Order', 'Status', 'Amount', 'Received', 'Token', 'Created']).trimEnd(),
    )
    expect(text).toContain(",'=cmd26,Waiting,10,0,USDC,")

    await page.reload()
    expect(await page.getByLabel('Status').inputValue()).toBe('pending')
    await page.getByLabel('Search', { exact: true }).fill('=cmd3')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=/)
    await page.getByText('1 invoice shown').waitFor()
  }, 120_000)

  test('says what to do when there is nothing, when nothing fits, and when it failed', async () => {
    const { rig, url } = site
    const { id } = (await rig.newMerchant()).merchant
    await enterAs(await newMember(rig, 'reader', id, { origin: url, hasSecondFactor: false }))
    await page.goto(`${url}/dashboard/merchants/${id}/invoices`)
    await heading('No invoices yet')
    await inspect()
    await page.getByLabel('Status').selectOption('paid')
    await heading('No invoice fits')
    const pattern = '**/dashboard/api/merchants/*/v1/invoices?*'
    await page.route(pattern, (route) => route.fulfill({ status: 500, body: 'x' }))
    await page.goto(`${url}/dashboard/merchants/${id}/invoices`)
    await heading('This could not be loaded')
    await inspect()
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('No invoices yet')
    await page.goto(`${url}/dashboard/merchants/${id}/invoices/${crypto.randomUUID()}`)
    await heading('There is no such invoice')
    await page.goto(list())
    await heading('There is no such page')
  }, 120_000)
})

test('on a phone the other pages are behind a button, and by keyboard as well', async () => {
  await enterAs(await member('owner'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(list())
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
  await context.close()
  context = await browser.newContext({ locale: 'de-DE' })
  page = await context.newPage()
  await enterAs(await member('owner'))
  await site.rig.create()
  await page.goto(list())
  await heading('Rechnungen')
  await page.getByRole('link', { name: 'Sicherheit' }).click()
  await heading('Sitzungen')
  await inspect()
  await page.goto(`${site.url}/dashboard/merchants/${site.rig.merchant.merchant.id}/audit`)
  await page.getByText('Angemeldet').filter({ visible: true }).first().waitFor()
  await inspect()
}, 60_000)

describe('a passkey', () => {
  beforeEach(async () => {
    await enterAs(await member('owner'))
    await addAuthenticator(page)
    await page.goto(`${site.url}/dashboard/security`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Remove' }).waitFor()
    await signOut()
  })

  test('signs in, without password and code', async () => {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  }, 60_000)

  test('signs nobody in once it is removed', async () => {
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.goto(`${site.url}/dashboard/security`)
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'passkey was not accepted' }).waitFor()
  }, 60_000)

  test('signs nobody in whom the device has not verified, whatever a page asked it for', async () => {
    const status = await page.evaluate(async () => {
      const auth = '/dashboard/auth/passkey'
      const options = await (await fetch(`${auth}/generate-authenticate-options`)).json()
      const wanted = { ...options, userVerification: 'discouraged' }
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(wanted)
      const found = await navigator.credentials.get({ publicKey })
      const response = found instanceof PublicKeyCredential ? found.toJSON() : null
      const answer = await fetch(`${auth}/verify-authentication`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ response }),
      })
      return answer.status
    })
    expect(status).toBe(401)
    expect((await page.goto(`${site.url}/dashboard/api/me`))?.status()).toBe(401)
  }, 60_000)
})
