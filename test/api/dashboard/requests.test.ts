import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CHANGES } from '../../../api/dashboard/auth/paths.ts'
import { addOperator } from '../../../store/access/operators.ts'
import {
  Browser,
  invite,
  newEmail,
  newMember,
  ORIGIN,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  signUp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** What other pages, links and headers can have the dashboard do: nothing, on any of its paths. */

const ID = '019a0000-0000-7000-8000-000000000000'
const EVIL = 'https://evil.example'

let rig: ApiRig
/** May do everything: an owner who runs the deployment as well. */
let owner: SignedIn

beforeAll(async () => {
  rig = await openDashboardRig({
    variables: { DASHBOARD_MAILBOX: 'on', RATE_LIMIT_PAYERS: '1000000' },
  })
  owner = await newMember(rig, 'owner')
  await addOperator(rig.database, owner.email)
}, 120_000)
afterAll(() => rig.close())

/** The dashboard's paths for these methods, with the merchant of the rig and an id that nothing has. */
function pathsFor(isWanted: (method: string) => boolean) {
  return rig.routes
    .filter(({ method, path }) => path.startsWith('/dashboard') && isWanted(method))
    .flatMap(({ method, path }) => {
      const filled = path
        .replace(':merchantId', rig.merchant.merchant.id)
        .replace(/:\w+/g, ID)
        .replace(/\/\*$/, '/x')
      if (path !== '/dashboard/auth/*') return [{ method, path: filled }]
      return Object.keys(CHANGES).map((one) => ({ method, path: `/dashboard/auth${one}` }))
    })
}

async function contentOf(table: 'invitation' | 'audit_entry'): Promise<number> {
  const rows = await rig.database`select 1 from ${rig.database(table)}`
  return rows.length
}

test('a page of anyone else changes nothing, by whatever path and as whatever it sends it', async () => {
  const paths = pathsFor((method) => method !== 'GET')
  expect(paths.length).toBeGreaterThan(55)
  const before = await contentOf('audit_entry')
  for (const { method, path } of paths) {
    for (const origin of [EVIL, 'null', `${ORIGIN}.evil.example`, `${ORIGIN}@evil.example`, null]) {
      const browser = new Browser(rig, origin)
      for (const [name, value] of owner.browser.cookies) browser.cookies.set(name, value)
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await browser.send(method, path, {}, { 'content-type': type })
        expect({ path, origin, code: answer.json.code }).toEqual({
          path,
          origin,
          code: 'origin_not_allowed',
        })
      }
    }
  }
  expect(await contentOf('audit_entry')).toBe(before)
  expect((await owner.browser.send('GET', '/dashboard/api/me')).status).toBe(200)
}, 60_000)

