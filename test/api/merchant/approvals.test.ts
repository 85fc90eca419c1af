import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { expireRequests } from '../../../store/refund/approvals.ts'
import { confirm, followChains, PAYER, pay } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import { leaderTurn } from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { openAs } from '../../support/servers/roles.ts'

/** What a merchant wants two people to stand behind: no one gets past it alone. */

const RULES = '/v1/settings/approvals'

let rig: ApiRig
let owner: SignedIn
let finance: SignedIn
let merchantId: MerchantId
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: '3600' } })
  await followChains(rig)
  merchantId = rig.merchant.merchant.id
  owner = await newMember(rig, 'owner')
  finance = await newMember(rig, 'finance')
}, 120_000)
afterAll(() => rig.close())

beforeEach(async () => {
  await rig.database`truncate approval_vote, approval_request, approval_policy, recipient_change_link, recipient_change`
})

const by = (who: SignedIn, method: string, path: string, body?: unknown) =>
  who.browser.api(method, merchantId, path, body)
const setRules = (who: SignedIn, body: unknown) => by(who, 'POST', RULES, body)
const rules = async () => (await by(owner, 'GET', RULES)).json.data
async function approve(who: SignedIn, id: string) {
  const answer = await by(who, 'POST', `/v1/approvals/${id}/approve`)
  await leaderTurn(rig)
  return answer
}
const refuse = (who: SignedIn, id: string) => by(who, 'POST', `/v1/approvals/${id}/refuse`)
const requests = async () => Object((await by(owner, 'GET', '/v1/approvals')).json.data)
const newestId = async (): Promise<string> => (await requests())[0]?.id
const change = async () => {
  const [row] = await rig.database`select state, force_at from recipient_change`
  return row
}
const requestRecipient = (who = owner) =>
  by(who, 'POST', '/v1/settings/recipient', { address: OTHER_TREASURY })

let made = 0
async function refund(who: SignedIn | null, amount: string) {
  const invoice = await rig.create()
  await pay(rig, invoice, 6_000_000n)
  await confirm(rig, invoice)
  made += 1
  const body = { amount, address: PAYER, idempotencyKey: `approved-${made}` }
  const path = `/v1/invoices/${invoice.id}/refunds`
  const answer =
    who === null ? await rig.call('POST', path, { body }) : await by(who, 'POST', path, body)
  expect(answer.status).toBe(201)
  const [item] = await rig.database<{ waits: boolean }[]>`
    select w.not_before > now() as waits from work_item w join refund r on w.dedupe_key = 'refund:' || r.id
    where r.invoice_id = ${invoice.id}`
  return item?.waits
}

/** How many emails have asked a user to look at a request. */
async function notifiedOf({ email }: SignedIn): Promise<number> {
  const mails = await rig.database`
    select from mail where recipient = ${email} and subject like '%needs your approval'`
  return mails.length
}

describe('the rules', () => {
  test('hold at once when there are none, and change only with another person', async () => {
    expect(await rules()).toEqual({ recipient: false, refundsAbove: null })
    const body = { recipient: true, refundsAbove: '2.5' }
    expect((await setRules(finance, body)).json.code).toBe('role_not_sufficient')
    expect((await setRules(owner, body)).json.data).toEqual({ isInForce: true })
    expect(await rules()).toEqual({ recipient: true, refundsAbove: '2.5' })
    expect((await setRules(owner, { recipient: false })).json.data).toEqual({ isInForce: false })
    expect((await setRules(owner, { recipient: false })).json.code).toBe('approval_open')
    expect(await rules()).toEqual({ recipient: true, refundsAbove: '2.5' })
    const id = await newestId()
    expect((await approve(owner, id)).json.code).toBe('other_person_required')
    expect((await approve(finance, id)).json.data).toEqual({ id, isApproved: true })
    expect(await rules()).toEqual({ recipient: false, refundsAbove: null })
    expect((await approve(finance, id)).json.code).toBe('approval_ended')
  })

  test('need two people who could approve', async () => {
    const { id } = (await rig.newMerchant()).merchant
    const alone = await newMember(rig, 'owner', id)
    await newMember(rig, 'finance', id, { hasSecondFactor: false })
    const answer = await alone.browser.api('POST', id, RULES, { recipient: true })
    expect(answer).toMatchObject({ status: 409, json: { code: 'approver_missing' } })
  })
})

