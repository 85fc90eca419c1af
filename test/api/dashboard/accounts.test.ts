import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { addOperator, removeOperator } from '../../../store/access/operators.ts'
import {
  Browser,
  invite,
  type Json,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  signUp,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** What a user learns, guesses or keeps who is not who they say. */

const WRONG = 'seven loud lamps at noon'
const BACKUP = '/two-factor/verify-backup-code'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { DASHBOARD_SIGN_UP: 'on' } })
}, 120_000)
afterAll(() => rig.close())

const me = (browser: Browser) => browser.send('GET', '/dashboard/api/me')
const plain = () => newMember(rig, 'reader', undefined, { hasSecondFactor: false })

async function afterPassword(email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(rig)
  expect((await signIn(browser, email, password)).json.twoFactorRedirect).toBe(true)
  return browser
}

/** How many passwords were hashed, or held against a hash, meanwhile. */
async function hashesOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const [hash, verify] = [spyOn(Bun.password, 'hash'), spyOn(Bun.password, 'verify')]
  try {
    const answer = await work()
    return [answer, hash.mock.calls.length + verify.mock.calls.length]
  } finally {
    hash.mockRestore()
    verify.mockRestore()
  }
}

/** An answer without what it repeats of the question, and without what is drawn again for each. */
function shapeOf({ status, json }: { readonly status: number; readonly json: Json }) {
  const text = JSON.stringify(json)
    .replace(/[\w.]+@example\.com/g, 'EMAIL')
    .replace(/[0-9a-f-]{36}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  return { status, text }
}

async function unconfirmed(): Promise<string> {
  const email = newEmail()
  await signUp(new Browser(rig), email, await invite(rig, email, 'reader'))
  return email
}

describe('no one learns whether an address has an account', () => {
  test('by signing in: the same words for as much work', async () => {
    const seen = []
    for (const email of [(await plain()).email, await unconfirmed(), newEmail()]) {
      const [answer, hashes] = await hashesOf(() => signIn(new Browser(rig), email, WRONG))
      seen.push({ ...shapeOf(answer), hashes })
    }
    expect(seen[0]).toMatchObject({ status: 401, hashes: 1 })
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  test('by signing up: the same words for as much work', async () => {
    const seen = []
    for (const email of [(await plain()).email, await unconfirmed(), newEmail()]) {
      const [answer, hashes] = await hashesOf(() => signUp(new Browser(rig), email, null))
      seen.push({ ...shapeOf(answer), hashes })
    }
    expect(seen[0]).toMatchObject({ status: 200, hashes: 1 })
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  test('by asking for the email of confirmation once more', async () => {
    const emails = [(await plain()).email, await unconfirmed(), newEmail()]
    const answers = await Promise.all(
      emails.map(async (email) =>
        shapeOf(await new Browser(rig).auth('/send-verification-email', { email })),
      ),
    )
    expect(answers[0]?.status).toBe(200)
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  })
})

describe('a recovery code', () => {
  test('is good once, also when six show it at the same moment', async () => {
    const { email, backupCodes } = await newMember(rig, 'owner')
    const browsers = await Promise.all(Array.from({ length: 6 }, () => afterPassword(email)))
    const code = backupCodes[0] ?? ''
    await Promise.all(browsers.map((one) => one.auth(BACKUP, { code })))
    const standing = await Promise.all(browsers.map(async (one) => (await me(one)).status))
    expect(standing.filter((status) => status === 200)).toHaveLength(1)
  })

  test('can’t be guessed: five attempts per sign-in, ten per account, shared with the authenticator', async () => {
    const { email, backupCodes, secret } = await newMember(rig, 'owner')
    const [right = ''] = backupCodes
    const first = await afterPassword(email)
    for (let n = 0; n < 5; n++) {
      expect((await first.auth(BACKUP, { code: `wrong-${n}` })).status).toBe(401)
    }
    expect((await first.auth(BACKUP, { code: right })).status).not.toBe(200)
    const second = await afterPassword(email)
    const wrong = String((Number(totp(secret ?? '')) + 7) % 1_000_000).padStart(6, '0')
    for (let n = 0; n < 5; n++) await second.auth('/two-factor/verify-totp', { code: wrong })
    const third = await afterPassword(email)
    expect((await third.auth(BACKUP, { code: right })).status).toBe(429)
    expect((await me(third)).status).toBe(401)
  })
})

describe('a session that was stolen', () => {
  test('does not say which codes are right', async () => {
    const { browser, secret, backupCodes } = await newMember(rig, 'owner')
    const right = [
      await browser.auth('/two-factor/verify-totp', { code: totp(secret ?? '') }),
      await browser.auth(BACKUP, { code: backupCodes[0] }),
    ]
    const wrong = await browser.auth(BACKUP, { code: 'wrong-code' })
    for (const answer of right) expect([answer.status, answer.json]).toMatchObject([400, {}])
    expect(right.map(({ json }) => json.code)).toEqual([wrong.json.code, wrong.json.code])
  })

  test('guesses the password no faster than others, from however many addresses', async () => {
    const limited = await openDashboardRig({ variables: { RATE_LIMIT_SIGN_IN: '6' } })
    limited.setPeer('198.51.100.1')
    const { id } = limited.merchant.merchant
    const { browser } = await newMember(limited, 'reader', id, { hasSecondFactor: false })
    const answers: number[] = []
    for (let n = 0; n < 7; n++) {
      limited.setPeer(`203.0.113.${n}`)
      answers.push((await browser.auth('/two-factor/enable', { password: WRONG })).status)
    }
    expect(answers).toEqual([400, 400, 400, 400, 400, 400, 429])
    await limited.close()
  })

  test('takes no passkey away long after signing in', async () => {
    const { browser } = await plain()
    rig.setClock(new Date(Date.now() + 601_000))
    for (const path of ['/passkey/delete-passkey', '/passkey/update-passkey']) {
      const answer = await browser.auth(path, { id: crypto.randomUUID(), name: 'x' })
      expect(answer).toMatchObject({ status: 403, json: { code: 'fresh_sign_in_required' } })
    }
    rig.setClock(null)
  })
})

describe('sessions end', () => {
  async function twoBrowsers(person: SignedIn): Promise<Browser> {
    const other = new Browser(rig)
    await signIn(other, person.email)
    expect((await me(other)).status).toBe(200)
    return other
  }
  const change = (browser: Browser, currentPassword: string, newPassword: string) =>
    browser.auth('/change-password', { currentPassword, newPassword })

  test('when the password changes, except the one that changed it', async () => {
    const person = await plain()
    const other = await twoBrowsers(person)
    const next = 'nine green doors in may'
    expect((await change(person.browser, WRONG, next)).json.code).toBe('INVALID_PASSWORD')
    expect((await change(person.browser, PASSWORD, 'password1234')).json.code).toBe(
      'PASSWORD_REFUSED',
    )
    expect((await me(other)).status).toBe(200)
    expect((await change(person.browser, PASSWORD, next)).status).toBe(200)
    expect((await me(other)).status).toBe(401)
    expect((await me(person.browser)).status).toBe(200)
    expect((await signIn(new Browser(rig), person.email)).status).toBe(401)
    expect((await signIn(new Browser(rig), person.email, next)).status).toBe(200)
  })

  test('when the password changes, and so do sign-ins that wait for a code', async () => {
    const person = await newMember(rig, 'owner')
    const waiting = await afterPassword(person.email)
    await change(person.browser, PASSWORD, 'nine green doors in may')
    const code = totp(person.secret ?? '')
    expect((await waiting.auth('/two-factor/verify-totp', { code })).status).toBe(401)
  })

  test('when the second factor is taken away, but for the one in which it was', async () => {
    const person = await newMember(rig, 'reader')
    const other = await afterPassword(person.email)
    const code = totp(person.secret ?? '')
    expect((await other.auth('/two-factor/verify-totp', { code })).status).toBe(200)
    const disable = (password: string) => person.browser.auth('/two-factor/disable', { password })
    expect((await disable(WRONG)).status).toBe(400)
    expect((await me(other)).status).toBe(200)
    expect((await disable(PASSWORD)).status).toBe(200)
    expect((await me(other)).status).toBe(401)
    expect((await me(person.browser)).json.data).toMatchObject({
      person: { hasSecondFactor: false },
    })
  })

  test('when recovery codes are replaced, and the old codes stop working', async () => {
    const person = await newMember(rig, 'owner')
    const other = await afterPassword(person.email)
    await other.auth('/two-factor/verify-totp', { code: totp(person.secret ?? '') })
    const path = '/two-factor/generate-backup-codes'
    expect((await person.browser.auth(path, { password: PASSWORD })).status).toBe(200)
    expect((await me(other)).status).toBe(401)
    expect((await me(person.browser)).status).toBe(200)
    const old = await afterPassword(person.email)
    expect((await old.auth(BACKUP, { code: person.backupCodes[0] })).status).toBe(401)
  })

  test('twelve hours after signing in, despite activity', async () => {
    const { browser, email } = await plain()
    const ofThem = rig.database`select id from auth."user" where email = ${email}`
    expect((await me(browser)).status).toBe(200)
    const [session] = await rig.database<{ hours: number }[]>`
      select extract(epoch from "expiresAt" - "signedInAt")::float8 / 3600 as hours
      from auth.session where "userId" in (${ofThem})`
    expect(session?.hours).toBeCloseTo(12, 2)
    const age = (by: string) => rig.database`
      update auth.session set "expiresAt" = "expiresAt" - ${by}::interval, "createdAt" = "createdAt" - ${by}::interval
      where "userId" in (${ofThem})`
    await age('11 hours')
    expect((await me(browser)).status).toBe(200)
    await age('1 hour')
    expect((await me(browser)).status).toBe(401)
  })

  test('when a user is removed from a merchant, or from those who run the deployment', async () => {
    const person = await plain()
    await rig.database`
      delete from member m using auth."user" u where u.id = m.person_id and u.email = ${person.email}`
    expect((await me(person.browser)).status).toBe(401)
    const operator = await plain()
    await addOperator(rig.database, operator.email)
    expect((await me(operator.browser)).status).toBe(200)
    await removeOperator(rig.database, operator.email)
    expect((await me(operator.browser)).status).toBe(401)
  })

  test('when their browser signs in again', async () => {
    const { browser, email } = await plain()
    const copy = new Browser(rig)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    expect((await signIn(browser, email, WRONG)).status).toBe(401)
    expect((await me(copy)).status).toBe(200)
    expect((await signIn(browser, email)).status).toBe(200)
    expect((await me(copy)).status).toBe(401)
    expect((await me(browser)).status).toBe(200)
  })
})
