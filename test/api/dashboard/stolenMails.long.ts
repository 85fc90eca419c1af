import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pino } from 'pino'
import type { MerchantId } from '../../../core/base/ids.ts'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { type Database, isRefusal } from '../../../store/database/database.ts'
import {
  markOwnerEmailSent,
  proveOwnerEmails,
  removeOldOwnerEmails,
  takeOwnerEmail,
} from '../../../store/events/ownerEmails.ts'
import { followApprovals } from '../../../workers/merchant/approvals.ts'
import { FORGED } from '../../../workers/merchant/genuine.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import { newEmail, newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import { DELAY_S, leaderTurn, mailsTo, PATH } from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY, TREASURY } from '../../support/api/rig.ts'
import { openAs } from '../../support/servers/roles.ts'

/** A thief of the API's database credentials keeps no email from an owner, and has none sent elsewhere. */

let rig: ApiRig
let api: Database
let worker: Database
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
  api = await openAs(rig.config.databaseUrl, 'api', 2)
  worker = await openAs(rig.config.databaseUrl, 'worker', 2)
}, 120_000)
afterAll(async () => {
  await Promise.all([api?.end({ timeout: 1 }), worker?.end({ timeout: 1 })])
  await rig?.close()
})

interface Team {
  readonly id: MerchantId
  readonly ada: SignedIn
  readonly bob: SignedIn
  readonly bobId: string
}

async function newTeam(): Promise<Team> {
  const { id } = (await rig.newMerchant(TREASURY)).merchant
  const [ada, bob] = [await newMember(rig, 'owner', id), await newMember(rig, 'owner', id)]
  const [row] = await rig.database<{ id: string }[]>`
    select id from auth."user" where email = ${bob.email}`
  await leaderTurn(rig)
  return { id, ada, bob, bobId: row?.id ?? '' }
}

const ask = ({ id, ada }: Team) => ada.browser.api('POST', id, PATH, { address: OTHER_TREASURY })

const subjects = async (email: string) =>
  (await mailsTo(rig, email)).map(({ subject }) => subject).join('\n')

async function expectRefused(statement: PromiseLike<unknown>): Promise<void> {
  const error = await Promise.resolve(statement).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(isRefusal(error)).toBe(true)
}

describe('the account of an owner', () => {
  const EXCHANGES: readonly (readonly [
    string,
    (id: string, to: string) => PromiseLike<unknown>,
  ])[] = [
    [
      'is not removed for another one with its id',
      (id, to) => api`
          with gone as (delete from auth."user" where id = ${id} returning id)
          insert into auth."user" (id, name, email, "emailVerified", "twoFactorEnabled")
          select id, 'Bob', ${to}, true, true from gone`,
    ],
    [
      'does not get another id, so that another one has it',
      (id, to) => api`
          with moved as (update auth."user" set id = gen_random_uuid() where id = ${id} returning 1)
          insert into auth."user" (id, name, email, "emailVerified", "twoFactorEnabled")
          select ${id}::uuid, 'Bob', ${to}, true, true from moved`,
    ],
    [
      'does not get another address by being stored again',
      (id, to) => api`
          insert into auth."user" (id, name, email, "emailVerified") values (${id}, 'Bob', 'x', true)
          on conflict (id) do update set email = ${to}`,
    ],
  ]
  test.each(EXCHANGES)('%s', async (_, exchange) => {
    const team = await newTeam()
    await expectRefused(exchange(team.bobId, newEmail()))
    await ask(team)
    expect(await subjects(team.bob.email)).toContain('change of the payout address to')
  })

  test('is kept after they were removed, as long as they have a link', async () => {
    const team = await newTeam()
    await ask(team)
    await leaderTurn(rig)
    await rig.database`delete from member where person_id = ${team.bobId}`
    await rig.database`delete from former_owner where person_id = ${team.bobId}`
    await expectRefused(api`delete from auth."user" where id = ${team.bobId}`)
  })

  test.each(['eve\r\n@example.com', `eve\t@example.com`, `${'e'.repeat(250)}@example.com`])(
    'has an address to which mails can be stored: not %j',
    async (email) => {
      const stored = api`
      insert into auth."user" (name, email, "emailVerified") values ('Eve', ${email}, true)`
      await expect(Promise.resolve(stored)).rejects.toThrow('user_email_sendable')
    },
  )
})

