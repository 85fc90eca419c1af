import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addOperator } from '../../../store/access/operators.ts'
import {
  Browser,
  invite,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** What the audit log has of signing in: for every merchant of a person, and never what was typed. */

const WRONG = 'seven loud lamps at noon'

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

interface Entry {
  readonly action: string
  readonly merchantId: string | null
  readonly actor: string
  readonly after: unknown
  readonly address: string | null
  readonly status: number | null
}

/** What is in the log of a person, the oldest first. */
function entriesOf({ email }: Pick<SignedIn, 'email'>) {
  return rig.database<Entry[]>`
    select e.action, e.merchant_id, e.actor, e.after, e.address, o.status
    from audit_entry e left join audit_outcome o on o.entry_id = e.id
    where e.actor_name = ${`Ada <${email}>`} order by e.id`
}

/** Those that come later: what has failed is recorded after the answer. */
async function afterThese(person: SignedIn, before: number, count: number) {
  for (;;) {
    const entries = await entriesOf(person)
    if (entries.length >= before + count) return entries.slice(before)
    await Bun.sleep(5)
  }
}

test('records sign-ins, changed credentials and sign-outs', async () => {
  const person = await newMember(rig, 'owner')
  const { browser, secret, backupCodes } = person
  await browser.auth('/revoke-other-sessions')
  const next = 'nine green doors in may'
  await browser.auth('/change-password', { currentPassword: PASSWORD, newPassword: next })
  await browser.auth('/sign-out')
  const again = new Browser(rig)
  await signIn(again, person.email, next)
  await again.auth('/two-factor/verify-totp', { code: totp(secret ?? '') })
  // Of an owner it stays.
  await rig.database`
    update member set role = 'reader'
    where person_id in (select id from auth."user" where email = ${person.email})`
  await again.auth('/two-factor/disable', { password: next })
  const third = new Browser(rig)
  await signIn(third, person.email, next)
  const entries = await entriesOf(person)
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['acceptInvitation', { role: 'owner' }],
    ['signIn', { by: 'password' }],
    ['enableSecondFactor', null],
    ['endOtherSessions', null],
    ['changePassword', null],
    ['signOut', null],
    ['signIn', { by: 'code' }],
    ['disableSecondFactor', null],
    ['signIn', { by: 'password' }],
  ])
  const { id } = rig.merchant.merchant
  expect(new Set(entries.map((one) => one.merchantId))).toEqual(new Set([id]))
  expect(new Set(entries.map((one) => [one.address, one.status].join()))).toEqual(
    new Set(['203.0.113.7,200']),
  )
  const log = JSON.stringify(await rig.database`select e::text from audit_entry e`)
  for (const typed of [PASSWORD, next, ...backupCodes]) expect(log).not.toContain(typed)
})

test('records failed attempts and their method, at most ten in ten minutes', async () => {
  const person = await newMember(rig, 'owner')
  const before = (await entriesOf(person)).length
  // Each is recorded after its answer, and the next one must not overtake it.
  await signIn(new Browser(rig), person.email, WRONG)
  await afterThese(person, before, 1)
  const half = new Browser(rig)
  await signIn(half, person.email)
  await half.auth('/two-factor/verify-totp', { code: 'secret' })
  await afterThese(person, before, 2)
  await half.auth('/two-factor/verify-backup-code', { code: 'secret' })
  const failed = await afterThese(person, before, 3)
  expect(failed.map(({ action, after }) => [action, after])).toEqual([
    ['signInFailed', { by: 'password' }],
    ['signInFailed', { by: 'code' }],
    ['signInFailed', { by: 'backupCode' }],
  ])
  for (let n = 0; n < 9; n++) await signIn(new Browser(rig), person.email, WRONG)
  await afterThese(person, before, 10)
  await signIn(new Browser(rig), person.email, WRONG)
  const last = new Browser(rig)
  await signIn(last, person.email)
  await last.auth('/two-factor/verify-totp', { code: totp(person.secret ?? '') })
  const all = (await entriesOf(person)).slice(before).map(({ action }) => action)
  expect(all).toEqual([...Array.from({ length: 10 }, () => 'signInFailed'), 'signIn'])
  const log = JSON.stringify(await rig.database`select e::text from audit_entry e`)
  for (const typed of [WRONG, 'secret']) expect(log).not.toContain(`: "${typed}"`)
})

test('stands at every merchant of a person, and at the deployment that they run', async () => {
  const person = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  const { id: other } = (await rig.newMerchant()).merchant
  const token = await invite(rig, person.email, 'support', other)
  await person.browser.send('POST', '/dashboard/api/invitations/accept', { token })
  await addOperator(rig.database, person.email)
  const before = (await entriesOf(person)).length
  await signIn(new Browser(rig), person.email)
  const entries = (await entriesOf(person)).slice(before)
  expect(entries.map(({ actor, merchantId }) => `${actor} ${merchantId}`).toSorted()).toEqual(
    [`person ${rig.merchant.merchant.id}`, `person ${other}`, 'operator null'].toSorted(),
  )
})

test('lets no one in whom it can’t record, and knows nothing of addresses without an account', async () => {
  const person = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
  await rig.database`
    alter table audit_entry add constraint closed check (action <> 'signIn') not valid`
  const browser = new Browser(rig)
  const refused = await signIn(browser, person.email)
  await rig.database`alter table audit_entry drop constraint closed`
  expect(refused.status).toBe(500)
  expect((await browser.send('GET', '/dashboard/api/me')).status).toBe(401)
  const nobody = newEmail()
  await signIn(new Browser(rig), nobody)
  const log = await rig.database`select from audit_entry where actor_name like ${`%${nobody}%`}`
  expect(log).toHaveLength(0)
})
