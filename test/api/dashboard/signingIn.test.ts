import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import {
  Browser,
  confirmAddress,
  invite,
  newEmail,
  newMember,
  ORIGIN,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  signUp,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** Signing up and in, as people do it and as others try to. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

const me = (browser: Browser) => browser.send('GET', '/dashboard/api/me')

/** A browser in which a user has given their password and not their code. */
async function afterPassword({ email }: SignedIn): Promise<Browser> {
  const browser = new Browser(rig)
  const { json } = await signIn(browser, email)
  expect(json.twoFactorRedirect).toBe(true)
  return browser
}

function withCode(browser: Browser, code: string) {
  return browser.auth('/two-factor/verify-totp', { code })
}

describe('signing up', () => {
  test('takes an invitation, and signing in a confirmed address', async () => {
    const email = newEmail()
    const browser = new Browser(rig)
    const token = await invite(rig, email, 'support')
    expect((await signUp(browser, email, token)).status).toBe(200)
    expect(browser.cookies.size).toBe(0)
    expect((await signIn(browser, email)).status).toBe(403)
    expect((await me(browser)).status).toBe(401)
    await confirmAddress(rig, browser, email)
    expect((await signIn(browser, email)).status).toBe(200)
    const { json } = await me(browser)
    expect(json.data).toMatchObject({ person: { email }, merchants: [{ role: 'support' }] })
  })

  test('keeps passwords as hashes that cost a guess memory and time', async () => {
    const earnest = await openDashboardRig({ isHashingInEarnest: true })
    await newMember(earnest, 'reader', undefined, { hasSecondFactor: false })
    const [account] = await earnest.database<{ password: string }[]>`
      select password from auth.account`
    await earnest.close()
    expect(account?.password).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test('uses the invitation up', async () => {
    const email = newEmail()
    const token = await invite(rig, email, 'owner')
    expect((await signUp(new Browser(rig), email, token)).status).toBe(200)
    expect((await signUp(new Browser(rig), email, token)).status).toBe(403)
  })

  test('says the same of addresses with and without an account', async () => {
    const { email } = await newMember(rig, 'reader')
    const token = await invite(rig, newEmail(), 'owner')
    for (const shown of [null, 'x', token]) {
      const answers = [
        await signUp(new Browser(rig), email, shown),
        await signUp(new Browser(rig), newEmail(), shown),
      ]
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
        [403, 'INVITATION_NEEDED'],
        [403, 'INVITATION_NEEDED'],
      ])
    }
  })

  test.each([
    ['eleven chars'.slice(0, 11), 'at least 12 characters'],
    ['password1234', 'tried first'],
    ['Password!!!!', 'tried first'],
    ['monkeymonkey', 'tried first'],
    ['123456789012', 'tried first'],
    ['x'.repeat(129), 'at most 128 characters'],
  ])('refuses the password %s', async (password, reason) => {
    const email = newEmail()
    const answer = await signUp(
      new Browser(rig),
      email,
      await invite(rig, email, 'owner'),
      password,
    )
    expect(answer.status).toBe(400)
    expect(answer.json.message).toContain(reason)
  })

  test('sends no email to a second line of an address', async () => {
    const email = `a@example.com\r\nBcc: ${newEmail()}`
    expect((await signUp(new Browser(rig), email, null)).json.code).toBe('INVALID_EMAIL')
  })

  test('links to the host of the configuration, regardless of what a request says', async () => {
    const email = newEmail()
    const token = await invite(rig, email, 'reader')
    await new Browser(rig).auth(
      '/sign-up/email',
      { name: 'Ada', email, password: PASSWORD },
      {
        'x-remit-invitation': token,
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      },
    )
    const [mail] = await rig.database<{ body: string }[]>`
      select body from mail where recipient = ${email}`
    expect(mail?.body).toContain(`${ORIGIN}/dashboard/auth/verify-email?token=`)
    expect(mail?.body).not.toContain('evil')
  })
})

describe('signing in', () => {
  test('says the same of a wrong password and of no one', async () => {
    const { email } = await newMember(rig, 'reader')
    const wrong = await signIn(new Browser(rig), email, 'seven loud lamps at noon')
    const nobody = await signIn(new Browser(rig), newEmail())
    expect([wrong.status, wrong.json]).toEqual([nobody.status, nobody.json])
    expect(wrong.status).toBe(401)
  })

  test('gives a session of its own, regardless of the cookie that was sent', async () => {
    const { email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const attacker = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const victim = new Browser(rig)
    for (const [name, value] of attacker.browser.cookies) victim.cookies.set(name, value)
    const planted = victim.cookie
    await signIn(victim, email)
    expect(victim.cookie).not.toBe(planted)
    expect((await me(victim)).json.data).toMatchObject({ person: { email } })
    // Signing in ends the session that the browser had before, whosever it was.
    expect((await me(attacker.browser)).status).toBe(401)
  })

  test('ends at sign-out, in the database too', async () => {
    const { browser } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const copy = new Browser(rig)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    expect((await me(copy)).status).toBe(200)
    await browser.auth('/sign-out')
    expect((await me(copy)).status).toBe(401)
  })

  test.each(['https://evil.example', 'null', null])('is refused to pages of %s', async (origin) => {
    const { email, browser } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const foreign = new Browser(rig, origin)
    expect((await signIn(foreign, email)).json.code).toBe('origin_not_allowed')
    for (const [name, value] of browser.cookies) foreign.cookies.set(name, value)
    for (const path of ['/sign-out', '/two-factor/enable', '/change-password', '/revoke-session']) {
      expect((await foreign.auth(path)).json.code).toBe('origin_not_allowed')
    }
  })

  test('is limited for each account and network, and says when to come back', async () => {
    const limited = await openDashboardRig({ variables: { RATE_LIMIT_SIGN_IN: '4' } })
    const email = newEmail()
    for (let n = 0; n < 4; n++) {
      limited.setPeer(`203.0.113.${n}`)
      expect((await signIn(new Browser(limited), email)).status).toBe(401)
    }
    limited.setPeer('203.0.113.99')
    const over = await signIn(new Browser(limited), email.toUpperCase())
    expect(over.status).toBe(429)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    limited.setPeer('198.51.100.7')
    expect((await signIn(new Browser(limited), email)).status).toBe(401)
    limited.setPeer('203.0.113.0')
    for (let n = 0; n < 3; n++) await signIn(new Browser(limited), newEmail())
    expect((await signIn(new Browser(limited), newEmail())).status).toBe(429)
    await limited.close()
  })
})

describe('the second factor', () => {
  test('is required at every sign-in, and no session exists before it', async () => {
    const member = await newMember(rig, 'owner')
    const browser = await afterPassword(member)
    expect((await me(browser)).status).toBe(401)
    expect((await withCode(browser, totp(member.secret ?? ''))).status).toBe(200)
    expect((await me(browser)).json.data).toMatchObject({ person: { hasSecondFactor: true } })
    const again = await afterPassword(member)
    const trusting = await again.auth('/two-factor/verify-totp', {
      code: totp(member.secret ?? '', 1),
      trustDevice: true,
    })
    expect(trusting.json.code).toBe('TRUST_NOT_POSSIBLE')
  })

  test('takes a code once, also when two come at the same moment', async () => {
    const member = await newMember(rig, 'owner')
    const browsers = await Promise.all(Array.from({ length: 6 }, () => afterPassword(member)))
    const code = totp(member.secret ?? '')
    const answers = await Promise.all(browsers.map((browser) => withCode(browser, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const signedIn = await Promise.all(browsers.map(async (one) => (await me(one)).status))
    expect(signedIn.filter((status) => status === 200)).toHaveLength(1)
  })

  test('can’t be guessed: five attempts per sign-in, ten per account', async () => {
    const member = await newMember(rig, 'owner')
    const secret = member.secret ?? ''
    const right = totp(secret, 0)
    const wrong = String((Number(right) + 7) % 1_000_000).padStart(6, '0')
    for (let round = 0; round < 2; round++) {
      const browser = await afterPassword(member)
      for (let n = 0; n < 5; n++) expect((await withCode(browser, wrong)).status).toBe(401)
      expect((await withCode(browser, right)).status).not.toBe(200)
      expect((await me(browser)).status).toBe(401)
    }
    const locked = await afterPassword(member)
    expect((await withCode(locked, right)).status).toBe(429)
  })

  test('takes a backup code once', async () => {
    const member = await newMember(rig, 'owner')
    const code = member.backupCodes[0] ?? ''
    const first = await afterPassword(member)
    expect((await first.auth('/two-factor/verify-backup-code', { code })).status).toBe(200)
    expect((await me(first)).status).toBe(200)
    const second = await afterPassword(member)
    expect((await second.auth('/two-factor/verify-backup-code', { code })).status).toBe(401)
  })

  test('is encrypted for its own row, and opens in no other one', async () => {
    const [member, thief] = [await newMember(rig, 'owner'), await newMember(rig, 'owner')]
    const rowOf = ({ email }: SignedIn) => rig.database<{ secret: string; backupCodes: string }[]>`
      select t.secret, t."backupCodes" from auth."twoFactor" t join auth."user" u on u.id = t."userId"
      where u.email = ${email}`
    const [row] = await rowOf(member)
    expect(row?.secret).toStartWith('sealed:1:')
    expect(row?.backupCodes).toStartWith('sealed:1:')
    await rig.database`
      update auth."twoFactor" t set secret = ${(await rowOf(thief))[0]?.secret ?? ''}
      from auth."user" u where u.id = t."userId" and u.email = ${member.email}`
    const browser = new Browser(rig)
    const printed = spyOn(console, 'error')
    const refused = await signIn(browser, member.email)
    expect(refused).toMatchObject({ status: 500, json: { success: false } })
    // The library would print all of the error, past the log.
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
    expect(rig.log.map(({ msg }) => msg)).toContain('a request failed unexpectedly')
    expect((await withCode(browser, totp(thief.secret ?? ''))).status).not.toBe(200)
    expect((await me(browser)).status).toBe(401)
  })

  test('ends the sessions from before it', async () => {
    const member = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const other = new Browser(rig)
    await signIn(other, member.email)
    expect((await me(other)).status).toBe(200)
    const { json } = await member.browser.auth('/two-factor/enable', { password: PASSWORD })
    const secret = new URL(String(json.totpURI)).searchParams.get('secret') ?? ''
    expect((await withCode(member.browser, totp(secret))).status).toBe(200)
    expect((await me(other)).status).toBe(401)
    expect((await me(member.browser)).status).toBe(200)
  })
})

describe('the paths of the library', () => {
  test.each([
    ['POST', '/request-password-reset'],
    ['POST', '/reset-password'],
    ['POST', '/change-email'],
    ['POST', '/update-user'],
    ['POST', '/delete-user'],
    ['POST', '/sign-in/social'],
    ['POST', '/two-factor/verify-otp'],
    ['GET', '/get-session'],
    ['GET', '/error'],
    ['GET', '/ok'],
    ['POST', '/sign-up/email/../../request-password-reset'],
    ['POST', '//sign-in/email'],
  ])('that the dashboard does not use are not there: %s %s', async (method, path) => {
    const answer = await new Browser(rig).send(method, `/dashboard/auth${path}`, {})
    expect(answer.status).toBe(404)
  })

  test('take short bodies only', async () => {
    const answer = await new Browser(rig).auth('/sign-in/email', { email: 'x'.repeat(20_000) })
    expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
  })

  test('lead nowhere else after confirming an address', async () => {
    const email = newEmail()
    await new Browser(rig).auth(
      '/sign-up/email',
      { name: 'Ada', email, password: PASSWORD, callbackURL: 'https://evil.example/' },
      { 'x-remit-invitation': await invite(rig, email, 'reader') },
    )
    const mails = await rig.database<{ body: string }[]>`
      select body from mail where recipient = ${email}`
    const [mail = ''] = mails.map(({ body }) => body)
    expect(mail).not.toContain('evil.example')
    const token = /token=(\S+)/.exec(mail)?.[1]
    const path = `/dashboard/auth/verify-email?token=${token}&callbackURL=https://evil.example/`
    const browser = new Browser(rig)
    for (const method of ['GET', 'HEAD']) {
      const opened = await browser.send(method, path)
      expect([opened.status, opened.headers.get('location')]).toEqual([
        302,
        `/dashboard/confirmed#${token}`,
      ])
    }
    // Scanners of emails open links: nothing is confirmed before the page's own button.
    expect((await signIn(browser, email)).json.code).toBe('EMAIL_NOT_VERIFIED')
    const other = new Browser(rig, 'https://evil.example')
    expect((await other.auth('/verify-email', { token })).status).toBe(403)
    expect((await signIn(browser, email)).json.code).toBe('EMAIL_NOT_VERIFIED')
    const answer = await browser.auth('/verify-email', {
      token,
      callbackURL: 'https://evil.example/',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect((await signIn(browser, email)).status).toBe(200)
  })

  test('are meant with blanks, line ends and capitals around the address', async () => {
    const { email } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    const typed = ` ${email.toUpperCase()}\r\n`
    expect((await signIn(new Browser(rig), typed)).status).toBe(200)
  })
})

test('sessions know where they were begun, and not what the caller says of that', async () => {
  rig.setPeer('198.51.100.7')
  const { browser } = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  rig.setPeer('203.0.113.7')
  const answer = await browser.send('GET', '/dashboard/auth/list-sessions', undefined, {
    'x-remit-client': '192.0.2.1',
  })
  expect(Object.values(answer.json).map((one) => Object(one).ipAddress)).toEqual(['198.51.100.7'])
})

test('cookies are for this host and its scripts can’t read them', async () => {
  const live = await openDashboardRig({ variables: { DASHBOARD_URL: 'https://pay.example.com' } })
  const email = newEmail()
  const browser = new Browser(live, 'https://pay.example.com')
  await signUp(browser, email, await invite(live, email, 'reader', live.merchant.merchant.id))
  await confirmAddress(live, browser, email)
  const { headers } = await signIn(browser, email)
  const cookies = headers.getSetCookie()
  const passkey = await browser.send('GET', '/dashboard/auth/passkey/generate-authenticate-options')
  cookies.push(...passkey.headers.getSetCookie())
  expect(cookies.map((cookie) => /remit\.([a-z_]+)/.exec(cookie)?.[1]).toSorted()).toEqual([
    ...['better', 'device', 'session_token'],
  ])
  expect((await me(browser)).status).toBe(200)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-remit\./)
    expect(cookie).toMatch(/; Path=\/(?:;|$)/i)
    expect(cookie).toMatch(/; Secure/i)
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    expect(cookie).not.toMatch(/; Domain/i)
  }
  // An earlier release named it so.
  const upgraded = new Browser(live, 'https://pay.example.com')
  upgraded.cookies.set('__Secure-remit.session_token', 'of-before')
  expect((await signIn(upgraded, email)).status).toBe(200)
  expect([...upgraded.cookies.keys()]).not.toContain('__Secure-remit.session_token')
  expect((await me(upgraded)).status).toBe(200)
  await live.close()
})