describe('the operator', () => {
  const lift = () =>
    remit(
      { DATABASE_URL: rig.config.databaseUrl },
      ...['approvals', 'lift', '--merchant', merchantId, '--json'],
    )

  test('lifts the rules when no one is left to approve that, and the audit log says so', async () => {
    await setRules(owner, { recipient: true, refundsAbove: '2.5' })
    await setRules(owner, { recipient: false })
    const id = await newestId()
    const ran = await lift()
    expect(ran.json()).toMatchObject({ lifted: { recipient: true, refundsAbove: '2.5' } })
    expect(await rules()).toEqual({ recipient: false, refundsAbove: null })
    expect(await requests()).toMatchObject([{ id, status: 'refused', endedBy: 'the operator' }])
    expect((await approve(finance, id)).json.code).toBe('approval_ended')
    expect((await requestRecipient()).json.data).toMatchObject({ status: 'waiting' })
    const [entry] = await rig.database`
      select actor, action, before, after, status
      from audit_entry e join audit_outcome o on o.entry_id = e.id
      where merchant_id = ${merchantId} and actor = 'operator' order by e.id desc limit 1`
    expect(entry).toEqual({
      ...{ actor: 'operator', status: 200 },
      action: 'changeApprovalPolicy',
      before: { recipient: true, refundsAbove: '2.5' },
      after: { recipient: false, refundsAbove: null },
    })
    const again = await lift()
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('has no approval rules')])
  })
})

