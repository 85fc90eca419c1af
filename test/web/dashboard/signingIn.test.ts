import { beforeEach, describe, expect, test } from 'bun:test'
import { pay } from '../../support/api/ledger.ts'
import { PASSWORD, totp } from '../../support/api/people.ts'
import { remit } from '../../support/cli/run.ts'
import { addAuthenticator } from '../../support/web/authenticator.ts'
import { useDashboard } from '../../support/web/dashboard/useDashboard.ts'

/** How people come in, in a real browser: by invitation, by themselves, with a backup code or a passkey. */

const dashboard = useDashboard({ variables: { DASHBOARD_SIGN_UP: 'on' } })
const { enterAs, heading, inspect, member, signIn, signOut } = dashboard

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

test('a backup code signs in once, and a wrong one says what to do', async () => {
  const { page, url } = dashboard
  const { email, backupCodes } = await member('reader')
  const [first = '', second = ''] = backupCodes
  const enterCode = async (code: string) => {
    await page.getByLabel('Recovery code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const isRefused = () =>
    page.getByRole('alert').filter({ hasText: 'Incorrect or used recovery code' }).waitFor()
  const begin = async () => {
    await page.goto(`${url}/dashboard`)
    await signIn(email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
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

describe('a passkey', () => {
  beforeEach(async () => {
    const { page, url } = dashboard
    await enterAs(await member('owner'))
    await addAuthenticator(page)
    await page.goto(`${url}/dashboard/security`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('button', { name: 'Remove' }).waitFor()
    await signOut()
  })

  test('signs in, without password and code', async () => {
    const { page } = dashboard
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  }, 60_000)

  test('signs nobody in once it is removed', async () => {
    const { page, url } = dashboard
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.goto(`${url}/dashboard/security`)
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').filter({ hasText: 'passkey didn’t work' }).waitFor()
  }, 60_000)

  test('signs nobody in whom the device has not verified, whatever a page asked it for', async () => {
    const { page, url } = dashboard
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
    expect((await page.goto(`${url}/dashboard/api/me`))?.status()).toBe(401)
  }, 60_000)
})
