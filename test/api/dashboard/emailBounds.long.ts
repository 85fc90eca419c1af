import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import pino from 'pino'
import { Registry } from 'prom-client'
import { openMailer } from '../../../api/dashboard/mailer.ts'
import { showLeftOutEmails } from '../../../metrics/operate/emails.ts'
import { inviteOperator } from '../../../store/access/operators.ts'
import type { Queryable } from '../../../store/database/database.ts'
import { storeEmail, storeLinkEmail } from '../../../store/events/emails.ts'
import { takeOwnerEmail } from '../../../store/events/ownerEmails.ts'
import {
  Browser,
  invite,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  signIn,
  signUp as signUpInvited,
} from '../../support/api/people.ts'
import { leaderTurn, mailsTo } from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY } from '../../support/api/rig.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Mails that anyone can have sent to an address: a few in an hour, and never in the way of warnings. */

const A_FEW = 5
/** To all addresses together. */
const IN_ALL = 100

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { DASHBOARD_SIGN_UP: 'on' } })
}, 120_000)
afterAll(() => rig.close())

async function countTo(pattern: string): Promise<number> {
  const [row] = await rig.database<{ count: number }[]>`
    select count(*)::integer as count from mail where recipient like ${pattern}`
  return row?.count ?? 0
}

const signUp = (email: string) =>
  new Browser(rig).auth('/sign-up/email', { name: 'Eve', email, password: PASSWORD })

test('a stranger gets a few of them, by whatever they are caused, also at the same moment', async () => {
  const email = newEmail()
  expect((await signUp(email)).status).toBe(200)
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => signUp(email)),
    ...Array.from({ length: 4 }, () =>
      new Browser(rig).auth('/send-verification-email', { email }),
    ),
    ...Array.from({ length: 4 }, () => signIn(new Browser(rig), email)),
  ])
  // The answers are those of before: they say nothing about the address.
  expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 403])
  expect(await countTo(email)).toBe(A_FEW)
})

test.each([
  ['to one mailbox', A_FEW, 'stranger', (): string => 'one@example.com'],
  ['of one cause', IN_ALL, `stranger ${'1'.repeat(32)}`, newEmail],
] as const)(
  'one that is stored at the same moment waits for another %s, and counts it',
  async (_, most, cause, recipient) => {
    const store = (sql: Queryable) =>
      storeLinkEmail(sql, [cause], { recipient: recipient(), subject: 'x', body: 'x' })
    for (let n = 1; n < most; n++) await store(rig.database)
    const other = await rig.database.reserve()
    await other`begin`
    expect(await store(other)).toBe(true)
    const last = store(rig.database)
    const waiting = () => rig.database`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event = 'advisory'`
    await Promise.race([last, eventually(waiting, (rows) => rows.length === 1)])
    await other`commit`
    other.release()
    expect(await last).toBe(false)
  },
)

test('those of one network leave others theirs, and all strangers together get thrice as many', async () => {
  const email = newEmail()
  const from = async (peer: string) => {
    rig.setPeer(peer)
    await signUp(email)
    return await countTo(email)
  }
  // Addresses of one /48, and of one /24.
  for (let n = 0; n < 7; n++) await from(`2001:db8:1:${n}::1`)
  expect(await countTo(email)).toBe(A_FEW)
  expect(await from('2001:db8:2::1')).toBe(A_FEW + 1)
  for (let n = 0; n < 7; n++) await from(`198.51.100.${n}`)
  expect(await countTo(email)).toBe(2 * A_FEW + 1)
  for (let n = 3; n < 12; n++) await from(`2001:db8:${n}::1`)
  expect(await countTo(email)).toBe(3 * A_FEW)
  const causes = await rig.database<{ linkFrom: string }[]>`
    select distinct link_from from mail where recipient = ${email}`
  for (const { linkFrom } of causes) expect(linkFrom).toMatch(/^stranger [0-9a-f]{32}$/)
  const leftOut = rig.log.filter(({ msg }) => msg?.includes('link email not sent'))
  expect(leftOut.length).toBeGreaterThan(0)
  expect(JSON.stringify(leftOut)).not.toContain(email)
  const registry = new Registry()
  showLeftOutEmails(registry)
  const [, count] = /^remit_link_mails_left_out_total (\d+)$/m.exec(await registry.metrics()) ?? []
  expect(Number(count)).toBeGreaterThanOrEqual(leftOut.length)
})

