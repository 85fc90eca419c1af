import { afterAll, beforeAll, expect, test } from 'bun:test'
import { merchantRoutes } from '../../../api/dashboard/mount.ts'
import { SECTIONS } from '../../../api/sections.ts'
import {
  Browser,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  totp,
} from '../../support/api/people.ts'
import { type ApiRig, OTHER_TREASURY } from '../../support/api/rig.ts'

/** A session that was left open, and the password: what they may not come to without the second factor. */

const NEXT = 'nine green doors in may'
const NO_ID = '019a0000-0000-7000-8000-000000000000'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

const idOf = ({ email }: SignedIn) =>
  rig.database`select id from auth."user" where email = ${email}`

async function signedInBefore(person: SignedIn, age: string): Promise<void> {
  await rig.database`
    update auth.session set "signedInAt" = now() - ${age}::interval where "userId" in (${idOf(person)})`
}

/** How old the sign-ins of a person's sessions are, in whole minutes; null for a session without one. */
async function agesOf(person: SignedIn): Promise<(number | null)[]> {
  const rows = await rig.database<{ minutes: number | null }[]>`
    select floor(extract(epoch from now() - "signedInAt") / 60)::integer as minutes
    from auth.session where "userId" in (${idOf(person)})`
  return rows.map(({ minutes }) => minutes)
}

const inviteSelf = ({ browser }: SignedIn) =>
  browser.api('POST', rig.merchant.merchant.id, '/v1/invitations', {
    email: newEmail(),
    role: 'owner',
  })

test('no credential is changed or shown after an old sign-in', async () => {
  const person = await newMember(rig, 'owner')
  await signedInBefore(person, '11 minutes')
  const password = PASSWORD
  const attempts = [
    person.browser.auth('/change-password', { currentPassword: PASSWORD, newPassword: NEXT }),
    person.browser.auth('/two-factor/generate-backup-codes', { password }),
    person.browser.auth('/two-factor/enable', { password }),
    person.browser.auth('/two-factor/disable', { password }),
    person.browser.auth('/passkey/verify-registration', { response: {} }),
    person.browser.auth('/passkey/delete-passkey', { id: crypto.randomUUID() }),
    person.browser.auth('/passkey/update-passkey', { id: crypto.randomUUID(), name: 'mine' }),
    person.browser.send('GET', '/dashboard/auth/passkey/generate-register-options'),
    person.browser.send('GET', '/dashboard/auth/list-sessions'),
  ]
  for (const { status, json } of await Promise.all(attempts)) {
    expect([status, json.code]).toEqual([403, 'fresh_sign_in_required'])
  }
  expect((await signIn(new Browser(rig), person.email)).status).toBe(200)
})

test('an old session can have payers pay the thief immediately, and do nothing that needs a recent sign-in', async () => {
  const person = await newMember(rig, 'owner')
  await signedInBefore(person, '11 minutes')
  const { id } = rig.merchant.merchant
  const made = await person.browser.api('POST', id, '/v1/invoices', {
    tokenSymbol: 'USDC',
    amountExpected: '10',
    recipient: OTHER_TREASURY,
  })
  const recipient = { address: OTHER_TREASURY }
  expect(made).toMatchObject({ status: 201, json: { data: { recipient } } })
  const refused: string[] = []
  for (const { operationId, method, path } of merchantRoutes(SECTIONS)) {
    const { json } = await person.browser.api(method, id, path.replace(/:\w+/g, NO_ID))
    if (json.code === 'fresh_sign_in_required') refused.push(operationId)
  }
  expect(refused.toSorted()).toEqual([
    'addApprovedRecipient',
    'approveRequest',
    'changeApprovalPolicy',
    'changeMember',
    'changeRecipient',
    'createApiKey',
    'createRefund',
    'createX402Refund',
    'inviteMember',
    'recordExternalRefund',
    'refuseRequest',
    'registerOwnAddress',
    'removeMember',
    'removeOwnAddress',
    'replaceApiKey',
    'resetSandbox',
    'revokeApiKey',
    'revokeInvitation',
    'rotateWebhookSecret',
  ])
})

test('another password begins a session that is no fresher than the sign-in', async () => {
  const person = await newMember(rig, 'owner')
  await signedInBefore(person, '9 minutes')
  const changed = await person.browser.auth('/change-password', {
    currentPassword: PASSWORD,
    newPassword: NEXT,
  })
  expect(changed.status).toBe(200)
  expect(await agesOf(person)).toEqual([9])
  await signedInBefore(person, '11 minutes')
  expect((await inviteSelf(person)).json.code).toBe('fresh_sign_in_required')
})

test('a second factor that begins or ends leaves the moment as it was', async () => {
  const person = await newMember(rig, 'support', undefined, { hasSecondFactor: false })
  await signedInBefore(person, '5 minutes')
  const { json } = await person.browser.auth('/two-factor/enable', { password: PASSWORD })
  const secret = new URL(String(json.totpURI)).searchParams.get('secret') ?? ''
  const verified = await person.browser.auth('/two-factor/verify-totp', { code: totp(secret) })
  expect(verified.status).toBe(200)
  expect(await agesOf(person)).toEqual([5])
  expect((await person.browser.auth('/two-factor/disable', { password: PASSWORD })).status).toBe(
    200,
  )
  expect(await agesOf(person)).toEqual([5])
})

test('signing in with both factors is fresh, and a session without the moment is not', async () => {
  const person = await newMember(rig, 'owner')
  const browser = new Browser(rig)
  await signIn(browser, person.email)
  // The password alone has begun nothing.
  expect(await agesOf(person)).toHaveLength(1)
  const code = totp(person.secret ?? '')
  expect((await browser.auth('/two-factor/verify-totp', { code })).status).toBe(200)
  expect((await inviteSelf({ ...person, browser })).status).toBe(201)
  await rig.database`
    update auth.session set "signedInAt" = null where "userId" in (${idOf(person)})`
  expect((await inviteSelf({ ...person, browser })).json.code).toBe('fresh_sign_in_required')
})