describe('an email to an owner', () => {
  async function newMails() {
    await rig.database`delete from owner_mail`
    const team = await newTeam()
    await rig.database`delete from owner_mail`
    await ask(team)
    await leaderTurn(rig)
    const mails = await api<{ id: string }[]>`select id from owner_mail order by id`
    return { team, ids: mails.map(({ id }) => id) }
  }
  const prove = () => proveOwnerEmails(worker, rig.config.secretKeys)
  const say = (id: string, mac: string | null) => api`
    select note_owner_mail(${id}, ${mac}, null, interval '0')`
  const age = (by: string) => rig.database`
    update owner_mail set created_at = created_at - ${by}::interval, due_at = due_at - ${by}::interval`

  test('that was marked as sent without the key is sent again, however old it is', async () => {
    const { team, ids } = await newMails()
    const [id = ''] = ids
    for (const mac of [`mac:1:public:${'A'.repeat(43)}`, 'x', '']) {
      await say(id, mac)
      await age('6 days')
      await removeOldOwnerEmails(worker)
      expect(await prove()).toEqual({ proven: 0, reopened: 1 })
    }
    const taken = [await takeOwnerEmail(api), await takeOwnerEmail(api)]
    expect(taken.map((one) => one?.recipient).sort()).toEqual(
      [team.ada.email, team.bob.email].sort(),
    )
  })

  test('is delayed for at most half an hour after the attacker disconnects', async () => {
    const { ids } = await newMails()
    for (const id of ids) {
      await api`select note_owner_mail(${id}, null, 'later', interval '1 year')`
    }
    expect(await takeOwnerEmail(api)).toBeNull()
    await age('31 minutes')
    const taken = [await takeOwnerEmail(api), await takeOwnerEmail(api)]
    expect(taken.map((one) => one?.id).sort()).toEqual(ids.toSorted())
  })

  test('that was sent is looked at once, and not sent again at anyone’s word', async () => {
    const [id = '', other = ''] = (await newMails()).ids
    await markOwnerEmailSent(api, rig.config.secretKeys, id)
    const [sent] = await api<{ sentMac: string }[]>`
      select sent_mac from owner_mail where id = ${id}`
    // Its HMAC says nothing of another one.
    await say(other, sent?.sentMac ?? '')
    expect(await prove()).toEqual({ proven: 1, reopened: 1 })
    await say(id, null)
    expect((await takeOwnerEmail(api))?.id).toBe(other)
    expect(await takeOwnerEmail(api)).toBeNull()
    expect(await prove()).toEqual({ proven: 0, reopened: 0 })
    await age('8 days')
    await removeOldOwnerEmails(worker)
    expect([...(await api`select id from owner_mail`)]).toEqual([{ id: other }])
    await expectRefused(api`update owner_mail set proven_at = now()`)
  })

  test('that names a key which the worker lacks is not sent again for an hour', async () => {
    const [id = ''] = (await newMails()).ids
    await markOwnerEmailSent(api, rig.config.secretKeys, id)
    const without = sandboxKeyring([])
    expect(await proveOwnerEmails(worker, without)).toEqual({ proven: 0, reopened: 0 })
    await age('61 minutes')
    expect(await proveOwnerEmails(worker, without)).toEqual({ proven: 0, reopened: 1 })
  })
})

test('however many rows are forged, each merchant is one alarm', async () => {
  const [here, there] = [await newTeam(), await newTeam()]
  await rig.database`
    insert into approval_request (id, merchant_id, kind, wanted_address, actor, actor_id, actor_name, needed)
    select gen_random_uuid(), m, 'address', '0x' || lpad(to_hex(n), 40, '0'), 'key', 'x', 'a key', 2
    from unnest(${[here.id, there.id]}::uuid[]) m, generate_series(1, 40) n`
  const others = new Isolation(pino({ level: 'silent' }))
  const parts = { database: worker, config: rig.config, work: { others } }
  await followApprovals(parts, pino({ level: 'silent' }))
  expect(others.waiting(FORGED).sort()).toEqual([here.id, there.id].map(String).sort())
})
