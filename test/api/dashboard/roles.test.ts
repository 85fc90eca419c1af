import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { merchantRoutes } from '../../../api/dashboard/mount.ts'
import { SECTIONS } from '../../../api/sections.ts'
import {
  isAction,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
} from '../../../core/access/roles.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import {
  Browser,
  invite,
  newEmail,
  newMember,
  openDashboardRig,
  type SignedIn,
  signIn,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** Every operation that people may be allowed, tried by every role, by strangers and by no one. */

const ROUTES = merchantRoutes(SECTIONS)
const ID = '019a0000-0000-7000-8000-000000000000'

let rig: ApiRig
let merchantId: MerchantId
let members: ReadonlyMap<Role, SignedIn>
let stranger: SignedIn
beforeAll(async () => {
  rig = await openDashboardRig()
  merchantId = rig.merchant.merchant.id
  const made = new Map<Role, SignedIn>()
  for (const role of ROLES) made.set(role, await newMember(rig, role))
  members = made
  stranger = await newMember(rig, 'owner', (await rig.newMerchant()).merchant.id)
}, 120_000)
afterAll(() => rig.close())

function pathOf(path: string): string {
  return path.replace(/:\w+/g, ID)
}

function memberOf(role: Role): SignedIn {
  const member = members.get(role)
  if (member === undefined) throw new Error(`nobody is ${role}`)
  return member
}

test('the table has exactly the operations of merchants', () => {
  const operations = ROUTES.map(({ operationId }) => operationId)
  expect(operations.toSorted()).toEqual(Object.keys(PERMISSIONS).toSorted())
})

describe.each(ROUTES.map(({ method, path, operationId }) => [operationId, method, path] as const))(
  '%s',
  (operationId, method, path) => {
    test('is allowed for the roles of the table only', async () => {
      if (!isAction(operationId)) throw new Error('it is not in the table')
      const { roles }: Permission = PERMISSIONS[operationId]
      for (const role of ROLES) {
        const { browser } = memberOf(role)
        const { status, json } = await browser.api(method, merchantId, pathOf(path))
        if (roles.includes(role)) {
          expect([401, 403, 405, 500, 503]).not.toContain(status)
          expect(json.code).not.toBe('not_found')
        } else expect({ status, code: json.code }).toEqual(REFUSED)
      }
    })

    test('is not found by members of other merchants or without a session', async () => {
      const strange = await stranger.browser.api(method, merchantId, pathOf(path))
      expect(strange).toMatchObject({ status: 404, json: { code: 'merchant_not_found' } })
      const nobody = await new Browser(rig).api(method, merchantId, pathOf(path))
      expect(nobody).toMatchObject({ status: 401, json: { code: 'unauthorized' } })
      const { secretKey } = rig.merchant
      const withKey = await rig.call(
        method,
        `/dashboard/api/merchants/${merchantId}${pathOf(path)}`,
        {
          key: secretKey,
          headers: { origin: 'http://localhost:3000' },
        },
      )
      expect(withKey.status).toBe(401)
    })

    if (method === 'GET') return
    test('refuses every page but its own', async () => {
      const { cookies } = memberOf('owner').browser
      for (const origin of [
        'https://evil.example',
        'null',
        'http://localhost:3000.evil.example',
        null,
      ]) {
        const browser = new Browser(rig, origin)
        for (const [name, value] of cookies) browser.cookies.set(name, value)
        const answer = await browser.api(method, merchantId, pathOf(path))
        expect(answer).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } })
      }
    })
  },
)

const REFUSED = { status: 403, code: 'role_not_sufficient' }

