import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { pino } from 'pino'
import { formatApiKey } from '../../../core/access/keys.ts'
import { asRecipientChangeId, asRefundId, type MerchantId } from '../../../core/base/ids.ts'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type Database, isRefusal } from '../../../store/database/database.ts'
import { refundApprovals } from '../../../store/refund/approvals.ts'
import { NOT_GENUINE } from '../../../workers/merchant/genuine.ts'
import { notifyOrRefuse } from '../../../workers/merchant/recipients.ts'
import { confirm, followChains, PAYER, pay } from '../../support/api/ledger.ts'
import { newEmail, newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import {
  activateRecipient,
  DELAY_S,
  leaderTurn,
  mailsTo,
  PATH,
  ripen,
  tokenSentTo,
} from '../../support/api/recipients.ts'
import { type ApiRig, OTHER_TREASURY, TREASURY } from '../../support/api/rig.ts'
import { openAs } from '../../support/servers/roles.ts'

/**
 * What a thief of the API's database credentials can do about people and money, statement by statement:
 * each is refused by the database, or ended by a leader before it is in force, and the owners hear of it. What
 * they can do all the same stands here, too.
 */

const THEIRS = lowerCaseAddress(`0x${'d'.repeat(40)}`)
const FORGED = 'a forged request was cancelled'

let rig: ApiRig
let api: Database
let worker: Database
beforeAll(async () => {
  rig = await openDashboardRig({ variables: { RECIPIENT_DELAY_S: String(DELAY_S) } })
  await followChains(rig)
  api = await openAs(rig.config.databaseUrl, 'api', 2)
  worker = await openAs(rig.config.databaseUrl, 'worker', 1)
}, 120_000)
afterAll(async () => {
  await Promise.all([api?.end({ timeout: 1 }), worker?.end({ timeout: 1 })])
  await rig?.close()
})

interface Team {
  readonly id: MerchantId
  readonly key: string
  readonly ada: SignedIn
  readonly bob: SignedIn
  /** The ids of both. */
  readonly adaId: string
  readonly bobId: string
}

async function newTeam(rules: unknown = null): Promise<Team> {
  const { merchant, secretKey: key } = await rig.newMerchant(TREASURY)
  const { id } = merchant
  const [ada, bob] = [await newMember(rig, 'owner', id), await newMember(rig, 'owner', id)]
  const team = { id, key, ada, bob, adaId: await idOf(ada), bobId: await idOf(bob) }
  if (rules !== null) {
    const set = await by(team, ada, 'POST', '/v1/settings/approvals', rules)
    expect(set.json.data).toEqual({ isInForce: true })
  }
  await leaderTurn(rig)
  return team
}

async function idOf({ email }: SignedIn): Promise<string> {
  const [row] = await rig.database<{ id: string }[]>`
    select id from auth."user" where email = ${email}`
  return row?.id ?? ''
}

const by = ({ id }: Team, who: SignedIn, method: string, path: string, body?: unknown) =>
  who.browser.api(method, id, path, body)

/** Writes the entry of the audit log that a function looks for, in the name of anyone. */
const entry = ({ id }: Team, action: string, actor: 'person' | 'key', actorId: string) => api`
  insert into audit_entry (merchant_id, actor, actor_id, actor_name, action)
  values (${id}, ${actor}, ${actorId}, 'Ada', ${action})`

async function askAs(team: Team, personId: string, to = THEIRS): Promise<string> {
  const id = Bun.randomUUIDv7()
  await entry(team, 'changeRecipient', 'person', personId)
  await api`
    select ask_for_recipient(${id}, ${team.id}, ${to}, 'person', ${personId}, 'Ada', interval '0')`
  return id
}

async function voteAs(team: Team, personId: string, requestId: string): Promise<string> {
  await entry(team, 'approveRequest', 'person', personId)
  const [row] = await api<{ outcome: string }[]>`
    select approve_request(${requestId}, ${team.id}, ${personId}, 'Bob', interval '0') as outcome`
  return row?.outcome ?? ''
}

async function openRequest({ id }: Team): Promise<string> {
  const [row] = await rig.database<{ id: string }[]>`
    select id from approval_request where merchant_id = ${id} and state = 'open'
    order by created_at desc limit 1`
  return row?.id ?? ''
}

const requestOf = async (id: string) => {
  const [row] = await rig.database`
    select state, ended_by, done_at from approval_request where id = ${id}`
  return { ...row }
}

async function changeOf(id: string): Promise<object> {
  const [row] = await rig.database`select state, ended_by from recipient_change where id = ${id}`
  return { ...row }
}

async function recipientOf({ id }: Team): Promise<unknown> {
  const [row] = await rig.database`select recipient from merchant where id = ${id}`
  return row?.recipient
}

async function expectNotified(team: Team, subject: string): Promise<void> {
  for (const { email } of [team.ada, team.bob]) {
    const mails = await mailsTo(rig, email)
    expect(mails.map((mail) => mail.subject).join('\n')).toContain(subject)
  }
}

async function expectEnded(team: Team, changeId: string): Promise<void> {
  await ripen(rig, changeId)
  expect(await activateRecipient(rig, changeId, THEIRS)).toBeNull()
  expect(await changeOf(changeId)).toMatchObject({ endedBy: NOT_GENUINE })
  expect(await recipientOf(team)).toBe(TREASURY.toLowerCase())
  await expectNotified(team, FORGED)
}

describe('another recipient', () => {
  const MACS: readonly (readonly [string, () => Promise<string | null>])[] = [
    ['without an HMAC', async () => null],
    ['with one that was made up', async () => `mac:1:public:${'A'.repeat(43)}`],
    [
      'with that of a genuine change of another merchant',
      async () => {
        const other = await newTeam()
        await by(other, other.ada, 'POST', PATH, { address: OTHER_TREASURY })
        const [row] = await api<{ mac: string }[]>`
          select mac from recipient_change where merchant_id = ${other.id}`
        return row?.mac ?? ''
      },
    ],
  ]
  test.each(MACS)('in the name of an owner, %s, never becomes active', async (_, macOf) => {
    const team = await newTeam()
    const id = await askAs(team, team.adaId)
    const mac = await macOf()
    if (mac !== null) await api`select put_mac('change', ${id}, null, null, ${mac})`
    const [hub] = await worker`select number_recipient_change(${id}) as version`
    expect(hub).toEqual({ version: null })
    await expectEnded(team, id)
    // It is over, so that the owners can go on.
    const own = await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    expect(own.status).toBe(201)
  })

  test('in the name of a key never becomes active either', async () => {
    const team = await newTeam()
    const id = Bun.randomUUIDv7()
    await entry(team, 'changeRecipient', 'key', 'mine')
    await api`
      select ask_for_recipient(${id}, ${team.id}, ${THEIRS}, 'key', 'mine', 'a key', interval '0')`
    await expectEnded(team, id)
  })

  test('is not active before the owners’ emails are written, and its delay starts then', async () => {
    const team = await newTeam()
    const asked = await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    const id = String(asked.json.data?.id)
    await rig.database`
      update recipient_change set waits_since = now() - interval '2 days', force_at = now() - interval '1 day'
      where id = ${id}`
    expect(await activateRecipient(rig, id)).toBeNull()
    expect(await tokenSentTo(rig, team.bob.email)).not.toBe('')
    expect(await activateRecipient(rig, id)).toBeNull()
    const [row] = await rig.database`
      select force_at - notified_at = make_interval(secs => ${DELAY_S}) as is_whole from recipient_change
      where id = ${id}`
    expect(row).toEqual({ isWhole: true })
    await ripen(rig, id)
    expect(await activateRecipient(rig, id)).toBe(0)
  })

  test('that names a key which a worker lacks waits for it, and is neither reported nor ended', async () => {
    const team = await newTeam()
    const asked = await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    const changeId = asRecipientChangeId(String(asked.json.data?.id))
    const without = { ...rig.config, secretKeys: sandboxKeyring([]) }
    const about = { changeId, merchantId: team.id }
    const log = pino({ level: 'silent' })
    await expect(worker.begin((sql) => notifyOrRefuse(sql, without, about, log))).rejects.toThrow(
      'ENCRYPTION_KEYS',
    )
    expect(await changeOf(changeId)).toMatchObject({ state: 'waiting' })
    await leaderTurn(rig)
    expect(await tokenSentTo(rig, team.bob.email)).not.toBe('')
  })
})

describe('where approval is required', () => {
  test('a vote forged in the name of another owner executes nothing', async () => {
    const team = await newTeam({ recipient: true })
    const asked = await by(team, team.ada, 'POST', PATH, { address: THEIRS_SPELT })
    expect(asked.json.data).toMatchObject({ status: 'needs_approval' })
    const id = await openRequest(team)
    expect(await voteAs(team, team.bobId, id)).toBe('approved')
    await expectEnded(team, String(asked.json.data?.id))
    expect(await requestOf(id)).toMatchObject({ state: 'refused', doneAt: null })
  })

  test('nor does one with the HMAC of a genuine vote of the same person for something else', async () => {
    const team = await newTeam({ recipient: true })
    const first = await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    const genuine = await openRequest(team)
    await by(team, team.bob, 'POST', `/v1/approvals/${genuine}/approve`)
    const [vote] = await api<{ mac: string; voterRole: string }[]>`
      select mac, voter_role from approval_vote where request_id = ${genuine}`
    await by(team, team.ada, 'DELETE', `${PATH}/changes/${first.json.data?.id}`)
    const second = await by(team, team.ada, 'POST', PATH, { address: THEIRS_SPELT })
    const id = await openRequest(team)
    expect(await voteAs(team, team.bobId, id)).toBe('approved')
    await api`
      select put_mac('vote', ${id}, ${team.bobId}, ${vote?.voterRole ?? ''}, ${vote?.mac ?? ''})`
    await expectEnded(team, String(second.json.data?.id))
  })

  test('a forged request with a forged vote has no effect, of any kind', async () => {
    const team = await newTeam({ recipient: true, refundsAbove: '1' })
    const bob = { ...team, adaId: team.bobId, bobId: team.adaId }
    await entry(team, 'changeApprovalPolicy', 'person', team.adaId)
    await api`select ask_for_policy(${team.id}, ${team.adaId}, 'Ada', false, null)`
    await entry(team, 'removeMember', 'person', team.adaId)
    const third = await newMember(rig, 'finance', team.id)
    await rig.database`
      update member set role_since = now() - interval '2 days' where merchant_id = ${team.id}`
    await api`
      select change_membership(${team.id}, ${team.bobId}, null, ${team.adaId}, 'Ada')`
    await entry(team, 'addApprovedRecipient', 'person', team.adaId)
    await api`select ask_for_approved_recipient(${team.id}, ${THEIRS}, ${team.adaId}, 'Ada')`
    const requests = await rig.database<{ id: string; kind: string }[]>`
      select id, kind from approval_request where merchant_id = ${team.id} order by kind`
    expect(requests.map(({ kind }) => kind)).toEqual(['address', 'member', 'policy'])
    const voter = await idOf(third)
    for (const { id } of requests) expect(await voteAs(bob, voter, id)).toBe('approved')
    await leaderTurn(rig)
    for (const { id } of requests) {
      expect(await requestOf(id)).toEqual({ state: 'refused', endedBy: NOT_GENUINE, doneAt: null })
    }
    const [rules] = await rig.database`
      select recipient, refunds_above from approval_policy where merchant_id = ${team.id}`
    expect(rules).toEqual({ recipient: true, refundsAbove: 1_000_000n })
    const [list] = await rig.database`
      select may_be_paid_to(${team.id}, ${THEIRS}) as is_theirs,
        (select count(*)::int from member where merchant_id = ${team.id}) as members`
    expect(list).toEqual({ isTheirs: false, members: 3 })
    await expectNotified(team, FORGED)
  })

  test('an invitation removes no role whose removal needs approval', async () => {
    const team = await newTeam({ recipient: true })
    for (const [{ email }, personId] of [
      [team.ada, team.adaId],
      [team.bob, team.bobId],
    ] as const) {
      const hash = Bun.CryptoHasher.hash('sha256', `reader ${personId}`)
      await api`
        insert into invitation (id, merchant_id, email, role, token_hash, expires_at)
        values (${Bun.randomUUIDv7()}, ${team.id}, ${email}, 'reader', ${hash}, now() + interval '1 day')`
      await api`select accept_invitation(${hash}, ${personId}, now())`
    }
    const roles = await rig.database`select role from member where merchant_id = ${team.id}`
    expect([...roles]).toEqual([{ role: 'owner' }, { role: 'owner' }])
  })

  test('an own address for x402 that was removed is not taken back', async () => {
    const team = await newTeam()
    const id = Bun.randomUUIDv7()
    await api`
      insert into x402_own_address (id, merchant_id, address, signature, created_at, removed_at)
      values (${id}, ${team.id}, ${THEIRS}, '0x', now(), now())`
    const rules = await by(team, team.ada, 'POST', '/v1/settings/approvals', { recipient: true })
    expect(rules.json.data).toEqual({ isInForce: true })
    const restored = api`update x402_own_address set removed_at = null where id = ${id}`
    await expect(Promise.resolve(restored)).rejects.toThrow('has not approved this recipient')
  })

  test('a refund with a forged vote is not approved for those who sign', async () => {
    const team = await newTeam({ recipient: false, refundsAbove: '1' })
    const invoice = { tokenSymbol: 'USDC', amountExpected: '10' }
    const made = await rig.call('POST', '/v1/invoices', { key: team.key, body: invoice })
    await pay(rig, made.json.data, 9_000_000n)
    await confirm(rig, made.json.data)
    const asked = await by(team, team.ada, 'POST', `/v1/invoices/${made.json.data.id}/refunds`, {
      ...{ amount: '2', address: PAYER, idempotencyKey: crypto.randomUUID() },
    })
    const refundId = asRefundId(String(asked.json.data?.id))
    const approved = async () =>
      (await refundApprovals(worker, [refundId])).get(refundId)?.isApproved
    const id = await openRequest(team)
    expect(await voteAs(team, team.bobId, id)).toBe('approved')
    expect(await approved()).toBe(false)
    await leaderTurn(rig)
    expect(await approved()).toBe(false)
    expect(await requestOf(id)).toMatchObject({ state: 'refused', endedBy: NOT_GENUINE })
  })

  test('a genuine vote carries a genuine request out, once a leader has checked both', async () => {
    const team = await newTeam({ recipient: true, refundsAbove: '1' })
    await by(team, team.ada, 'POST', '/v1/settings/approvals', { recipient: true })
    const id = await openRequest(team)
    await by(team, team.bob, 'POST', `/v1/approvals/${id}/approve`)
    expect(await requestOf(id)).toMatchObject({ state: 'approved', doneAt: null })
    await leaderTurn(rig)
    expect(await requestOf(id)).toMatchObject({ state: 'approved', doneAt: expect.any(Date) })
    await expectNotified(team, 'approval rules were changed')
  })
})

const THEIRS_SPELT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

describe('a row of the database', () => {
  const REFUSED: readonly (readonly [string, (team: Team) => PromiseLike<unknown>])[] = [
    ['the treasury', ({ id }) => api`update merchant set recipient = ${THEIRS} where id = ${id}`],
    ['the address of a change', () => api`update recipient_change set recipient = ${THEIRS}`],
    ['the time of a change', () => api`update recipient_change set force_at = now()`],
    ['that owners were told', () => api`update recipient_change set notified_at = now()`],
    ['the HMAC of a change', () => api`update recipient_change set mac = 'x'`],
    ['what was requested', () => api`update approval_request set wanted_address = ${THEIRS}`],
    ['that a request was carried out', () => api`update approval_request set done_at = now()`],
    ['that a change is genuine', () => api`select verify_change(null, interval '0', null)`],
    ['that a request is genuine', () => api`select verify_request(null, null, null)`],
    ['what is approved', () => api`select carry_out_checked(null, interval '0')`],
    ['a vote', () => api`update approval_vote set voter_role = 'owner'`],
    ['a membership', () => api`update member set role = 'owner'`],
    ['the rules', ({ id }) => api`select put_policy(${id}, false, null)`],
    ['the role of an invitation', () => api`update invitation set role = 'owner'`],
    ['the list of addresses', () => api`update approved_recipient set usable_from = now()`],
    ['what owners are told', () => api`update owner_mail set body = ''`],
    ['to whom', () => api`update owner_mail set recipient = 'eve@example.com'`],
    ['which of it is sent', () => api`update owner_mail set sent_mac = 'x'`],
    ['a mail that is to be written', () => api`update member_change set email = 'eve@example.com'`],
    [
      'the address of an owner',
      ({ adaId }) => api`update auth."user" set email = 'eve@example.com' where id = ${adaId}`,
    ],
  ]
  test.each(REFUSED)('can’t be changed: %s', async (_, statement) => {
    await expectRefused(statement(await anyTeam()))
  })

  const KEPT: readonly (readonly [string, (team: Team) => PromiseLike<unknown>])[] = [
    ['mails to owners', () => api`delete from owner_mail`],
    ['all mails to owners', () => api`truncate owner_mail`],
    ['mails that are to be written', () => api`delete from member_change`],
    ['links that stop a change', () => api`delete from recipient_change_link`],
    ['who was an owner', () => api`delete from former_owner`],
    ['a change', () => api`delete from recipient_change`],
    ['a vote', () => api`delete from approval_vote`],
    ['an entry of the audit log', () => api`delete from audit_entry`],
  ]
  test.each(KEPT)('can’t be removed: %s', async (_, statement) => {
    await expectRefused(statement(await anyTeam()))
  })

  test('an HMAC is stored once, by the user who made the row', async () => {
    const team = await newTeam()
    await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    const macs = () => api<{ mac: string; id: string }[]>`
      select id, mac from recipient_change where merchant_id = ${team.id}`
    const [before] = await macs()
    await api`select put_mac('change', ${before?.id ?? ''}, null, null, 'mac:1:public:x')`
    expect((await macs())[0]?.mac).toBe(before?.mac ?? '')
  })
})

let shared: Promise<Team> | undefined
const anyTeam = () => {
  shared ??= newTeam()
  return shared
}

async function expectRefused(statement: PromiseLike<unknown>): Promise<void> {
  const error = await Promise.resolve(statement).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).not.toBeNull()
  expect(isRefusal(error)).toBe(true)
}