test('strangers keep an invited person from no confirmation', async () => {
  const email = newEmail()
  for (let n = 1; n < 5; n++) {
    rig.setPeer(`192.0.${n}.1`)
    for (let each = 0; each < A_FEW; each++) await signUp(email)
  }
  expect(await countTo(email)).toBe(3 * A_FEW)
  const before = await countTo(email)
  // With the token of another address, a stranger is a stranger.
  const { id } = rig.merchant.merchant
  await signUpInvited(new Browser(rig), email, await invite(rig, newEmail(), 'reader', id))
  expect(await countTo(email)).toBe(before)
  await signUpInvited(new Browser(rig), email, await invite(rig, email, 'reader', id))
  expect(await countTo(email)).toBe(before + 1)
  const operators = newEmail()
  for (let n = 1; n < 5; n++) {
    rig.setPeer(`192.0.${n}.1`)
    for (let each = 0; each < A_FEW; each++) await signUp(operators)
  }
  const { token } = await inviteOperator(rig.database, operators, new Date())
  await signUpInvited(new Browser(rig), operators, token)
  expect(await countTo(operators)).toBe(3 * A_FEW + 1)
})

test('the part behind a + makes no other recipient', async () => {
  const name = crypto.randomUUID()
  for (let n = 0; n < 8; n++) await signUp(`${name}+${n}@example.com`)
  expect(await countTo(`${name}%`)).toBe(A_FEW)
})

test('an hour later there are others', async () => {
  const email = newEmail()
  for (let n = 0; n < 8; n++) await signUp(email)
  await rig.database`
    update mail set created_at = created_at - interval '1 hour' where recipient = ${email}`
  await signUp(email)
  expect(await countTo(email)).toBe(A_FEW + 1)
})

test('invitations of a merchant are refused beyond them, and those of another one are not', async () => {
  const email = newEmail()
  // What strangers have caused keeps no one from being invited.
  for (let n = 0; n < 8; n++) await signUp(email)
  const { id } = rig.merchant.merchant
  const owner = await newMember(rig, 'owner')
  const inviteFrom = (from = owner, merchantId = id) =>
    from.browser.api('POST', merchantId, '/v1/invitations', { email, role: 'reader' })
  for (let n = 0; n < A_FEW; n++) expect((await inviteFrom()).status).toBe(201)
  const refused = await inviteFrom()
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests'])
  expect(refused.headers.get('retry-after')).toBe('3600')
  // The invitation of before is still open.
  const open = await owner.browser.api('GET', id, '/v1/invitations')
  expect(JSON.stringify(open.json)).toContain(email)
  const other = (await rig.newMerchant()).merchant.id
  expect((await inviteFrom(await newMember(rig, 'owner', other), other)).status).toBe(201)
})

test('a merchant invites no more people within an hour by withdrawing, and another one still does', async () => {
  const { id, owner } = await newTeam()
  const inviteFrom = (from = owner, merchantId = id) =>
    from.browser.api('POST', merchantId, '/v1/invitations', { email: newEmail(), role: 'reader' })
  // As many as there is room for, but for two.
  await rig.database`
    select store_link_mail(gen_random_uuid(), ${id}, gen_random_uuid() || '@example.com', 'x', 'x', ${A_FEW})
    from generate_series(1, ${IN_ALL - 2} - (
      select count(*) from mail where link_from = ${id}))`
  const inviteAndWithdraw = async () => {
    expect((await inviteFrom()).status).toBe(201)
    const { json } = await owner.browser.api('GET', id, '/v1/invitations')
    const [{ id: invitation }] = Object(json.data)
    const { status } = await owner.browser.api('DELETE', id, `/v1/invitations/${invitation}`)
    expect(status).toBe(200)
  }
  await inviteAndWithdraw()
  await inviteAndWithdraw()
  const refused = await inviteFrom()
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests'])
  expect(refused.headers.get('retry-after')).toBe('3600')
  const another = await newTeam()
  expect((await inviteFrom(another.owner, another.id)).status).toBe(201)
})

test('strangers of one network reach no more people within an hour, and those of another one do', async () => {
  const reach = (network: string) => {
    const cause = `stranger ${network.repeat(32)}` as const
    return storeLinkEmail(rig.database, [cause], { recipient: newEmail(), subject: 'x', body: 'x' })
  }
  const stored = []
  for (let n = 0; n < IN_ALL + 2; n++) stored.push(await reach('2'))
  expect(stored.filter(Boolean)).toHaveLength(IN_ALL)
  expect(await reach('3')).toBe(true)
})