describe('a change of the recipient', () => {
  test('begins to wait when another person has approved it', async () => {
    await setRules(owner, { recipient: true })
    const developer = await newMember(rig, 'developer')
    const [ownMails = 0, mails = 0] = [await notifiedOf(owner), await notifiedOf(finance)]
    expect((await requestRecipient()).json.data).toMatchObject({
      status: 'needs_approval',
      inForceAt: null,
    })
    expect([await notifiedOf(owner), await notifiedOf(finance)]).toEqual([ownMails, mails + 1])
    expect(await notifiedOf(developer)).toBe(0)
    const id = await newestId()
    for (const role of ['developer', 'support', 'reader'] as const) {
      expect((await approve(await newMember(rig, role), id)).json.code).toBe('role_not_sufficient')
    }
    expect((await approve(owner, id)).json.code).toBe('other_person_required')
    expect(await change()).toMatchObject({ state: 'needs_approval', forceAt: null })
    const both = await Promise.all([approve(finance, id), approve(finance, id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await change()).toMatchObject({ state: 'waiting' })
    const [row] = await rig.database`
      select round(extract(epoch from force_at - waits_since))::int as delay from recipient_change`
    expect(row).toEqual({ delay: 3_600 })
  })

  test('that is refused or cancelled is over, with its request', async () => {
    await setRules(owner, { recipient: true })
    await requestRecipient()
    const first = await newestId()
    expect((await refuse(finance, first)).status).toBe(200)
    expect(await change()).toMatchObject({ state: 'refused' })
    expect((await approve(finance, first)).json.code).toBe('approval_ended')

    await rig.database`delete from approval_request`
    await rig.database`delete from recipient_change_link`
    await rig.database`delete from recipient_change`
    const asked = await requestRecipient()
    const path = `/v1/settings/recipient/changes/${asked.json.data?.id}`
    expect((await by(owner, 'DELETE', path)).status).toBe(200)
    expect(await requests()).toMatchObject([{ status: 'refused' }])
  })

  test('that no one approves in time is over', async () => {
    await setRules(owner, { recipient: true })
    await requestRecipient()
    // Another time is another request; a leader has looked at this one before.
    await leaderTurn(rig)
    await rig.database`update approval_request set expires_at = now() - interval '1 second'`
    const id = await newestId()
    expect((await approve(finance, id)).json.code).toBe('approval_ended')
    const worker = await openAs(rig.config.databaseUrl, 'worker', 1)
    expect(await expireRequests(worker)).toBe(1)
    expect(await expireRequests(worker)).toBe(0)
    await worker.end()
    expect(await change()).toMatchObject({ state: 'expired' })
    expect(await requests()).toMatchObject([{ status: 'expired', endedBy: 'time' }])
  })
})

describe('a refund', () => {
  test('above the amount waits for approval, and one below does not', async () => {
    await setRules(owner, { recipient: false, refundsAbove: '2.5' })
    const before = [await notifiedOf(owner), await notifiedOf(finance)]
    expect(await refund(finance, '2.5')).toBe(false)
    expect(await requests()).toEqual([])
    expect([await notifiedOf(owner), await notifiedOf(finance)]).toEqual(before)
    expect(await refund(finance, '2.500001')).toBe(true)
    const [request] = await requests()
    expect(request).toMatchObject({ kind: 'refund', amount: '2.500001', asset: 'USDC', needed: 1 })
    const [others = 0, own = 0] = before
    expect([await notifiedOf(owner), await notifiedOf(finance)]).toEqual([others + 1, own])
    expect((await approve(finance, request.id)).json.code).toBe('other_person_required')
    expect((await approve(owner, request.id)).json.data).toMatchObject({ isApproved: true })
    const [item] = await rig.database`
      select not_before <= now() as is_due from work_item w join approval_request a
        on w.dedupe_key = 'refund:' || a.refund_id`
    expect(item).toEqual({ isDue: true })
  })

  test('by a key needs two approvals, because one approver could hold the key', async () => {
    await setRules(owner, { recipient: false, refundsAbove: '1' })
    const before = [await notifiedOf(owner), await notifiedOf(finance)]
    expect(await refund(null, '2')).toBe(true)
    expect([await notifiedOf(owner), await notifiedOf(finance)]).toEqual(
      before.map((count) => count + 1),
    )
    const [{ id, needed }] = await requests()
    expect(needed).toBe(2)
    expect((await approve(owner, id)).json.data).toEqual({ id, isApproved: false })
    expect((await approve(owner, id)).json.code).toBe('other_person_required')
    expect((await approve(finance, id)).json.data).toEqual({ id, isApproved: true })
    const key = rig.merchant.secretKey
    const path = `/dashboard/api/merchants/${merchantId}/v1/approvals/${id}/approve`
    const origin = { origin: 'http://localhost:3000' }
    expect((await rig.call('POST', path, { key, headers: origin })).status).toBe(401)
  })
})

describe('the user who approves', () => {
  test('has just signed in, and was here before it was asked for', async () => {
    await setRules(owner, { recipient: true })
    const puppet = await newMember(rig, 'owner')
    const reader = await newMember(rig, 'reader')
    const ids = rig.database`select id from auth."user" where email = ${reader.email}`
    await rig.database`update member set role = 'finance' where person_id in (${ids})`
    await requestRecipient()
    const id = await newestId()
    for (const late of [puppet, reader]) {
      const answer = await approve(late, id)
      expect(answer.json.code).toBe('other_person_required')
      expect(JSON.stringify(answer.json)).toContain('a day before')
    }
    const person = rig.database`select id from auth."user" where email = ${finance.email}`
    await rig.database`
      update auth.session set "signedInAt" = now() - interval '11 minutes' where "userId" in (${person})`
    expect((await approve(finance, id)).json.code).toBe('fresh_sign_in_required')
    expect((await refuse(finance, id)).json.code).toBe('fresh_sign_in_required')
    await rig.database`update auth.session set "signedInAt" = now() where "userId" in (${person})`
    const other = (await rig.newMerchant()).merchant.id
    const stranger = await newMember(rig, 'owner', other)
    await rig.database`
      update auth.session set "signedInAt" = now() - interval '11 minutes'
      where "userId" in (select id from auth."user" where email = ${stranger.email})`
    const set = await stranger.browser.api('POST', other, RULES, { recipient: false })
    expect(set.json.code).toBe('fresh_sign_in_required')
    await rig.database`
      update auth.session set "signedInAt" = now()
      where "userId" in (select id from auth."user" where email = ${stranger.email})`
    const foreign = await stranger.browser.api('POST', other, `/v1/approvals/${id}/approve`)
    expect(foreign).toMatchObject({ status: 404, json: { code: 'approval_not_found' } })
    expect((await stranger.browser.api('POST', other, `/v1/approvals/${id}/refuse`)).status).toBe(
      404,
    )
    expect((await approve(finance, id)).status).toBe(200)
  })

  test('is in the audit log, with what stood before', async () => {
    await setRules(owner, { recipient: true })
    await requestRecipient()
    await approve(finance, await newestId())
    const rows = await rig.database<{ action: string; before: object }[]>`
      select action, before from audit_entry where merchant_id = ${merchantId} order by id desc limit 2`
    expect(rows).toMatchObject([
      { action: 'approveRequest', before: { kind: 'recipient', status: 'open' } },
      { action: 'changeRecipient', before: { recipient: expect.any(String) } },
    ])
  })

  test('can’t be made up by the API’s credentials without a trace', async () => {
    await setRules(owner, { recipient: true })
    await requestRecipient()
    const id = await newestId()
    const [person] = await rig.database`select id from auth."user" where email = ${finance.email}`
    const api = await openAs(rig.config.databaseUrl, 'api', 1)
    for (const query of [
      api`select approve_request(${id}, ${merchantId}, ${person?.id}, 'x', interval '0')`,
      api`select refuse_request(${id}, ${merchantId}, ${person?.id}, 'x')`,
      api`select ask_for_policy(${merchantId}, ${person?.id}, 'x', false, null)`,
      api`update approval_policy set recipient = false`,
      api`insert into approval_vote (request_id, person_id, person_name) values (${id}, ${person?.id}, 'x')`,
    ]) {
      await expect(query.execute()).rejects.toThrow(/no permitted|permission denied/)
    }
    await api.end()
  })
})