test('no page stands in a frame of another one', async () => {
  const pages: string[] = []
  for (const { method, path } of pathsFor((one) => one === 'GET')) {
    if (path.startsWith('/dashboard/api/') || path.startsWith('/dashboard/auth/')) continue
    const { status, headers } = await owner.browser.send(method, path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    pages.push(path)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    // The settings show it beside them; it has no script and no form.
    const isPreview = path === '/dashboard/checkout-preview'
    const ancestors = isPreview ? "frame-ancestors 'self'" : "frame-ancestors 'none'"
    expect({ path, status, policy }).toEqual({
      path,
      status,
      policy: expect.arrayContaining(["default-src 'none'", ancestors]),
    })
    const frame = isPreview ? 'SAMEORIGIN' : 'DENY'
    expect({ path, frame: headers.get('x-frame-options') }).toEqual({ path, frame })
  }
  expect(pages).toContain('/dashboard/mailbox')
  expect(pages).toContain('/dashboard/operator/queues')
  expect(pages.length).toBeGreaterThan(25)
}, 60_000)

describe('a link or a field that leads elsewhere', () => {
  const fields = {
    callbackURL: `${EVIL}/`,
    redirectTo: `${EVIL}/`,
    errorCallbackURL: `${EVIL}/`,
    newUserCallbackURL: `${EVIL}/`,
  }

  test.each([`${EVIL}/`, '//evil.example', '/\\evil.example', '/dashboard'])(
    'leads nobody to %s after signing in',
    async (place) => {
      const { email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
      const all = Object.fromEntries(Object.keys(fields).map((name) => [name, place]))
      const browser = new Browser(rig)
      const answer = await browser.auth('/sign-in/email', { email, password: PASSWORD, ...all })
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      expect(answer.json.url).toBeUndefined()
      const query = new URLSearchParams(fields)
      const again = await browser.send('POST', `/dashboard/auth/sign-out?${query}`, fields)
      expect([again.status, again.headers.get('location')]).toEqual([200, null])
    },
  )

  test('leads to the page whose button says so when a confirmation is false or old', async () => {
    const query = new URLSearchParams({ token: '//x"', ...fields })
    const browser = new Browser(rig)
    const opened = await browser.send('GET', `/dashboard/auth/verify-email?${query}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([
      302,
      '/dashboard/confirmed#%2F%2Fx%22',
    ])
    const { status, headers, json } = await browser.auth('/verify-email', { token: 'x', ...fields })
    expect([status, headers.get('location'), json.code]).toEqual([401, null, 'INVALID_TOKEN'])
  })
})

describe('mails', () => {
  const POISON = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example;proto=https',
  }

  const mailsTo = (email: string) => rig.database<{ subject: string; body: string }[]>`
    select subject, body from mail where recipient = ${email} order by created_at`

  test('link to where the configuration says, regardless of who asks and by whatever name', async () => {
    const [joined, invited] = [newEmail(), newEmail()]
    const browser = new Browser(rig)
    const token = await invite(rig, joined, 'reader')
    const person = { name: 'Ada', email: joined, password: PASSWORD }
    await browser.auth('/sign-up/email', person, { ...POISON, 'x-remit-invitation': token })
    await browser.auth('/sign-in/email', { email: joined, password: PASSWORD }, POISON)
    await browser.auth('/send-verification-email', { email: joined, callbackURL: EVIL }, POISON)
    await owner.browser.send(
      'POST',
      `/dashboard/api/merchants/${rig.merchant.merchant.id}/v1/invitations`,
      { email: invited, role: 'reader' },
      POISON,
    )
    const mails = [...(await mailsTo(joined)), ...(await mailsTo(invited))]
    expect(mails).toHaveLength(4)
    for (const { body } of mails) {
      expect(body).not.toContain('evil')
      const links = body.match(/\w+:\/\/\S+/g) ?? []
      expect(links.map((link) => new URL(link).origin)).toEqual([ORIGIN])
    }
  })

  test('have one line for a subject, and one address, regardless of what a name says', async () => {
    const other = (await rig.newMerchant()).merchant
    const boss = await newMember(rig, 'owner', other.id)
    await rig.database`
      update merchant set name = ${'Tea\r\nBcc: all@evil.example\n\nx'} where id = ${other.id}`
    const email = newEmail()
    const sent = await boss.browser.api('POST', other.id, '/v1/invitations', {
      email,
      role: 'reader',
    })
    expect(sent.status).toBe(201)
    const [mail] = await mailsTo(email)
    expect(mail?.subject).not.toMatch(/[\r\n]/)
    const named = await new Browser(rig).auth(
      '/sign-up/email',
      { name: 'Ada\r\nBcc: all@evil.example', email, password: PASSWORD },
      { 'x-remit-invitation': await invite(rig, email, 'reader') },
    )
    expect(named.json.code).toBe('INVALID_NAME')
  })
})

test('a sign-in that is no JSON is none, so that no form is counted for no one', async () => {
  const { email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  const response = await rig.fetch('/dashboard/auth/sign-in/email', {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password: PASSWORD }).toString(),
  })
  expect(response.status).toBe(400)
  expect(response.headers.getSetCookie()).toEqual([])
})

test('an address of which no one has the emails can’t be taken from the user who is invited', async () => {
  const open = await openDashboardRig({ variables: { DASHBOARD_SIGN_UP: 'on' } })
  const email = newEmail()
  expect((await signUp(new Browser(open), email, null, 'a password of the thief')).status).toBe(200)
  const token = await invite(open, email, 'owner', open.merchant.merchant.id)
  const look = await new Browser(open).send('POST', '/dashboard/api/invitations/look', { token })
  expect(look.json.data).toMatchObject({ hasAccount: false })
  expect((await signUp(new Browser(open), email, token)).status).toBe(200)
  const thief = await signIn(new Browser(open), email, 'a password of the thief')
  expect(thief.status).toBe(401)
  expect((await signIn(new Browser(open), email)).json.code).toBe('EMAIL_NOT_VERIFIED')
  const members = await open.database`
    select from member m join auth."user" u on u.id = m.person_id where u.email = ${email}`
  expect(members).toHaveLength(1)
  await open.close()
})
