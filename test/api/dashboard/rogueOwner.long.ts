import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { checksumAddress, lowerCaseAddress } from '../../../core/chain/evm.ts'
import {
  Browser,
  invite,
  newMember,
  openDashboardRig,
  type SignedIn,
} from '../../support/api/people.ts'
import {
  activateRecipient,
  DELAY_S,
  entries,
  leaderTurn,
  mailsTo,
  PATH,
  ripen,
  tokenSentTo,
} from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { openAs } from '../../support/servers/roles.ts'

/** An owner who wants the others' money, with a session, an authenticator and every right that an owner has. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
}, 120_000)
afterAll(() => rig.close())

interface Team {
  readonly id: MerchantId
  readonly key: string
  readonly eve: SignedIn
  readonly ada: SignedIn
}

async function newTeam(): Promise<Team> {
  const { merchant, secretKey: key } = await rig.newMerchant()
  const { id } = merchant
  const eve = await newMember(rig, 'owner', id)
  // Who is an owner when a leader tells of a membership hears of it.
  await leaderTurn(rig)
  return { id, key, eve, ada: await newMember(rig, 'owner', id) }
}

async function personId({ email }: SignedIn): Promise<string> {
  const [row] = await rig.database<{ id: string }[]>`
    select id from auth."user" where email = ${email}`
  return row?.id ?? ''
}

const by = (who: SignedIn, { id }: Team, method: string, path: string, body?: unknown) =>
  who.browser.api(method, id, path, body)
const ask = (team: Team, who = team.eve) => by(who, team, 'POST', PATH, { address: OTHER_TREASURY })
const remove = async (team: Team, whom: SignedIn, who = team.eve) =>
  by(who, team, 'DELETE', `/v1/members/${await personId(whom)}`)
const demote = async (team: Team, whom: SignedIn, role = 'reader', who = team.eve) =>
  by(who, team, 'PATCH', `/v1/members/${await personId(whom)}`, { role })
async function approve(team: Team, who: SignedIn, id: string) {
  const answer = await by(who, team, 'POST', `/v1/approvals/${id}/approve`)
  await leaderTurn(rig)
  return answer
}
const refuse = (team: Team, who: SignedIn, id: string) =>
  by(who, team, 'POST', `/v1/approvals/${id}/refuse`)
const setRule = (team: Team) =>
  by(team.eve, team, 'POST', '/v1/settings/approvals', { recipient: true })

async function openRequest(team: Team, who = team.eve): Promise<Readonly<Record<string, unknown>>> {
  const { data } = (await by(who, team, 'GET', '/v1/approvals')).json
  return Object(data)[0]
}

const stop = (verb: 'look' | 'cancel', token: string) =>
  new Browser(rig).send('POST', `/dashboard/api/recipient-changes/${verb}`, { token })

const subjects = async ({ email }: SignedIn) =>
  (await mailsTo(rig, email)).map(({ subject }) => subject).join('\n')

describe('an owner at the time of a requested recipient change', () => {
  test.each(['removed', 'demoted'] as const)('stops it after being %s', async (how) => {
    const team = await newTeam()
    const bob = await newMember(rig, 'owner', team.id)
    const id = String((await ask(team)).json.data?.id)
    for (const one of [team.ada, bob]) {
      const ended = await (how === 'removed' ? remove(team, one) : demote(team, one))
      expect(ended).toMatchObject({ status: 200, json: { data: { isInForce: true } } })
    }
    // Of another merchant they may be whatever they like.
    const token = await tokenSentTo(rig, team.ada.email)
    expect((await stop('look', token)).json.data).toMatchObject({ change: { status: 'waiting' } })
    expect((await stop('cancel', token)).status).toBe(200)
    await ripen(rig, id)
    expect(await activateRecipient(rig, id)).toBeNull()
    for (const one of [team.eve, team.ada, bob]) expect(await subjects(one)).toContain('cancelled')
    expect((await stop('cancel', token)).json.code).toBe('recipient_change_not_found')
    expect((await entries(rig, team.id)).map(({ status }) => status)).toEqual([201, 200, 404])
  })
})

describe('the end of an owner', () => {
  test('is emailed to them and to all owners, and recent owners get stop links', async () => {
    const team = await newTeam()
    const bob = await newMember(rig, 'owner', team.id)
    const finance = await newMember(rig, 'finance', team.id)
    await remove(team, team.ada)
    await demote(team, bob)
    for (const one of [team.eve, team.ada, bob]) {
      expect(await subjects(one)).toContain('a member was removed')
      expect(await subjects(one)).toContain('a new role')
    }
    expect(await subjects(finance)).not.toContain('removed')
    await ask(team)
    expect((await stop('cancel', await tokenSentTo(rig, team.ada.email))).status).toBe(200)
    await rig.database`
      update former_owner set until = until - make_interval(secs => ${DELAY_S})
      where merchant_id = ${team.id} and person_id = ${await personId(bob)}`
    await rig.database`delete from owner_mail where recipient = ${bob.email}`
    await ask(team)
    expect(await tokenSentTo(rig, bob.email)).toBe('')
  })
})

describe('a role that protects money', () => {
  const newest = async ({ email }: SignedIn) => (await mailsTo(rig, email))[0]

  test('is mailed to all owners when an invitation to it is accepted, at sign-up or later', async () => {
    const team = await newTeam()
    expect((await newest(team.eve))?.body).toContain(
      `Ada <${team.ada.email}> has accepted an invitation as owner`,
    )
    expect(await subjects(team.ada)).not.toContain('a new member')
    const finance = await newMember(rig, 'finance', team.id)
    const reader = await newMember(rig, 'reader', team.id)
    for (const one of [team.eve, team.ada]) {
      const mail = await newest(one)
      expect(mail?.subject).toContain('a new member with the role finance')
      expect(mail?.body).toContain(`Ada <${finance.email}> has accepted an invitation as finance`)
    }
    expect(await subjects(finance)).not.toContain('a new')
    const accept = async (who: SignedIn, role: 'finance' | 'support') => {
      const token = await invite(rig, who.email, role, team.id)
      const answer = await who.browser.send('POST', '/dashboard/api/invitations/accept', { token })
      expect(answer.json.data).toEqual({ merchantId: team.id, role })
    }
    await accept(reader, 'support')
    expect((await newest(team.eve))?.body).toContain(finance.email)
    await accept(reader, 'finance')
    for (const one of [team.eve, team.ada]) {
      expect((await newest(one))?.body).toContain(
        `Ada <${reader.email}>, who was support, has accepted an invitation as finance`,
      )
    }
  })

  test('is mailed to all owners and that person when an owner gives it', async () => {
    const team = await newTeam()
    const reader = await newMember(rig, 'reader', team.id)
    await demote(team, reader, 'support')
    expect(await subjects(reader)).not.toContain('a new role')
    await demote(team, reader, 'finance')
    await demote(team, reader, 'owner')
    for (const one of [team.eve, team.ada, reader]) {
      const bodies = (await mailsTo(rig, one.email)).map(({ body }) => body).join('\n')
      expect(bodies).toContain(`made Ada <${reader.email}> finance, who was support`)
      expect(bodies).toContain(`made Ada <${reader.email}> owner, who was finance`)
    }
  })
})

describe('where approval is required', () => {
  test('removing an owner or a finance member takes two other members', async () => {
    const team = await newTeam()
    const finance = await newMember(rig, 'finance', team.id)
    await setRule(team)
    for (const ended of [await remove(team, team.ada), await demote(team, finance)]) {
      expect(ended).toMatchObject({ status: 200, json: { data: { isInForce: false } } })
    }
    expect((await remove(team, team.ada)).json.code).toBe('approval_open')
    const members = (await by(team.eve, team, 'GET', '/v1/members')).json.data
    expect(members).toMatchObject([{ role: 'owner' }, { role: 'owner' }, { role: 'finance' }])
    const requests = Object((await by(team.ada, team, 'GET', '/v1/approvals')).json.data)
    expect(requests).toMatchObject([
      { kind: 'member', role: 'reader', member: `Ada <${finance.email}>`, needed: 1 },
      { kind: 'member', role: null, member: `Ada <${team.ada.email}>` },
    ])
    const [ofFinance, ofAda] = requests
    for (const [who, id] of [
      [team.eve, ofAda.id],
      [team.ada, ofAda.id],
      [finance, ofFinance.id],
    ]) {
      expect((await approve(team, who, id)).json.code).toBe('other_person_required')
    }
    for (const [who, id] of [
      [team.ada, ofAda.id],
      [finance, ofFinance.id],
      [team.ada, ofFinance.id],
    ]) {
      expect((await refuse(team, who, id)).json.code).toBe('other_person_required')
    }
    expect((await refuse(team, team.eve, ofFinance.id)).status).toBe(200)
    expect((await refuse(team, team.eve, ofFinance.id)).json.code).toBe('approval_not_found')
    expect((await approve(team, finance, ofAda.id)).json.data).toMatchObject({ isApproved: true })
    expect((await by(team.ada, team, 'GET', '/v1/members')).status).toBe(401)
    for (const one of [team.eve, team.ada]) {
      expect(await subjects(one)).toContain('a member was removed')
    }
    const [mail] = await mailsTo(rig, team.ada.email)
    expect(mail?.body).toContain(`with the approval of Ada <${finance.email}>`)
    // Developers and below need no one else, and neither does who becomes an owner.
    const reader = await newMember(rig, 'reader', team.id)
    expect((await remove(team, reader)).json.data).toMatchObject({ isInForce: true })
  })

  test('a rogue owner and their second account can’t prevent the removal of either', async () => {
    const team = await newTeam()
    const puppet = await newMember(rig, 'owner', team.id)
    const finance = await newMember(rig, 'finance', team.id)
    await setRule(team)
    // That a smaller change of the same member is open keeps no one from asking for more.
    expect((await demote(team, puppet, 'finance')).json.data).toMatchObject({ isInForce: false })
    const ids: string[] = []
    for (const [whom, accomplice] of [
      [team.eve, puppet],
      [puppet, team.eve],
    ] as const) {
      expect((await remove(team, whom, team.ada)).json.data).toMatchObject({ isInForce: false })
      const { id } = await openRequest(team, team.ada)
      const refused = await refuse(team, accomplice, String(id))
      expect(refused).toMatchObject({ status: 403, json: { code: 'other_person_required' } })
      expect(JSON.stringify(refused.json)).toContain('it expires')
      ids.push(String(id))
    }
    for (const id of ids) {
      expect((await approve(team, finance, id)).json.data).toMatchObject({ isApproved: true })
    }
    for (const whom of [team.eve, puppet]) {
      expect((await by(whom, team, 'GET', '/v1/members')).status).toBe(401)
    }
  })

  test('without a third member, the operator decides, and all are notified by email', async () => {
    const team = await newTeam()
    await setRule(team)
    const late = await newMember(rig, 'finance', team.id)
    expect(await remove(team, team.ada)).toMatchObject({
      status: 409,
      json: { code: 'approver_missing' },
    })
    expect((await demote(team, team.ada, 'finance')).json.code).toBe('approver_missing')
    const run = (email: string, role: string) =>
      remit(
        { DATABASE_URL: rig.config.databaseUrl },
        ...['merchant', 'member', team.id, '--email', email, '--role', role, '--json'],
      )
    const ran = await run(team.eve.email, 'none')
    expect(ran.json()).toMatchObject({ email: team.eve.email, before: 'owner', role: null })
    for (const one of [team.eve, team.ada]) {
      expect(await subjects(one)).toContain('a member was removed')
    }
    expect((await run(team.ada.email, 'reader')).err).toContain('last owner')
    expect((await run(team.eve.email, 'reader')).err).toContain(`isn't a member of`)
    expect((await run(late.email, 'support')).json()).toMatchObject({ role: 'support' })
    const rows = await rig.database<{ action: string; actor: string }[]>`
      select action, actor from audit_entry where merchant_id = ${team.id} and actor = 'operator' order by id`
    expect(rows.map(({ action }) => action)).toEqual(['removeMember', 'changeMember'])
  })

  test('a request whose member has become the last owner meanwhile is over', async () => {
    const team = await newTeam()
    const finance = await newMember(rig, 'finance', team.id)
    await setRule(team)
    await remove(team, team.ada)
    const { id } = await openRequest(team)
    await rig.database`
      update member set role = 'support'
      where merchant_id = ${team.id} and person_id = ${await personId(team.eve)}`
    expect((await approve(team, finance, String(id))).json.code).toBe('approval_ended')
    expect((await by(team.ada, team, 'GET', '/v1/members')).status).toBe(200)
  })
})

describe('a request of an owner', () => {
  test.each(['removed', 'demoted'] as const)('ends once they are %s', async (how) => {
    const team = await newTeam()
    const finance = await newMember(rig, 'finance', team.id)
    await setRule(team)
    expect((await ask(team)).json.data).toMatchObject({ status: 'needs_approval' })
    await by(team.eve, team, 'POST', '/v1/settings/approvals', { recipient: false })
    const open = Object((await by(team.ada, team, 'GET', '/v1/approvals')).json.data)
    const asked =
      how === 'removed'
        ? remove(team, team.eve, team.ada)
        : demote(team, team.eve, 'finance', team.ada)
    expect((await asked).json.data).toMatchObject({ isInForce: false })
    const { id } = await openRequest(team, team.ada)
    expect((await approve(team, finance, String(id))).json.data).toMatchObject({ isApproved: true })
    expect(open).toMatchObject([{ kind: 'policy' }, { kind: 'recipient' }])
    for (const request of open) {
      expect((await approve(team, finance, request.id)).json.code).toBe('approval_ended')
    }
    const rows = await rig.database`
      select r.state, c.state as change from approval_request r left join recipient_change c on c.id = r.change_id
      where r.merchant_id = ${team.id} and r.kind <> 'member' order by r.created_at`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { state: 'refused', change: 'refused' },
      { state: 'refused', change: null },
    ])
    const rules = await by(team.ada, team, 'GET', '/v1/settings/approvals')
    expect(rules.json.data).toMatchObject({ recipient: true })
  })
})

describe('an address that invoices may pay out to', () => {
  const LIST = '/v1/settings/approved-recipients'
  const address = checksumAddress(lowerCaseAddress(`0x${'c'.repeat(40)}`))
  const add = async (team: Team) =>
    (await by(team.eve, team, 'POST', LIST, { address })).json.data?.isInForce
  const create = async ({ key }: Team) => {
    const body = { tokenSymbol: 'USDC', amountExpected: '10', recipient: address }
    const { status, json } = await rig.call('POST', '/v1/invoices', { key, body })
    return status === 201 ? 'created' : json.code
  }

  test('becomes active after two approvals and the delay, and all owners are notified', async () => {
    const team = await newTeam()
    // While no rule is on, one owner fills the list.
    expect(await add(team)).toBe(true)
    expect(await create(team)).toBe('created')
    await setRule(team)
    expect(await create(team)).toBe('approval_required')
    const listed = async () => Object((await by(team.ada, team, 'GET', LIST)).json.data)
    expect(await listed()).toMatchObject([{ address, approvedBy: null, usableFrom: null }])
    expect(await add(team)).toBe(false)
    const { id } = await openRequest(team)
    expect((await approve(team, team.ada, String(id))).status).toBe(200)
    expect(await create(team)).toBe('approval_required')
    expect(await add(team)).toBe(false)
    const usableFrom = expect.any(String)
    expect(await listed()).toMatchObject([
      { address, approvedBy: `Ada <${team.ada.email}>`, usableFrom },
    ])
    for (const one of [team.eve, team.ada]) {
      const [mail] = await mailsTo(rig, one.email)
      expect(mail?.subject).toContain('invoices may pay out to')
      expect(mail?.body).toContain(address)
      expect(mail?.body).toContain('It becomes active in 1h')
    }
    await rig.database`
      update approved_recipient set usable_from = usable_from - make_interval(secs => ${DELAY_S})
      where merchant_id = ${team.id}`
    expect(await create(team)).toBe('created')
    expect(await add(team)).toBe(true)
  })
})

test('the API’s credentials change no membership in the name of no one', async () => {
  const team = await newTeam()
  const [eve, ada] = [await personId(team.eve), await personId(team.ada)]
  const api = await openAs(rig.config.databaseUrl, 'api', 1)
  for (const query of [
    api`select change_membership(${team.id}, ${ada}, null, ${eve}, 'x')`,
    api`select set_member(${team.id}, ${ada}, null)`,
    api`select cancel_change_by_link('\\x00', 'x')`,
    api`delete from former_owner`,
    api`delete from member where person_id = ${ada}`,
  ]) {
    await expect(query.execute()).rejects.toThrow(/no permitted|permission denied/)
  }
  await api.end()
})
