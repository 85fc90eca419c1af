import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Authenticator, type Claims } from '../../support/api/authenticator.ts'
import {
  Browser,
  newMember,
  ORIGIN,
  openDashboardRig,
  type SignedIn,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** Passkeys, as authenticators and pages could lie about them. */

const RIGHT: Claims = { origin: ORIGIN, rpId: 'localhost', isVerified: true }
const FALSE: readonly (readonly [string, Partial<Claims>])[] = [
  ['on a page of another origin', { origin: 'https://evil.example' }],
  ['on another port of the same host', { origin: 'http://localhost:3001' }],
  ['for another place', { rpId: 'evil.example' }],
  ['by a device that has not asked who holds it', { isVerified: false }],
]

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

const me = (browser: Browser) => browser.send('GET', '/dashboard/api/me')

async function challengeFor(browser: Browser, what: 'register' | 'authenticate'): Promise<string> {
  const path = `/dashboard/auth/passkey/generate-${what}-options`
  return String((await browser.send('GET', path)).json.challenge)
}

async function register(browser: Browser, key: Authenticator, claims: Claims) {
  const response = key.register(await challengeFor(browser, 'register'), claims)
  return browser.auth('/passkey/verify-registration', { response, name: 'Key' })
}

async function signIn(browser: Browser, key: Authenticator, claims: Claims) {
  const response = key.signIn(await challengeFor(browser, 'authenticate'), claims)
  return browser.auth('/passkey/verify-authentication', { response })
}

async function withPasskey(): Promise<SignedIn & { readonly key: Authenticator }> {
  const person = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  const key = new Authenticator()
  expect((await register(person.browser, key, RIGHT)).status).toBe(200)
  return { ...person, key }
}

test('a passkey signs in the user who made it, with a challenge that is good once', async () => {
  const { key, email } = await withPasskey()
  const browser = new Browser(rig)
  expect((await signIn(browser, key, RIGHT)).status).toBe(200)
  expect((await me(browser)).json.data).toMatchObject({ person: { email } })

  const again = new Browser(rig)
  const response = key.signIn(await challengeFor(again, 'authenticate'), RIGHT)
  const copy = new Browser(rig)
  for (const [name, value] of again.cookies) copy.cookies.set(name, value)
  expect((await again.auth('/passkey/verify-authentication', { response })).status).toBe(200)
  const replayed = await copy.auth('/passkey/verify-authentication', { response })
  expect(replayed.status).toBeGreaterThanOrEqual(400)
  expect((await me(copy)).status).toBe(401)
})

describe.each(FALSE)('a passkey that was shown %s', (_, lie) => {
  test('is not made', async () => {
    const { browser, email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const { status } = await register(browser, new Authenticator(), { ...RIGHT, ...lie })
    expect(status).toBeGreaterThanOrEqual(400)
    const made = await rig.database`
      select from auth.passkey p join auth."user" u on u.id = p."userId" where u.email = ${email}`
    expect(made).toHaveLength(0)
  })

  test('signs no one in', async () => {
    const { key } = await withPasskey()
    const browser = new Browser(rig)
    expect((await signIn(browser, key, { ...RIGHT, ...lie })).status).toBeGreaterThanOrEqual(400)
    expect((await me(browser)).status).toBe(401)
  })
})

test('a passkey is removed by the user who made it, and by no one else', async () => {
  const { key, browser, email } = await withPasskey()
  const [row] = await rig.database<{ id: string }[]>`
    select p.id from auth.passkey p join auth."user" u on u.id = p."userId" where u.email = ${email}`
  const other = await newMember(rig, 'owner')
  const remove = (of: Browser) => of.auth('/passkey/delete-passkey', { id: row?.id })
  expect((await remove(other.browser)).status).toBeGreaterThanOrEqual(400)
  expect((await signIn(new Browser(rig), key, RIGHT)).status).toBe(200)
  expect((await remove(browser)).status).toBe(200)
  expect((await signIn(new Browser(rig), key, RIGHT)).status).toBe(401)
})

test('a user who is removed from their last merchant keeps no passkey', async () => {
  const { key, email } = await withPasskey()
  await rig.database`
    delete from member m using auth."user" u where u.id = m.person_id and u.email = ${email}`
  expect((await signIn(new Browser(rig), key, RIGHT)).status).toBe(401)
})
