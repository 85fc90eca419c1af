import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  Browser,
  newEmail,
  newMember,
  ORIGIN,
  openDashboardRig,
  PASSWORD,
  signIn,
  signUp,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'

/** Letting a user in again, and signing up without an invitation. */

const NEXT = 'nine green doors in may'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { DASHBOARD_SIGN_UP: 'on' } })
}, 120_000)
afterAll(() => rig.close())

const me = (browser: Browser) => browser.send('GET', '/dashboard/api/me')
const recover = (email: string) =>
  remit(
    { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: ORIGIN },
    ...['person', 'recover', '--email', email, '--json'],
  )
const finish = (token: string, password = NEXT) =>
  new Browser(rig).send('POST', '/dashboard/api/recoveries', { token, password })

test('the operator lets a user in again, who has nothing of before and a link that works once', async () => {
  const person = await newMember(rig, 'owner')
  const waiting = new Browser(rig)
  await signIn(waiting, person.email)
  const { code, json } = await recover(person.email)
  expect(code).toBe(0)
  const url = new URL(String(json().url))
  expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/dashboard/recover`)
  expect((await me(person.browser)).status).toBe(401)
  expect((await signIn(new Browser(rig), person.email)).status).toBe(401)
  const late = await waiting.auth('/two-factor/verify-totp', { code: totp(person.secret ?? '') })
  expect(late.status).toBe(401)
  const [mail] = await rig.database<{ body: string }[]>`
    select body from mail where recipient = ${person.email} order by created_at desc limit 1`
  expect(mail?.body).toContain(url.href)

  const token = url.hash.slice(1)
  const kept = await rig.database`select identifier from auth.verification`
  expect(JSON.stringify(kept)).not.toContain(token)
  expect((await finish(token, 'password1234')).json.code).toBe('invalid_request_body')
  const answers = await Promise.all([finish(token), finish(token), finish(token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  expect((await finish(token)).json.code).toBe('recovery_not_found')
  const browser = new Browser(rig)
  expect((await signIn(browser, person.email, NEXT)).json.twoFactorRedirect).toBeUndefined()
  expect((await me(browser)).json.data).toMatchObject({ person: { hasSecondFactor: false } })
  const refused = await browser.api('GET', rig.merchant.merchant.id, '/v1/audit')
  expect(refused.json.code).toBe('second_factor_required')
})

test('a recovery stands in the log of each merchant, with the operator who ordered it', async () => {
  const person = await newMember(rig, 'reader')
  await recover(person.email)
  const entries = await rig.database`
    select merchant_id, actor, action, after, status
    from audit_entry e join audit_outcome o on o.entry_id = e.id
    where after ->> 'email' = ${person.email}`
  expect([...entries]).toEqual([
    {
      merchantId: rig.merchant.merchant.id,
      actor: 'operator',
      action: 'recoverPerson',
      after: { email: person.email },
      status: 200,
    },
  ])
})

test('a recovery ends after a day, and is of no unknown user', async () => {
  const person = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  const { json } = await recover(person.email)
  rig.setClock(new Date(Date.now() + 24 * 3_600_000 + 1_000))
  expect((await finish(new URL(String(json().url)).hash.slice(1))).status).toBe(404)
  rig.setClock(null)
  const nobody = await recover(newEmail())
  expect([nobody.code === 0, nobody.err.includes('no user has the address')]).toEqual([false, true])
})

test('signing up without an invitation is access to nothing', async () => {
  const email = newEmail()
  const browser = new Browser(rig)
  expect((await signUp(browser, email, null)).status).toBe(200)
  expect((await signIn(browser, email)).json.code).toBe('EMAIL_NOT_VERIFIED')
  await rig.database`update auth."user" set "emailVerified" = true where email = ${email}`
  await signIn(browser, email, PASSWORD)
  const { data } = (await me(browser)).json
  expect(data).toMatchObject({ merchants: [], isOperator: false })
  const path = `/dashboard/api/merchants/${rig.merchant.merchant.id}/v1/invoices`
  expect((await browser.send('GET', path)).json.code).toBe('merchant_not_found')
  expect((await rig.fetch('/dashboard/sign-up')).status).toBe(200)
})

test('a user with an account is told so by email only', async () => {
  const { email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  await signUp(new Browser(rig), email, null)
  const [mail] = await rig.database<{ subject: string; body: string }[]>`
    select subject, body from mail where recipient = ${email} order by created_at desc limit 1`
  expect(mail?.subject).toBe('You already have an account')
  expect(mail?.body).toContain(`${ORIGIN}/dashboard/sign-in`)
})
