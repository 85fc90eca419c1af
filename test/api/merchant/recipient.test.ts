import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import { Browser, newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
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
import { type ApiRig, OTHER_TREASURY, TREASURY } from '../../support/api/rig.ts'
import { openAs } from '../../support/servers/roles.ts'

/** Owners send their money elsewhere: late enough for the others to stop it. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
}, 120_000)
afterAll(() => rig.close())

interface Team {
  readonly id: MerchantId
  readonly owner: SignedIn
  readonly secretKey: string
}

async function newTeam(recipient: string | null = TREASURY): Promise<Team> {
  const { merchant, secretKey } = await rig.newMerchant(recipient)
  return { id: merchant.id, secretKey, owner: await newMember(rig, 'owner', merchant.id) }
}

const ask = ({ id, owner }: Team, address = OTHER_TREASURY) =>
  owner.browser.api('POST', id, PATH, { address })

const read = async ({ id, owner }: Team) => (await owner.browser.api('GET', id, PATH)).json.data

async function asked(team: Team): Promise<string> {
  const answer = await ask(team)
  expect(answer.status).toBe(201)
  await leaderTurn(rig)
  return String(answer.json.data?.id)
}

describe('a change that an owner requests', () => {
  test('waits, is emailed to all owners, and becomes active after its delay', async () => {
    const team = await newTeam()
    const ada = await newMember(rig, 'owner', team.id)
    const finance = await newMember(rig, 'finance', team.id)
    const answer = await ask(team)
    expect(answer).toMatchObject({
      status: 201,
      json: { data: { status: 'waiting', recipient: OTHER_TREASURY, replaces: TREASURY } },
    })
    const { requestedAt, inForceAt } = answer.json.data ?? {}
    const delay = Date.parse(String(inForceAt)) - Date.parse(String(requestedAt))
    expect(Math.round(delay / 1_000)).toBe(DELAY_S)
    expect(await read(team)).toMatchObject({ recipient: TREASURY, delaySeconds: DELAY_S })
    for (const { email } of [team.owner, ada]) {
      const [mail] = await mailsTo(rig, email)
      expect(mail?.subject).toContain('0x3C44…93BC')
      expect(mail?.body).toContain(OTHER_TREASURY)
      expect(mail?.body).toContain('becomes active in 1h')
    }
    expect((await mailsTo(rig, finance.email)).map(({ body }) => body).join()).not.toContain('#')

    const id = String(answer.json.data?.id)
    expect(await activateRecipient(rig, id)).toBeNull()
    expect(await read(team)).toMatchObject({ recipient: TREASURY })
    await ripen(rig, id)
    expect(await activateRecipient(rig, id)).toBe(0)
    expect(await read(team)).toMatchObject({
      recipient: OTHER_TREASURY,
      changes: [{ id, status: 'in_force', endedBy: 'time' }],
    })
    expect(await activateRecipient(rig, id)).toBeNull()
    const [merchant] = await rig.database`select config_version from merchant where id = ${team.id}`
    expect(merchant).toMatchObject({ configVersion: 2 })
    expect([...(await entries(rig, team.id))]).toEqual([
      { action: 'changeRecipient', actor: 'person', status: 201 },
    ])
  })

  test('waits for as long as workers say, regardless of what the API has stored', async () => {
    const team = await newTeam()
    const id = await asked(team)
    await rig.database`update recipient_change set force_at = now() - interval '1 minute' where id = ${id}`
    expect(await activateRecipient(rig, id)).toBeNull()
  })

  test('is for an owner who has just signed in, with a checksum, and for one change at a time', async () => {
    const team = await newTeam()
    for (const [address, message] of [
      [OTHER_TREASURY.toLowerCase(), 'checksum'],
      [OTHER_TREASURY.replace('C44', 'c44'), 'checksum'],
      ['0x12', 'checksum'],
      [TREASURY, 'already'],
      ['0x0000000000000000000000000000000000000000', 'zero address'],
    ] as const) {
      const answer = await ask(team, address)
      expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_recipient' } })
      expect(JSON.stringify(answer.json)).toContain(message)
    }
    const finance = await newMember(rig, 'finance', team.id)
    const refused = await ask({ ...team, owner: finance })
    expect(refused.json.code).toBe('role_not_sufficient')
    const signedIn = rig.database`select id from auth."user" where email = ${team.owner.email}`
    await rig.database`
      update auth.session set "signedInAt" = now() - interval '11 minutes' where "userId" in (${signedIn})`
    expect((await ask(team)).json.code).toBe('fresh_sign_in_required')
    await rig.database`update auth.session set "signedInAt" = now() where "userId" in (${signedIn})`
    const [one, two] = await Promise.all([ask(team), ask(team)])
    expect([one.status, two.status].sort()).toEqual([201, 409])
    expect((await ask(team)).json.code).toBe('recipient_change_open')
  })

  test('is not made without an entry of the audit log, even with the API’s credentials', async () => {
    const team = await newTeam()
    const api = await openAs(rig.config.databaseUrl, 'api', 1)
    const [person] =
      await rig.database`select id from auth."user" where email = ${team.owner.email}`
    const asking = api`
      select ask_for_recipient(${Bun.randomUUIDv7()}, ${team.id}, ${OTHER_TREASURY.toLowerCase()},
        'person', ${person?.id}, 'Ada', interval '0')`
    await expect(asking.execute()).rejects.toThrow('no permitted')
    await expect(
      api`update merchant set recipient = ${OTHER_TREASURY.toLowerCase()}`.execute(),
    ).rejects.toThrow('permission denied')
    await expect(
      api`insert into recipient_change (id) values (${Bun.randomUUIDv7()})`.execute(),
    ).rejects.toThrow('permission denied')
    await api.end()
  })
})

describe('a change that is cancelled', () => {
  test('on the page never becomes active, and all owners are notified', async () => {
    const team = await newTeam()
    const ada = await newMember(rig, 'owner', team.id)
    const id = await asked(team)
    const other = await newTeam()
    const path = `${PATH}/changes/${id}`
    const foreign = await other.owner.browser.api('DELETE', other.id, path)
    expect(foreign).toMatchObject({ status: 404, json: { code: 'recipient_change_not_found' } })
    const cancelled = await ada.browser.api('DELETE', team.id, path)
    expect(cancelled).toMatchObject({ status: 200, json: { data: { status: 'cancelled' } } })
    expect((await mailsTo(rig, team.owner.email))[0]?.subject).toContain('cancelled')
    await ripen(rig, id)
    expect(await activateRecipient(rig, id)).toBeNull()
    expect(await read(team)).toMatchObject({ recipient: TREASURY })
    expect((await ada.browser.api('DELETE', team.id, path)).status).toBe(404)
    expect((await ask(team)).status).toBe(201)
  })

  test('by the link of an email needs a button and no session, and works once', async () => {
    const team = await newTeam()
    const ada = await newMember(rig, 'owner', team.id)
    const id = await asked(team)
    const token = await tokenSentTo(rig, ada.email)
    const nobody = new Browser(rig)
    // What a scanner of emails does.
    const page = await nobody.send('GET', '/dashboard/stop-change')
    expect(page.status).toBe(200)
    const calls = (verb: 'look' | 'cancel', sent = token, browser = nobody) =>
      browser.send('POST', `/dashboard/api/recipient-changes/${verb}`, { token: sent })
    expect((await nobody.send('GET', '/dashboard/api/recipient-changes/cancel')).status).toBe(405)
    expect((await calls('cancel', token, new Browser(rig, 'https://evil.example'))).status).toBe(
      403,
    )
    expect((await calls('cancel', `${token}x`)).status).toBe(404)
    const shown = await calls('look')
    expect(shown.json.data).toMatchObject({ change: { id, status: 'waiting' } })
    expect(await read(team)).toMatchObject({ changes: [{ status: 'waiting' }] })
    expect((await calls('cancel')).status).toBe(200)
    expect(await read(team)).toMatchObject({
      changes: [{ status: 'cancelled', endedBy: `Ada <${ada.email}>` }],
    })
    expect((await calls('cancel')).json.code).toBe('recipient_change_not_found')
    expect((await calls('look')).json.data).toMatchObject({ change: { status: 'cancelled' } })
    expect((await entries(rig, team.id)).map(({ status }) => status)).toEqual([201, 200, 404])
  })

  test('while it becomes active is one or the other', async () => {
    const team = await newTeam()
    const id = await asked(team)
    await ripen(rig, id)
    const [due, cancelled] = await Promise.all([
      activateRecipient(rig, id),
      team.owner.browser.api('DELETE', team.id, `${PATH}/changes/${id}`),
    ])
    expect(due === null).toBe(cancelled.status === 200)
    const now = due === null ? TREASURY : OTHER_TREASURY
    expect(await read(team)).toMatchObject({ recipient: now })
  })
})

describe('others', () => {
  test('the operator’s command is active immediately, and ends pending changes', async () => {
    const team = await newTeam()
    const id = await asked(team)
    const third = `0x${'2'.repeat(40)}`
    const set = await setRecipient(rig.database, rig.config, team.id, third)
    expect(set).toMatchObject({ ok: true })
    await ripen(rig, id)
    expect(await activateRecipient(rig, id)).toBeNull()
    expect(await read(team)).toMatchObject({
      recipient: third,
      changes: [{ status: 'replaced', endedBy: 'the operator' }],
    })
  })

  test('an address that has become one of ours meanwhile is not put in force', async () => {
    const team = await newTeam()
    const id = await asked(team)
    await ripen(rig, id)
    const watched = lowerCaseAddress(OTHER_TREASURY)
    await rig.database`
      insert into watched (address, kind, merchant_id) values (${watched}, 'forwarder', ${team.id})`
    expect(await activateRecipient(rig, id)).toBeNull()
    await rig.database`delete from watched where address = ${watched}`
    expect(await read(team)).toMatchObject({
      recipient: TREASURY,
      changes: [{ status: 'impossible' }],
    })
  })
})