/** An owner and another user at a merchant of their own, whose roles change as often as the owner likes. */
async function newTeam() {
  const { id } = (await rig.newMerchant()).merchant
  const owner = await newMember(rig, 'owner', id)
  const other = await newMember(rig, 'reader', id, { hasSecondFactor: false })
  const [person] = await rig.database`select id from auth."user" where email = ${other.email}`
  const setRole = async (role: string) => {
    const { status } = await owner.browser.api('PATCH', id, `/v1/members/${person?.id}`, { role })
    expect(status).toBe(200)
  }
  return { id, owner, other, setRole }
}

test('warnings about members are bounded for a merchant, and one says that there were more', async () => {
  const { owner, other, setRole } = await newTeam()
  for (let n = 0; n < 26; n++) await setRole(n % 2 === 0 ? 'finance' : 'reader')
  for (const { email } of [owner, other]) {
    await leaderTurn(rig)
    const mails = await rig.database<{ subject: string }[]>`
      select subject from owner_mail where recipient = ${email} order by created_at, id`
    const subjects = mails.map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('a new role'))).toHaveLength(20)
    expect(subjects.slice(20)).toEqual([expect.stringContaining('many membership changes')])
  }
  // Another merchant's are counted apart, and an hour later there are others.
  const another = await newTeam()
  await another.setRole('finance')
  expect(await mailsTo(rig, another.other.email)).toHaveLength(2)
  await rig.database`
    update owner_mail set created_at = created_at - interval '1 hour' where recipient = ${owner.email}`
  const before = await mailsTo(rig, owner.email)
  await setRole('finance')
  expect(await mailsTo(rig, owner.email)).toHaveLength(before.length + 1)
})

test('emails that ask for approvals are bounded for a merchant, and each request is there all the same', async () => {
  const { id, owner } = await newTeam()
  const finance = await newMember(rig, 'finance', id)
  const rules = (recipient: boolean) =>
    owner.browser.api('POST', id, '/v1/settings/approvals', { recipient })
  expect((await rules(true)).json.data).toEqual({ isInForce: true })
  await rig.database`
    insert into mail (id, recipient, subject, body, counted_as)
    select gen_random_uuid(), ${newEmail()}, 'x', 'x', ${`approval:${id}`} from generate_series(1, 99)`
  for (let n = 0; n < 3; n++) {
    expect((await rules(false)).json.data).toEqual({ isInForce: false })
    const { json } = await finance.browser.api('GET', id, '/v1/approvals')
    const [{ id: request }] = Object(json.data)
    const refused = await finance.browser.api('POST', id, `/v1/approvals/${request}/refuse`)
    expect(refused.status).toBe(200)
  }
  const asked = () => rig.database`
    select from mail where recipient = ${finance.email} and subject like '%needs your approval'`
  expect(await asked()).toHaveLength(1)
  await rig.database`
    update mail set created_at = created_at - interval '1 hour' where counted_as = ${`approval:${id}`}`
  await rules(false)
  expect(await asked()).toHaveLength(2)
})

test('a link that stops a change of the recipient goes before other warnings', async () => {
  const many = await newTeam()
  const { id, owner } = await newTeam()
  await leaderTurn(rig)
  await rig.database`delete from owner_mail`
  await many.setRole('finance')
  await leaderTurn(rig)
  const asked = await owner.browser.api('POST', id, '/v1/settings/recipient', {
    address: OTHER_TREASURY,
  })
  expect(asked.status).toBe(201)
  await leaderTurn(rig)
  const first = await takeOwnerEmail(rig.database)
  expect([first?.recipient, first?.body]).toEqual([
    owner.email,
    expect.stringContaining('stop-change#'),
  ])
  expect((await takeOwnerEmail(rig.database))?.body).toContain('finance')
})

test('a warning is on its way while the server holds up another mail', async () => {
  await rig.database`delete from mail`
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  const text = { subject: 'x', body: 'x' }
  for (const recipient of ['first@example.com', 'second@example.com']) {
    await storeEmail(rig.database, { recipient, ...text })
  }
  await storeEmail(rig.database, { recipient: 'warned@example.com', kind: 'warning', ...text })
  const mailer = openMailer({
    ...{ origin: 'https://pay.example', keys: rig.config.secretKeys },
    config: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'remit@pay.example', hasMailbox: false },
    ...{ database: rig.database, log: pino({ level: 'silent' }), deadlineMs: 3_000 },
  })
  mailer.wake()
  const underWay = () => rig.database<{ recipient: string }[]>`
    select recipient from mail where attempts = 1 and failure is null and sent_at is null
    order by created_at`
  await eventually(
    async () => (await underWay()).map(({ recipient }) => recipient).join(),
    (recipients) => recipients === 'first@example.com,warned@example.com',
  )
  silent.close()
  await mailer.close()
})