describe('what these credentials can still do', () => {
  test('end an owner’s membership while no rule is active, of which all owners are notified', async () => {
    const team = await newTeam()
    await entry(team, 'removeMember', 'person', team.adaId)
    await api`select change_membership(${team.id}, ${team.bobId}, null, ${team.adaId}, 'Ada')`
    await expectNotified(team, 'a member was removed')
    // Removing the account, too, keeps nothing from them.
    await expectRefused(api`delete from auth."user" where id = ${team.bobId}`)
  })

  test('make a user an owner by a forged invitation, of which all owners are notified', async () => {
    const team = await newTeam()
    const email = newEmail()
    const hash = Bun.CryptoHasher.hash('sha256', 'mine')
    await api`
      insert into auth."user" (name, email, "emailVerified") values ('Eve', ${email}, true)`
    await api`
      insert into invitation (id, merchant_id, email, role, token_hash, expires_at)
      values (${Bun.randomUUIDv7()}, ${team.id}, ${email}, 'owner', ${hash}, now() + interval '1 day')`
    const [person] = await api<{ id: string }[]>`select id from auth."user" where email = ${email}`
    await api`select accept_invitation(${hash}, ${person?.id ?? ''}, now())`
    await expectNotified(team, 'a new member with the role owner')
    const mails = await mailsTo(rig, team.bob.email)
    expect(mails[0]?.body).toContain(`Eve <${email}>`)
  })

  test('set a password, add a passkey and remove a second factor, without a notification', async () => {
    const team = await newTeam()
    const before = await mailsTo(rig, team.ada.email)
    await api`update auth.account set password = 'x' where "userId" = ${team.adaId}`
    await api`
      insert into auth.passkey ("publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
      values ('theirs', ${team.adaId}, ${team.adaId}, 0, 'singleDevice', false)`
    await api`update auth."user" set "twoFactorEnabled" = false where id = ${team.adaId}`
    expect(await mailsTo(rig, team.ada.email)).toHaveLength(before.length)
  })

  test('replace API keys, which can request what a stolen key can', async () => {
    const team = await newTeam()
    const key = formatApiKey('secret', 'sandbox', crypto.getRandomValues(new Uint8Array(32)))
    const hash = Bun.CryptoHasher.hash('sha256', key)
    await entry(team, 'createApiKey', 'person', team.adaId)
    await api`
      select create_api_key(${team.adaId}, ${team.id}, 'secret', 'Mine', null, ${hash}, 'mine', null, 50)`
    const asked = await rig.call('POST', PATH, { key, body: { address: OTHER_TREASURY } })
    expect(asked.status).toBe(201)
    await expectNotified(team, 'change of the payout address to')
  })

  test('store an invoice that is paid to any address, even where approval is required', async () => {
    const team = await newTeam({ recipient: true })
    const body = { tokenSymbol: 'USDC', amountExpected: '10' }
    const made = await rig.call('POST', '/v1/invoices', { key: team.key, body })
    const id = Bun.randomUUIDv7()
    await api`
      insert into invoice (id, merchant_id, reference, metadata, token_symbol, chains, amount_expected,
        underpayment_tolerance, hub, deposit_address, fee_cap, platform_fee, expires_at, created_at)
      select ${id}, merchant_id, ${id.slice(-10)}, metadata, token_symbol, chains, amount_expected,
        underpayment_tolerance, hub, ${THEIRS}, fee_cap, platform_fee, expires_at, created_at
      from invoice where id = ${made.json.data.id}`
    const shown = await rig.call('GET', `/v1/invoices/${id}`, { key: team.key })
    expect(JSON.stringify(shown.json.data).toLowerCase()).toContain(THEIRS)
  })

  test('end requests of others', async () => {
    const team = await newTeam()
    const asked = await by(team, team.ada, 'POST', PATH, { address: OTHER_TREASURY })
    const id = String(asked.json.data?.id)
    await entry(team, 'cancelRecipientChange', 'person', team.adaId)
    await api`select cancel_recipient_change(${id}, ${team.id}, 'person', ${team.adaId}, 'Ada')`
    expect(await changeOf(id)).toMatchObject({ state: 'cancelled' })
  })
})