describe('a user of two merchants', () => {
  test('is at each of them what they are there', async () => {
    const { browser, email } = await newMember(rig, 'reader')
    const other = (await rig.newMerchant()).merchant.id
    const token = await invite(rig, email, 'owner', other)
    const accepted = await browser.send('POST', '/dashboard/api/invitations/accept', { token })
    expect(accepted).toMatchObject({ status: 200, json: { data: { role: 'owner' } } })
    const price = { amount: '5', tokens: ['USDC'] }
    const here = await browser.api('POST', merchantId, '/v1/prices', price)
    expect(here).toMatchObject({ status: 403, json: { code: 'role_not_sufficient' } })
    expect((await browser.api('POST', other, '/v1/prices', price)).status).toBe(201)
    const me = await browser.send('GET', '/dashboard/api/me')
    expect(me.json.data?.merchants).toHaveLength(2)
  })

  test('reaches nothing of one through the other', async () => {
    const owner = memberOf('owner').browser
    const { id: other } = (await rig.newMerchant()).merchant
    const mine = await newMember(rig, 'owner', other)
    const invoice = await rig.create()
    expect((await owner.api('GET', merchantId, `/v1/invoices/${invoice.id}`)).status).toBe(200)
    const through = await mine.browser.api('GET', other, `/v1/invoices/${invoice.id}`)
    expect(through).toMatchObject({ status: 404, json: { code: 'invoice_not_found' } })
  })

  test('loses access with the next request after removal, and a changed role applies immediately', async () => {
    const { browser, email, secret } = await newMember(rig, 'owner')
    const get = () => browser.api('GET', merchantId, '/v1/audit')
    expect((await get()).status).toBe(200)
    const ofPerson = rig.database`select id from auth."user" where email = ${email}`
    await rig.database`update member set role = 'reader' where person_id in (${ofPerson})`
    expect((await get()).json.code).toBe('role_not_sufficient')
    await rig.database`delete from member where person_id in (${ofPerson})`
    expect((await get()).json.code).toBe('unauthorized')
    await signIn(browser, email)
    await browser.auth('/two-factor/verify-totp', { code: totp(secret ?? '') })
    expect((await get()).json.code).toBe('merchant_not_found')
  })
})

describe('roles that move money', () => {
  test('can do nothing without a second factor, and other roles need none', async () => {
    for (const role of ROLES) {
      const { browser } = await newMember(rig, role, merchantId, { hasSecondFactor: false })
      const { status, json } = await browser.api('GET', merchantId, '/v1/invoices')
      const needsIt = role === 'owner' || role === 'finance' || role === 'developer'
      expect([role, status, json.code]).toEqual(
        needsIt ? [role, 403, 'second_factor_required'] : [role, 200, undefined],
      )
    }
  })

  test('refund only within ten minutes of signing in', async () => {
    const { browser } = await newMember(rig, 'finance')
    const refund = () => browser.api('POST', merchantId, `/v1/invoices/${ID}/refunds`)
    expect((await refund()).json.code).not.toBe('fresh_sign_in_required')
    rig.setClock(new Date(Date.now() + 10 * 60_000 + 1_000))
    expect(await refund()).toMatchObject({ status: 403, json: { code: 'fresh_sign_in_required' } })
    rig.setClock(null)
  })
})

test('an id of a merchant that is none is said to be none', async () => {
  const { browser } = memberOf('owner')
  const answer = await browser.send('GET', '/dashboard/api/merchants/x/v1/invoices')
  expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_merchant_id' } })
})

test('people have a limit of their own, and leave that of the merchant alone', async () => {
  const limited = await openDashboardRig({ variables: { RATE_LIMIT_DASHBOARD: '3' } })
  const { browser } = await newMember(limited, 'owner')
  const { id } = limited.merchant.merchant
  for (let n = 0; n < 3; n++) expect((await browser.api('GET', id, '/v1/prices')).status).toBe(200)
  const over = await browser.api('GET', id, '/v1/prices')
  expect(over.status).toBe(429)
  expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  const byKey = await limited.call('GET', '/v1/prices')
  expect(byKey.headers.get('x-ratelimit-remaining')).toBe('999999')
  await limited.close()
})

test('an invitation is good once, for its own address, and for a week', async () => {
  const email = newEmail()
  const token = await invite(rig, email, 'owner')
  const look = (of: string) =>
    new Browser(rig).send('POST', '/dashboard/api/invitations/look', { token: of })
  expect(await look(token)).toMatchObject({ status: 200, json: { data: { email, role: 'owner' } } })
  const other = memberOf('reader').browser
  const stolen = await other.send('POST', '/dashboard/api/invitations/accept', { token })
  expect(stolen).toMatchObject({ status: 404, json: { code: 'invitation_not_found' } })
  const owner = await newMember(rig, 'reader')
  const own = await invite(rig, owner.email, 'owner')
  const accept = () =>
    owner.browser.send('POST', '/dashboard/api/invitations/accept', { token: own })
  expect((await accept()).status).toBe(200)
  expect(await accept()).toMatchObject({ status: 404, json: { code: 'invitation_not_found' } })
  await rig.database`update invitation set expires_at = now() - interval '1 second' where email = ${email}`
  expect((await look(token)).status).toBe(404)
})
