import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asPersonId, type MerchantId, type PersonId } from '../../../core/base/ids.ts'
import { createInvitation } from '../../../store/access/invitations.ts'
import { changeMember } from '../../../store/access/members.ts'
import { addAuditEntry } from '../../../store/events/audit.ts'
import {
  Browser,
  newEmail,
  newMember,
  openDashboardRig,
  signIn,
  signUp,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { openAs } from '../../support/servers/roles.ts'

/** Owners invite, change and remove the people of their merchant, and always leave an owner. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

async function newTeam() {
  const { id } = (await rig.newMerchant()).merchant
  return { id, owner: await newMember(rig, 'owner', id) }
}

async function personId(email: string): Promise<PersonId> {
  const [row] = await rig.database<
    { id: string }[]
  >`select id from auth."user" where email = ${email}`
  return asPersonId(row?.id ?? '')
}

async function tokenSentTo(email: string): Promise<string> {
  const [mail] = await rig.database<{ body: string }[]>`
    select body from mail where recipient = ${email} order by created_at desc limit 1`
  return /#(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
}

const look = (token: string) =>
  new Browser(rig).send('POST', '/dashboard/api/invitations/look', { token })

test('an invitation goes out by email alone; another one for the same address ends it', async () => {
  const { id, owner } = await newTeam()
  const email = newEmail()
  const invite = (role: string) =>
    owner.browser.api('POST', id, '/v1/invitations', { email: ` ${email.toUpperCase()} `, role })
  const sent = await invite('support')
  expect(sent).toMatchObject({ status: 201, json: { data: { email, role: 'support' } } })
  const first = await tokenSentTo(email)
  expect(JSON.stringify(sent.json)).not.toContain(first)
  expect((await look(first)).json.data).toMatchObject({ email, role: 'support', merchantId: id })

  await invite('reader')
  const second = await tokenSentTo(email)
  expect((await look(first)).status).toBe(404)
  const open = (await owner.browser.api('GET', id, '/v1/invitations')).json.data
  expect(open).toMatchObject([{ email, role: 'reader' }])
  expect((await signUp(new Browser(rig), email, second)).status).toBe(200)
  expect((await owner.browser.api('GET', id, '/v1/invitations')).json.data).toEqual(Object([]))
})

test('an invitation that was taken back can’t be used, and is its own merchant’s only', async () => {
  const [here, there] = [await newTeam(), await newTeam()]
  const email = newEmail()
  await here.owner.browser.api('POST', here.id, '/v1/invitations', { email, role: 'owner' })
  const token = await tokenSentTo(email)
  const [row] = await rig.database<
    { id: string }[]
  >`select id from invitation where email = ${email}`
  const path = `/v1/invitations/${row?.id}`
  const foreign = await there.owner.browser.api('DELETE', there.id, path)
  expect(foreign).toMatchObject({ status: 404, json: { code: 'invitation_not_found' } })
  expect((await look(token)).status).toBe(200)
  expect((await here.owner.browser.api('DELETE', here.id, path)).status).toBe(200)
  expect((await look(token)).status).toBe(404)
  expect((await signUp(new Browser(rig), email, token)).status).toBe(403)
})

test('a member of the merchant is not invited: an old link would bring back an old role', async () => {
  const { id, owner } = await newTeam()
  const ada = await newMember(rig, 'reader', id)
  for (const email of [owner.email, ada.email]) {
    const body = { email, role: 'support' }
    const answer = await owner.browser.api('POST', id, '/v1/invitations', body)
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request_body' } })
  }
  const open = await rig.database`
    select from invitation where merchant_id = ${id} and accepted_at is null`
  expect(open).toHaveLength(0)
})

test('an address that an email’s header would take for more is refused', async () => {
  const { id, owner } = await newTeam()
  for (const email of ['a@example.com\r\nBcc: b@example.com', 'a@example.com,b@example.com', '']) {
    const answer = await owner.browser.api('POST', id, '/v1/invitations', { email, role: 'reader' })
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_request_body' } })
  }
  const noRole = { email: newEmail(), role: 'root' }
  expect((await owner.browser.api('POST', id, '/v1/invitations', noRole)).status).toBe(400)
})

test('a changed role and an end count at once, for members of this merchant only', async () => {
  const { id, owner } = await newTeam()
  const ada = await newMember(rig, 'reader', id)
  const path = `/v1/members/${await personId(ada.email)}`
  const log = () => ada.browser.api('GET', id, '/v1/audit')
  expect((await log()).json.code).toBe('role_not_sufficient')
  const changed = await owner.browser.api('PATCH', id, path, { role: 'owner' })
  expect(changed).toMatchObject({ status: 200, json: { data: { role: 'owner' } } })
  expect((await log()).status).toBe(200)

  const other = await newTeam()
  for (const [method, body] of [
    ['PATCH', { role: 'reader' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await other.owner.browser.api(method, other.id, path, body)
    expect(foreign).toMatchObject({ status: 404, json: { code: 'member_not_found' } })
  }
  expect((await owner.browser.api('DELETE', id, path)).status).toBe(200)
  expect((await log()).json.code).toBe('unauthorized')
  await signIn(ada.browser, ada.email)
  await ada.browser.auth('/two-factor/verify-totp', { code: totp(ada.secret ?? '') })
  expect((await log()).json.code).toBe('merchant_not_found')
})

test('the last owner stays, by the page and by the database', async () => {
  const { id, owner } = await newTeam()
  const path = `/v1/members/${await personId(owner.email)}`
  for (const [method, body] of [
    ['PATCH', { role: 'reader' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await owner.browser.api(method, id, path, body)
    expect(answer).toMatchObject({ status: 409, json: { code: 'last_owner' } })
  }
  const ada = await newMember(rig, 'owner', id)
  expect((await ada.browser.api('DELETE', id, path)).status).toBe(200)
})

test('of two owners who remove each other at once, one stays', async () => {
  const { id, owner } = await newTeam()
  const ada = await newMember(rig, 'owner', id)
  const ids = [await personId(owner.email), await personId(ada.email)] as const
  const [first, second] = await Promise.all([
    openAs(rig.config.databaseUrl, 'api', 1),
    openAs(rig.config.databaseUrl, 'api', 1),
  ])
  for (const by of ids) await openEntry(id, by, 'removeMember')
  const outcomes = await removeBoth(first, second, id, ids)
  expect(outcomes.sort()).toEqual(['done', 'last_owner'])
  await Promise.all([first.end(), second.end()])
})

/** Without an entry of the audit log that is open, nothing is changed in anyone's name. */
function openEntry(merchantId: MerchantId, personId: PersonId, action: string) {
  return addAuditEntry(rig.database, {
    ...{ merchantId, action, objectId: null, before: null, after: null },
    actor: { type: 'person', id: personId, name: 'Ada', role: 'owner' },
    ...{ address: null, agent: null, traceId: null },
  })
}

/** The second waits for the lock of the first, which is given back only when both have begun. */
async function removeBoth(
  first: Awaited<ReturnType<typeof openAs>>,
  second: Awaited<ReturnType<typeof openAs>>,
  merchantId: MerchantId,
  [one, other]: readonly [PersonId, PersonId],
): Promise<string[]> {
  let waiting: Promise<string> = Promise.resolve('')
  const begun = await first.begin(async (sql) => {
    const outcome = await changeMember(sql, merchantId, one, null, { personId: other, name: 'Ada' })
    waiting = changeMember(second, merchantId, other, null, { personId: one, name: 'Ada' })
    await waitForLock()
    return outcome
  })
  return [begun, await waiting]
}

async function waitForLock(of = 'change_membership'): Promise<void> {
  for (;;) {
    const [row] = await rig.database`
      select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and query like ${`%${of}%`} and pid <> pg_backend_pid()`
    if (row) return
    await Bun.sleep(10)
  }
}

test('fifty invitations of a merchant are open at most, also when they come at the same moment', async () => {
  const { id, owner } = await newTeam()
  await rig.database`
    insert into invitation (id, merchant_id, email, role, token_hash, expires_at)
    select gen_random_uuid(), ${id}, n || '@example.com', 'reader', sha256(n::text::bytea || ${id}::text::bytea),
      now() + interval '1 day' from generate_series(1, 48) n`
  const invite = (email: string) =>
    owner.browser.api('POST', id, '/v1/invitations', { email, role: 'reader' })
  const emails = Array.from({ length: 6 }, () => newEmail())
  const answers = await Promise.all(emails.map(invite))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400])
  const sent = await rig.database`select from mail where recipient = any(${emails})`
  expect(sent).toHaveLength(2)
  // One that is sent again takes the place of the one before.
  const [again = ''] = emails.filter((_, n) => answers[n]?.status === 201)
  expect((await invite(again)).status).toBe(201)
})

test('an invitation at the same moment waits for the one that may be the last', async () => {
  const { id, owner } = await newTeam()
  await rig.database`
    insert into invitation (id, merchant_id, email, role, token_hash, expires_at)
    select gen_random_uuid(), ${id}, n || '@example.com', 'reader', sha256(n::text::bytea || ${id}::text::bytea),
      now() + interval '1 day' from generate_series(1, 49) n`
  let waiting: Promise<{ readonly status: number }> = Promise.resolve({ status: 0 })
  await rig.database.begin(async (sql) => {
    const last = { merchantId: id, email: newEmail(), role: 'reader' } as const
    await createInvitation(sql, last, new Date())
    const body = { email: newEmail(), role: 'reader' }
    waiting = owner.browser.api('POST', id, '/v1/invitations', body)
    await waitForLock('insert into invitation')
  })
  expect((await waiting).status).toBe(400)
})
