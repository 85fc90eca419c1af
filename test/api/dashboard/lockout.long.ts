import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { createLimits } from '../../../api/http/rateLimit.ts'
import {
  Browser,
  exchangeWith,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** No one keeps a user from signing in: neither by wrong passwords, nor by work, nor from the user's own network. */

const LIMIT = 10
const WRONG = 'seven loud lamps at noon'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({
    variables: { RATE_LIMIT_SIGN_IN: String(LIMIT), DASHBOARD_SIGN_UP: 'on' },
  })
}, 120_000)
afterAll(() => rig.close())

const me = (browser: Browser) => browser.send('GET', '/dashboard/api/me')

let networks = 0
/** A network in which nothing was counted yet. */
function elsewhere(): string {
  networks += 1
  return `2001:db8:${(0x1000 + networks).toString(16)}::1`
}

async function newUser(hasSecondFactor = false): Promise<SignedIn> {
  rig.setPeer(elsewhere())
  return await newMember(rig, 'owner', undefined, { hasSecondFactor })
}

/** Statuses of so many attempts by strangers with a wrong password. */
async function guess(email: string, peer: string, times = LIMIT): Promise<number[]> {
  rig.setPeer(peer)
  const statuses: number[] = []
  for (let n = 0; n < times; n++) {
    statuses.push((await signIn(new Browser(rig), email, WRONG)).status)
  }
  return statuses
}

async function mailsTo(email: string) {
  return rig.database<{ subject: string; kind: string; body: string }[]>`
    select subject, kind, body from mail
    where recipient = ${email} and subject like 'Failed attempts%'`
}

describe('wrong passwords of strangers', () => {
  test('refuse neither the device of before, in their very network, nor another one elsewhere', async () => {
    const { email, browser } = await newUser()
    const home = elsewhere()
    expect(await guess(email, home)).not.toContain(429)
    expect(await guess(email, home, 1)).toEqual([429])
    // The strangers have used up the address, and the account in that network.
    expect((await signIn(new Browser(rig), email)).status).toBe(429)
    expect((await me(new Browser(rig))).status).toBe(429)
    await browser.auth('/sign-out')
    expect((await me(browser)).status).toBe(401)
    expect((await signIn(browser, email)).status).toBe(200)
    rig.setPeer(elsewhere())
    expect((await signIn(new Browser(rig), email)).status).toBe(200)
  })

  test('do not keep a user from signing in again, with a code', async () => {
    const { email, browser, secret } = await newUser(true)
    await guess(email, elsewhere())
    expect((await signIn(browser, email)).json.twoFactorRedirect).toBe(true)
    const code = { code: totp(secret ?? '') }
    expect((await browser.auth('/two-factor/verify-totp', code)).status).toBe(200)
    expect((await me(browser)).status).toBe(200)
  })

  test('count by the network that they come from, however many addresses it has', async () => {
    const { email } = await newUser()
    const statuses: number[] = []
    for (let n = 0; n <= LIMIT; n++) {
      statuses.push(...(await guess(email, `2001:db8:aa:${n.toString(16)}::1`, 1)))
    }
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429])
    const other = await newUser()
    const from = (n: number) => guess(other.email, `198.51.100.${n}`, 1)
    for (let n = 0; n < LIMIT; n++) expect(await from(n)).toEqual([401])
    expect(await from(99)).toEqual([429])
  })

  test('from many networks are slowed down, and the user is notified once', async () => {
    const { email, browser } = await newUser()
    const absent = newEmail()
    for (let n = 0; n < 5; n++) {
      const peer = elsewhere()
      await guess(email, peer)
      rig.setPeer(elsewhere())
      await guess(absent, elsewhere())
    }
    // The same of an address without an account, or it would tell which have one.
    for (const address of [email, absent]) {
      expect(await guess(address, elsewhere(), 2)).toEqual([401, 429])
    }
    const [mail, ...further] = await eventually(
      () => mailsTo(email),
      (found) => found.length > 0,
    )
    expect(further).toEqual([])
    expect(mail).toMatchObject({ kind: 'warning' })
    expect(mail?.body).toContain('/dashboard/security')
    expect(await mailsTo(absent)).toHaveLength(0)
    expect((await signIn(browser, email)).status).toBe(200)
    rig.setPeer(elsewhere())
    expect((await signIn(new Browser(rig), email)).status).toBe(200)
  })
})

