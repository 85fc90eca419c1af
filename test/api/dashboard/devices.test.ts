import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openHashing } from '../../../api/dashboard/auth/hashing.ts'
import { createLimits, type Limits } from '../../../api/http/rateLimit.ts'
import { AppError } from '../../../core/base/errors.ts'
import { exchangeWith, newEmail, openDashboardRig } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** What the cookie of a device is worth: to who has made many of them, and to who has stolen one. */

const LIMIT = 3
const TOGETHER = 5 * LIMIT

let rig: ApiRig
let limits: Limits
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RATE_LIMIT_SIGN_IN: String(LIMIT) } })
  limits = createLimits(rig.deps)
}, 120_000)
afterAll(() => rig.close())

let addresses = 0
function elsewhere(): void {
  addresses += 1
  rig.setPeer(`2001:db8:${addresses.toString(16)}::1`)
}

/** The cookie of a browser in which an account has signed in. */
async function newDevice(email: string): Promise<string> {
  const [cookie = ''] = (await limits.remember(exchangeWith(null), email)).split(';')
  return cookie
}

/** How many attempts of this kind are taken before one is refused. */
async function taken(attempt: () => Promise<void>): Promise<number> {
  for (let count = 0; count <= 100; count++) {
    try {
      await attempt()
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_many_requests') return count
      throw error
    }
  }
  return Number.POSITIVE_INFINITY
}

describe('devices that an account has made', () => {
  test('count together, wherever they are', async () => {
    for (const kind of ['account', 'signIn'] as const) {
      const email = newEmail()
      const counts: number[] = []
      for (let n = 0; n < 7; n++) {
        const exchange = exchangeWith(await newDevice(email))
        const attempt = () => {
          elsewhere()
          return kind === 'account' ? limits.account(exchange, email) : limits.signIn(exchange)
        }
        counts.push(await taken(attempt))
      }
      expect(counts).toEqual([...Array.from({ length: 5 }, () => LIMIT), 0, 0])
    }
  })

  test('count by address as well, beside the window of strangers there', async () => {
    elsewhere()
    let sum = 0
    for (let n = 0; n < 8; n++) {
      const exchange = exchangeWith(await newDevice(newEmail()))
      sum += await taken(() => limits.signIn(exchange))
    }
    expect(sum).toBe(TOGETHER)
    expect(await taken(() => limits.signIn(exchangeWith(null)))).toBe(LIMIT)
  })

  test('have two places in the queue for passwords', async () => {
    const hashing = openHashing()
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const exchange = { set: { headers: {} } }
    const run = (name: string, account: string | null) =>
      hashing.run(exchange, account, async () => {
        await held.promise
        order.push(name)
      })
    const running = [run('first', null), run('second', null)]
    const many = Array.from({ length: 10 }, (_, n) => run(`eve ${n}`, 'eve@example.com'))
    const refused = await run('eve', 'eve@example.com').catch((error: unknown) => error)
    expect(refused instanceof AppError && refused.code).toBe('service_unavailable')
    const own = run('ada', 'ada@example.com')
    held.resolve()
    await Promise.all([...running, ...many, own])
    expect(order.indexOf('ada')).toBe(4)
    expect(order).toHaveLength(13)
  })
})

test('a device that has failed as often as it may try is no better than a stranger’s, until the next sign-in', async () => {
  const email = newEmail()
  const stolen = exchangeWith(await newDevice(email))
  const other = exchangeWith(await newDevice(email))
  elsewhere()
  // The address and the account in this network are full.
  expect(await taken(() => limits.account(exchangeWith(null), email))).toBe(LIMIT)
  for (let n = 1; n < LIMIT; n++) await limits.failed(stolen, email)
  expect(await limits.isKnown(stolen, email)).toBe(true)
  await limits.failed(stolen, email)
  expect(await limits.isKnown(stolen, email)).toBe(false)
  expect(await taken(() => limits.account(stolen, email))).toBe(0)
  expect(await taken(() => limits.signIn(stolen))).toBe(0)
  expect(await taken(() => limits.account(other, email))).toBe(LIMIT)
  // Who signs in after all has another device, and the thief has the one of before.
  const cookie = (await limits.remember(stolen, email)).split(';')[0] ?? ''
  expect(await limits.isKnown(exchangeWith(cookie), email)).toBe(true)
  expect(await limits.isKnown(stolen, email)).toBe(false)
})
