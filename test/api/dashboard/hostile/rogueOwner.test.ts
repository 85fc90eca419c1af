import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../../core/ids.ts'
import { remit } from '../../../cli/run.ts'
import { openAs } from '../../../support/servers/roles.ts'
import { type ApiRig, OTHER_TREASURY } from '../../rig.ts'
import { Browser, newMember, openDashboardRig, type SignedIn } from '../people.ts'
import {
  DELAY_S,
  entries,
  mailsTo,
  PATH,
  putOneInForce,
  ripen,
  tokenSentTo,
} from '../recipients.ts'

/** An owner who wants the others' money, with a session, an authenticator and every right that an owner has. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
}, 120_000)
afterAll(() => rig.close())

interface Team {
  readonly id: MerchantId
  readonly eve: SignedIn
  readonly ada: SignedIn
}

async function newTeam(): Promise<Team> {
  const { id } = (await rig.newMerchant()).merchant
  return { id, eve: await newMember(rig, 'owner', id), ada: await newMember(rig, 'owner', id) }
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
const demote = async (team: Team, whom: SignedIn, role = 'reader') =>
  by(team.eve, team, 'PATCH', `/v1/members/${await personId(whom)}`, { role })
const approve = (team: Team, who: SignedIn, id: string) =>
  by(who, team, 'POST', `/v1/approvals/${id}/approve`)
const setRule = (team: Team) =>
  by(team.eve, team, 'POST', '/v1/settings/approvals', { recipient: true })

async function openRequest(team: Team): Promise<Readonly<Record<string, unknown>>> {
  const { data } = (await by(team.eve, team, 'GET', '/v1/approvals')).json
  return Object(data)[0]
}

const stop = (verb: 'look' | 'cancel', token: string) =>
  new Browser(rig).send('POST', `/dashboard/api/recipient-changes/${verb}`, { token })

const subjects = async ({ email }: SignedIn) =>
  (await mailsTo(rig, email)).map(({ subject }) => subject).join('\n')

describe('who owned the merchant when another recipient was asked for', () => {
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
    expect(await putOneInForce(rig, id)).toBeNull()
    for (const one of [team.eve, team.ada, bob]) expect(await subjects(one)).toContain('cancelled')
    expect((await stop('cancel', token)).json.code).toBe('recipient_change_not_found')
    expect((await entries(rig, team.id)).map(({ status }) => status)).toEqual([201, 200, 404])
  })
})

describe('the end of an owner', () => {
  test('is mailed to them and to all owners, and those of the last delay get stop links', async () => {
    const team = await newTeam()
    const bob = await newMember(rig, 'owner', team.id)
    const finance = await newMember(rig, 'finance', team.id)
    await remove(team, team.ada)
    await demote(team, bob)
    for (const one of [team.eve, team.ada, bob]) {
      expect(await subjects(one)).toContain('somebody was removed')
      expect(await subjects(one)).toContain('another role')
    }
    expect(await subjects(finance)).not.toContain('removed')
    await ask(team)
    expect((await stop('cancel', await tokenSentTo(rig, team.ada.email))).status).toBe(200)
    await rig.database`
      update former_owner set until = until - make_interval(secs => ${DELAY_S})
      where merchant_id = ${team.id} and person_id = ${await personId(bob)}`
    await rig.database`delete from mail where recipient = ${bob.email}`
    await ask(team)
    expect(await tokenSentTo(rig, bob.email)).toBe('')
  })
})

describe('where a second person is needed', () => {
  test('an owner or somebody of finance is removed by two, neither of them the one who is meant', async () => {
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
    const refuse = (who: SignedIn, id: string) =>
      by(who, team, 'POST', `/v1/approvals/${id}/refuse`)
    expect((await refuse(team.ada, ofAda.id)).json.code).toBe('approval_not_found')
    expect((await refuse(finance, ofFinance.id)).json.code).toBe('approval_not_found')
    expect((await refuse(team.ada, ofFinance.id)).status).toBe(200)
    expect((await approve(team, finance, ofAda.id)).json.data).toMatchObject({ isApproved: true })
    expect((await by(team.ada, team, 'GET', '/v1/members')).status).toBe(401)
    for (const one of [team.eve, team.ada]) {
      expect(await subjects(one)).toContain('somebody was removed')
    }
    const [mail] = await mailsTo(rig, team.ada.email)
    expect(mail?.body).toContain(`with the approval of Ada <${finance.email}>`)
    // Developers and below need nobody else, and neither does who becomes an owner.
    const reader = await newMember(rig, 'reader', team.id)
    expect((await remove(team, reader)).json.data).toMatchObject({ isInForce: true })
  })

  test('and there is no third one, the operator decides, and all are mailed', async () => {
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
      expect(await subjects(one)).toContain('somebody was removed')
    }
    expect((await run(team.ada.email, 'reader')).err).toContain('last owner')
    expect((await run(team.eve.email, 'reader')).err).toContain('no member')
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

test('the API’s credentials change no membership in the name of nobody', async () => {
  const team = await newTeam()
  const [eve, ada] = [await personId(team.eve), await personId(team.ada)]
  const api = await openAs(rig.config.databaseUrl, 'api', 1)
  for (const query of [
    api`select change_membership(${team.id}, ${ada}, null, ${eve}, 'x')`,
    api`select change_member(${team.id}, ${ada}, null)`,
    api`select set_member(${team.id}, ${ada}, null)`,
    api`select cancel_change_by_link('\\x00', 'x')`,
    api`delete from former_owner`,
    api`delete from member where person_id = ${ada}`,
  ]) {
    await expect(query.execute()).rejects.toThrow(/nobody who may|permission denied/)
  }
  await api.end()
})