describe('the cookie of a device', () => {
  const deviceOf = ({ cookies }: Browser) =>
    [...cookies].find(([name]) => name.startsWith('remit.device-')) ?? ['', '']

  test('comes with a complete sign-in only, and stays the same', async () => {
    const { email, browser } = await newUser(true)
    const [name, value] = deviceOf(browser)
    expect(value).not.toBe('')
    expect(`${name}=${value}`).not.toContain(email.split('@')[0] ?? '')
    const half = new Browser(rig)
    expect((await signIn(half, email)).json.twoFactorRedirect).toBe(true)
    expect(deviceOf(half)).toEqual(['', ''])
    expect((await signIn(new Browser(rig), email, WRONG)).headers.getSetCookie()).toEqual([])
    const plain = await newUser()
    const before = deviceOf(plain.browser)
    await signIn(plain.browser, plain.email)
    expect(deviceOf(plain.browser)).toEqual(before)
  })

  test('gives no further attempts on another account, nor when it was made up', async () => {
    const [{ email, browser }, own] = [await newUser(), await newUser()]
    const [name, value] = deviceOf(browser)
    const [ownName, ownValue] = deviceOf(own.browser)
    const peer = elsewhere()
    await guess(email, peer)
    for (const [shown, as] of [
      [ownName, ownValue],
      [name, ownValue],
      [name, `${value.slice(0, -3)}AAA`],
      [name, `${'A'.repeat(22)}${value.slice(22)}`],
      [`__Host-${name}`, value],
    ] as const) {
      // Another address of the same network: only the account's window is full.
      rig.setPeer(peer.replace(/::1$/, ':7::1'))
      const stranger = new Browser(rig)
      stranger.cookies.set(shown, as)
      expect((await signIn(stranger, email)).status).toBe(429)
    }
  })

  test('bounds its own guesses, too', async () => {
    const { email, browser } = await newUser()
    rig.setPeer(elsewhere())
    const [name, value] = deviceOf(browser)
    const statuses: number[] = []
    for (let n = 0; n <= LIMIT; n++) {
      rig.setPeer(elsewhere())
      const thief = new Browser(rig)
      thief.cookies.set(name, value)
      statuses.push((await signIn(thief, email, WRONG)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429])
  })

  test('of one account gives no window for attempts on others', async () => {
    const { browser } = await newUser()
    rig.setPeer(elsewhere())
    const statuses: number[] = []
    for (let n = 0; n <= LIMIT; n++)
      statuses.push((await signIn(browser, newEmail(), WRONG)).status)
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429])
  })

  test('does not let an account make others from one address without end', async () => {
    const { browser } = await newUser()
    rig.setPeer(elsewhere())
    const statuses: number[] = []
    for (let n = 0; n <= LIMIT; n++) {
      const body = { name: 'Eve', email: newEmail(), password: PASSWORD }
      statuses.push((await browser.auth('/sign-up/email', body)).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

test('wrong passwords within a stolen session refuse none within another', async () => {
  const { email, browser } = await newUser()
  const other = new Browser(rig)
  await signIn(other, email)
  const enable = (from: Browser, password: string) => from.auth('/two-factor/enable', { password })
  for (let n = 0; n <= LIMIT; n++) {
    // With nothing but the cookie of the session.
    const thief = new Browser(rig)
    thief.cookies.set('remit.session_token', browser.cookies.get('remit.session_token') ?? '')
    rig.setPeer(elsewhere())
    await enable(thief, WRONG)
  }
  expect((await enable(browser, PASSWORD)).status).toBe(429)
  expect((await enable(other, PASSWORD)).status).toBe(200)
})

test('the user is notified when someone with the password guesses codes', async () => {
  const { email, secret } = await newUser(true)
  const wrong = String((Number(totp(secret ?? '')) + 7) % 1_000_000).padStart(6, '0')
  for (let round = 0; round < 3; round++) {
    rig.setPeer(elsewhere())
    const thief = new Browser(rig)
    await signIn(thief, email)
    for (let n = 0; n < 5; n++) await thief.auth('/two-factor/verify-totp', { code: wrong })
  }
  // It is stored after the answer.
  const mails = await eventually(
    () => mailsTo(email),
    (found) => found.length > 0,
  )
  expect(mails.map(({ body }) => body)).toEqual([
    expect.stringContaining('someone has your password'),
  ])
})

describe('wrong codes after the right password', () => {
  const wrongFor = (secret: string | null) =>
    String((Number(totp(secret ?? '')) + 7) % 1_000_000).padStart(6, '0')
  async function guessCodes(browser: Browser, secret: string | null, times: number) {
    const statuses: number[] = []
    for (let n = 0; n < times; n++) {
      const path = n % 2 === 0 ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
      statuses.push((await browser.auth(path, { code: wrongFor(secret) })).status)
    }
    return statuses
  }

  test('count by account and network, regardless of the address', async () => {
    const { email, browser, secret } = await newUser(true)
    const network = elsewhere().replace(/::1$/, '')
    let addresses = 0
    const move = () => {
      addresses += 1
      rig.setPeer(`${network}:${addresses}::1`)
    }
    for (const times of [5, 3]) {
      move()
      const thief = new Browser(rig)
      expect((await signIn(thief, email)).status).toBe(200)
      move()
      expect(await guessCodes(thief, secret, times)).toEqual(
        Array.from({ length: times }, () => 401),
      )
    }
    move()
    expect((await signIn(new Browser(rig), email)).status).toBe(429)
    // No one is refused elsewhere, nor in a browser of before.
    expect((await signIn(browser, email)).status).toBe(200)
    rig.setPeer(elsewhere())
    expect((await signIn(new Browser(rig), email)).status).toBe(200)
  })

  test('use up the attempts of a known browser', async () => {
    const { email, browser, secret } = await newUser(true)
    // Those of the minutes before.
    const limits = createLimits(rig.deps)
    for (let n = 3; n < LIMIT; n++) await limits.failed(exchangeWith(browser.cookie), email)
    const home = elsewhere()
    await guess(email, home)
    expect((await signIn(browser, email)).status).toBe(200)
    expect(await guessCodes(browser, secret, 3)).toEqual([401, 401, 401])
    expect((await signIn(browser, email)).status).toBe(429)
  })
})

describe('passwords are hashed', () => {
  /** Has every password wait, until it is released. */
  function holdUp() {
    const released = Promise.withResolvers<void>()
    const { hash, verify } = Bun.password
    const hashing = spyOn(Bun.password, 'hash').mockImplementation(async (password, how) => {
      await released.promise
      return await hash(password, how)
    })
    const verifying = spyOn(Bun.password, 'verify').mockImplementation(async (password, stored) => {
      await released.promise
      return await verify(password, stored)
    })
    return {
      calls: () => hashing.mock.calls.length + verifying.mock.calls.length,
      release() {
        released.resolve()
        hashing.mockRestore()
        verifying.mockRestore()
      },
    }
  }

  test('two at a time with a short queue, beyond which strangers are refused and the user is not', async () => {
    const busy = await openDashboardRig()
    const { id } = busy.merchant.merchant
    const { email, browser } = await newMember(busy, 'reader', id, { hasSecondFactor: false })
    await browser.auth('/sign-out')
    const attempt = () => signIn(new Browser(busy), newEmail(), WRONG)
    const held = holdUp()
    try {
      const refused: Awaited<ReturnType<typeof attempt>>[] = []
      const strangers = Array.from({ length: 14 }, async () => {
        const answer = await attempt()
        refused.push(answer)
        return answer.status
      })
      await eventually(
        async () => refused.length,
        (count) => count === 4,
      )
      const [first] = refused
      expect([first?.status, first?.json.code]).toEqual([503, 'service_unavailable'])
      expect(Number(first?.headers.get('retry-after'))).toBeGreaterThan(0)
      const answered: number[] = []
      const own = signIn(browser, email).then(({ status }) => answered.push(status))
      // Each goes the way that the user's went before it, and is refused where that one waits.
      for (let n = 0; n < 3; n++) expect((await attempt()).status).toBe(503)
      expect(answered).toEqual([])
      await eventually(
        async () => held.calls(),
        (count) => count === 2,
      )
      held.release()
      await own
      expect(answered).toEqual([200])
      const statuses = await Promise.all(strangers)
      expect(statuses.filter((status) => status === 503)).toHaveLength(4)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    } finally {
      held.release()
      await busy.close()
    }
  })
})
