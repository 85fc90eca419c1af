import { beforeEach, describe, expect, test } from 'bun:test'
import { addAuthenticator } from '../../support/web/authenticator.ts'
import { useDashboard } from '../../support/web/dashboard/useDashboard.ts'

/** Signing in with a backup code and with a passkey, in a real browser. */

const dashboard = useDashboard()
const { enterAs, member, signIn, signOut } = dashboard

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
