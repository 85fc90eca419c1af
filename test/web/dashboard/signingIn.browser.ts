import { expect, test } from 'bun:test'
import { pay } from '../../support/api/ledger.ts'
import { PASSWORD, totp } from '../../support/api/people.ts'
import { remit } from '../../support/cli/run.ts'
import { useDashboard } from '../../support/web/dashboard/useDashboard.ts'

/** How people come in, in a real browser: by invitation and by themselves; factors.browser.ts has the other ways. */

const dashboard = useDashboard({ variables: { DASHBOARD_SIGN_UP: 'on' } })
const { heading, inspect, signIn, signOut } = dashboard

test('from an invitation to an invoice', async () => {
  const { page, rig, url } = dashboard
  const email = `ada.${crypto.randomUUID().slice(0, 8)}@example.com`
  const invited = await remit(
    { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url },
    ...['merchant', 'invite', rig.merchant.merchant.id, '--email', email, '--role', 'owner'],
    '--json',
  )
  expect(invited.err).toBe('')
  const link = String(invited.json().url)

  await page.goto(link)
  await heading('Join Test')
  await inspect()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Password').fill('passwordpassword')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').filter({ hasText: 'tried first' }).waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading('Check your email')

  await page.goto(`${url}/dashboard/mailbox`)
  await inspect()
  await page.locator('article', { hasText: 'Confirm your' }).first().getByRole('link').click()
  await heading('Confirm your email address')
  await inspect()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await heading('Email address confirmed')
  await inspect()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await heading('Sign in')
  await inspect()
  await signIn(email)

  await heading('Turn on two-factor authentication')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.locator('.secret').textContent()) ?? ''
  await inspect()
  const used = totp(secret)
  await page.getByRole('textbox', { name: 'Code' }).fill(used)
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading('Save your recovery codes')
  expect(await page.locator('.codes li').count()).toBe(10)
  await inspect()
  // Neither reading the user again nor going on without a confirmation loses the codes.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading('Save your recovery codes')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download codes' }).click()
  const file = await Bun.file(await (await saved).path()).text()
  expect(file.trim().split('\n')).toEqual(await page.locator('.codes li').allInnerTexts())
  await page.getByLabel('I saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading('Overview')
  await signOut()

  const invoice = await rig.create({ externalRef: 'order-42', metadata: { cart: '<b>7</b>' } })
  await pay(rig, invoice, 4_000_000n)
  await signIn(email)
  await heading('Enter your code')
  await inspect()
  await page.getByRole('textbox', { name: 'Code' }).fill(used)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').filter({ hasText: 'Incorrect or expired code' }).waitFor()
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
  await page.getByText('Payment of 4.00 USDC detected').waitFor()
  await page.getByText('<b>7</b>').waitFor()
  await inspect()

  await page.goto(link)
  await heading('This invitation is no longer valid')
}, 240_000)

test('somebody signs up without an invitation, and is let in again by the operator', async () => {
  const { page, rig, url } = dashboard
  const email = `grace.${crypto.randomUUID().slice(0, 8)}@example.com`
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await heading('Create an account')
  await inspect()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading('Check your email')
  await page.goto(`${url}/dashboard/mailbox`)
  await page.locator('article', { hasText: 'Confirm your' }).first().getByRole('link').click()
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await signIn(email)
  await heading('You’re not a member of a merchant yet')
  await signOut()

  const variables = { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: url }
  const recovered = await remit(variables, 'person', 'recover', '--email', email, '--json')
  await signIn(email)
  await page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor()
  await page.goto(String(recovered.json().url))
  await heading('Reset your password')
  await inspect()
  await page.getByLabel('Password').fill('nine green doors in may')
  await page.getByRole('button', { name: 'Set password' }).click()
  await heading('Password reset')
  await page.goto(String(recovered.json().url))
  await page.reload()
  await page.getByLabel('Password').fill('nine green doors in june')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('alert').filter({ hasText: 'This link was already used' }).waitFor()
}, 120_000)
