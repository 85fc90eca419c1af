import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Role } from '../../../core/access/roles.ts'
import { asMerchantId, type MerchantId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { addAuditEntry, addAuditOutcome } from '../../../store/events/audit.ts'
import { listRequests, readPolicy } from '../../../store/merchant/approvals.ts'
import { refundApprovals, refundsApprovedAbove } from '../../../store/refund/approvals.ts'
import { openAs } from '../../support/servers/roles.ts'
import { forThisFile, newAddress } from '../../support/store/database.ts'
import { storeInvoice, storeMerchant, storeRefund } from '../../support/store/invoice.ts'

/**
 * What the database refuses to a thief of the API's credentials. They can write any entry of the audit log, so
 * that each function has to look for itself whether the one whom an entry names may do it.
 */

const ACTION_OF = {
  recipient: 'changeRecipient',
  cancel: 'cancelRecipientChange',
  rules: 'changeApprovalPolicy',
  approve: 'approveRequest',
  refuse: 'refuseRequest',
} as const
type Attempt = keyof typeof ACTION_OF

let sql: Database
let api: Database
let worker: Database
let url = ''
forThisFile((database, ofIt) => {
  sql = database
  url = ofIt
})
beforeAll(async () => {
  api = await openAs(url, 'api', 2)
  worker = await openAs(url, 'worker', 1)
})
afterAll(() => Promise.all([api?.end({ timeout: 1 }), worker?.end({ timeout: 1 })]))

async function newPerson(
  merchantId: MerchantId,
  role: Role,
  { hasSecondFactor = true } = {},
): Promise<string> {
  const [person] = await sql<{ id: string }[]>`
    insert into auth."user" (name, email, "emailVerified", "twoFactorEnabled")
    values ('Ada', ${`${crypto.randomUUID()}@example.com`}, true, ${hasSecondFactor}) returning id`
  const id = person?.id ?? ''
  await sql`
    insert into member (merchant_id, person_id, role, role_since)
    values (${merchantId}, ${id}, ${role}, now() - interval '2 days')`
  return id
}

interface Team {
  readonly id: MerchantId
  readonly owner: string
  readonly finance: string
}

/** A merchant whose changes of the recipient need a second person. */
async function newTeam(): Promise<Team> {
  const id = await storeMerchant(sql, { recipient: newAddress() })
  await sql`
    insert into approval_policy (merchant_id, recipient, refunds_above, since, on_since)
    values (${id}, true, 1000000, now(), now())`
  return { id, owner: await newPerson(id, 'owner'), finance: await newPerson(id, 'finance') }
}

interface EntryChange {
  readonly merchantId?: MerchantId
  readonly type?: 'person' | 'key'
  readonly by?: string
  readonly action?: string
}

/** Writes an entry of the audit log with the API's rights, as a thief could. */
function writeEntry({ id }: Team, attempt: Attempt, by: string, change: EntryChange = {}) {
  const { type = 'person', merchantId = id } = change
  const actor = { id: change.by ?? by, name: 'Ada' }
  return addAuditEntry(api, {
    ...{ merchantId, action: change.action ?? ACTION_OF[attempt], objectId: null },
    actor: type === 'key' ? { ...actor, type } : { ...actor, type, role: 'owner' },
    ...{ before: null, after: null, address: null, agent: null, traceId: crypto.randomUUID() },
  })
}

/** A change of the recipient that waits for a second person, asked for by the owner. */
async function newRequest(team: Team): Promise<{ readonly id: string; readonly changeId: string }> {
  const changeId = Bun.randomUUIDv7()
  // One at a time.
  await sql`
    update recipient_change set state = 'cancelled', ended_at = now()
    where merchant_id = ${team.id} and ended_at is null`
  await writeEntry(team, 'recipient', team.owner)
  await api`
    select ask_for_recipient(${changeId}, ${team.id}, ${newAddress()}, 'person', ${team.owner}, 'Ada',
      interval '1 day')`
  const [request] = await sql<{ id: string }[]>`
    select id from approval_request where change_id = ${changeId}`
  return { id: request?.id ?? '', changeId }
}

/** Tries it with the API's rights, in the name of someone. */
async function attemptAs(team: Team, attempt: Attempt, by: string, type = 'person') {
  const { id } = team
  if (attempt === 'recipient') {
    const change = Bun.randomUUIDv7()
    return api`
      select ask_for_recipient(${change}, ${id}, ${newAddress()}, ${type}, ${by}, 'x', interval '0')`
  }
  if (attempt === 'rules') return api`select ask_for_policy(${id}, ${by}, 'x', false, null)`
  const open = await sql<{ id: string; changeId: string }[]>`
    select id, change_id from approval_request where merchant_id = ${id} and state = 'open'`
  const request = open[0] ?? (await newRequest(team))
  if (attempt === 'cancel') {
    return api`select cancel_recipient_change(${request.changeId}, ${id}, ${type}, ${by}, 'x')`
  }
  if (attempt === 'approve') {
    return api`select approve_request(${request.id}, ${id}, ${by}, 'x', interval '0')`
  }
  return api`select refuse_request(${request.id}, ${id}, ${by}, 'x')`
}

const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow('no permitted')

/** Which roles may do it; what it needs beside the role is tried apart. */
const MAY: Readonly<Record<Attempt, readonly Role[]>> = {
  recipient: ['owner'],
  cancel: ['owner'],
  rules: ['owner'],
  approve: ['owner', 'finance'],
  refuse: ['owner', 'finance'],
}
const ATTEMPTS = ['recipient', 'cancel', 'rules', 'approve', 'refuse'] as const

describe.each(ATTEMPTS)('%s', (attempt) => {
  test('is for these roles alone, at their own merchant', async () => {
    const team = await newTeam()
    for (const role of ['owner', 'finance', 'developer', 'support', 'reader'] as const) {
      const person = await newPerson(team.id, role)
      await writeEntry(team, attempt, person)
      const work = attemptAs(team, attempt, person)
      if (MAY[attempt].includes(role)) await work
      else await refused(work)
    }
    const elsewhere = await newPerson((await newTeam()).id, 'owner')
    await writeEntry(team, attempt, elsewhere)
    await refused(attemptAs(team, attempt, elsewhere))
  })

  test('needs a second factor, unless it only keeps what is', async () => {
    const team = await newTeam()
    const person = await newPerson(team.id, 'owner', { hasSecondFactor: false })
    await writeEntry(team, attempt, person)
    const work = attemptAs(team, attempt, person)
    if (attempt === 'cancel') await work
    else await refused(work)
  })

  test('needs an open entry that says just this of just them', async () => {
    const team = await newTeam()
    const by = attempt === 'approve' ? team.finance : team.owner
    await refused(attemptAs(team, attempt, by))
    const other = attempt === 'refuse' ? 'approve' : 'refuse'
    await writeEntry(team, attempt, by, { action: ACTION_OF[other] })
    await writeEntry(team, attempt, by, { by: await newPerson(team.id, 'owner') })
    await writeEntry(team, attempt, by, { merchantId: (await newTeam()).id })
    await writeEntry(team, attempt, by, { type: 'key' })
    const old = await writeEntry(team, attempt, by)
    await sql`update audit_entry set at = now() - interval '61 seconds' where id = ${old}`
    const over = await writeEntry(team, attempt, by)
    await addAuditOutcome(api, over, { status: 200, objectId: null })
    await refused(attemptAs(team, attempt, by))
    await writeEntry(team, attempt, by)
    await attemptAs(team, attempt, by)
  })
})

describe('a request', () => {
  const outcomeOf = async (team: Team, by: string, requestId: string) => {
    await writeEntry(team, 'approve', by)
    const [row] = await api<{ outcome: string }[]>`
      select approve_request(${requestId}, ${team.id}, ${by}, 'Ada', interval '1 day') as outcome`
    return row?.outcome
  }

  test('of another merchant is not known', async () => {
    const [team, other] = [await newTeam(), await newTeam()]
    const { id, changeId } = await newRequest(other)
    expect(await outcomeOf(team, team.finance, id)).toBe('unknown')
    await writeEntry(team, 'refuse', team.finance)
    const [row] = await api`select refuse_request(${id}, ${team.id}, ${team.finance}, 'x') as done`
    expect(row).toEqual({ done: false })
    await writeEntry(team, 'cancel', team.owner)
    const [cancelled] = await api`
      select cancel_recipient_change(${changeId}, ${team.id}, 'person', ${team.owner}, 'x') as done`
    expect(cancelled).toEqual({ done: false })
    const [request] = await sql`select state from approval_request where id = ${id}`
    expect(request).toEqual({ state: 'open' })
  })

  test('is approved by no one who had this role for less than a day, wherever else they had it', async () => {
    const team = await newTeam()
    const { id: elsewhere } = await newTeam()
    const { id } = await newRequest(team)
    const late = await newPerson(team.id, 'finance')
    await sql`
      insert into member (merchant_id, person_id, role, role_since)
      values (${elsewhere}, ${late}, 'owner', now() - interval '2 days')`
    await sql`
      update member set role_since = now() - interval '23 hours'
      where person_id = ${late} and merchant_id = ${team.id}`
    await sql`
      update approval_policy set on_since = now() - interval '2 days' where merchant_id = ${team.id}`
    expect(await outcomeOf(team, late, id)).toBe('new')
    expect(await outcomeOf(team, team.finance, id)).toBe('approved')
  })

  test('that is over is not opened by refusing it, and its change waits on', async () => {
    const team = await newTeam()
    const { id, changeId } = await newRequest(team)
    expect(await outcomeOf(team, team.finance, id)).toBe('approved')
    await carryOut(team, { id, changeId })
    await writeEntry(team, 'refuse', team.finance)
    const [row] = await api`select refuse_request(${id}, ${team.id}, ${team.finance}, 'x') as done`
    expect(row).toEqual({ done: false })
    const [request] = await sql`select state from approval_request where id = ${id}`
    expect(request).toEqual({ state: 'approved' })
    const [change] = await sql`select state from recipient_change where id = ${changeId}`
    expect(change).toEqual({ state: 'waiting' })
  })
})

/** What a leader does with an approved change once it has checked where it comes from. */
async function carryOut(team: Team, { id, changeId }: { id: string; changeId: string }) {
  await worker`select verify_change(${changeId}, interval '1 day', null)`
  await worker`select lock_approved(${id}, ${team.id})`
  const [row] = await worker`select carry_out_checked(${id}, interval '1 day') as done`
  expect(row).toEqual({ done: true })
}

describe('a worker', () => {
  test('ends what no one has approved in time, and nothing else', async () => {
    const [late, open] = [await newRequest(await newTeam()), await newRequest(await newTeam())]
    await sql`update approval_request set expires_at = now() where id = ${late.id}`
    await worker`select expire_requests()`
    const states = await sql`
      select state from approval_request where id = any(${[late.id, open.id]}) order by state`
    expect(states.map(({ state }) => state)).toEqual(['expired', 'open'])
  })

  test('lets no hub hear of a change that waits for a second person, and can’t end one that has ended', async () => {
    const team = await newTeam()
    const { changeId } = await newRequest(team)
    const [row] = await worker`select number_recipient_change(${changeId}) as version`
    expect(row).toEqual({ version: null })
    await writeEntry(team, 'cancel', team.owner)
    await api`select cancel_recipient_change(${changeId}, ${team.id}, 'person', ${team.owner}, 'Ada')`
    await worker`select refuse_recipient_change(${changeId}, 'x')`
    const [change] = await sql`select state, ended_by from recipient_change where id = ${changeId}`
    expect(change).toEqual({ state: 'cancelled', endedBy: 'Ada' })
  })

  test('puts nothing in force before the time that was stored, however long it waits already', async () => {
    const team = await newTeam()
    const { id, changeId } = await newRequest(team)
    await writeEntry(team, 'approve', team.finance)
    await api`select approve_request(${id}, ${team.id}, ${team.finance}, 'x', interval '1 day')`
    await carryOut(team, { id, changeId })
    const inForce = async () => {
      const [row] =
        await worker`select put_recipient_in_force(${changeId}, interval '0') as merchant`
      return row?.merchant
    }
    expect(await inForce()).toBeNull()
    await sql`update recipient_change set force_at = now() where id = ${changeId}`
    expect(await inForce()).toBe(team.id)
  })

  test('reads no link by which owners stop a change', async () => {
    const reading = worker`select * from recipient_change_link`
    await expect(reading.execute()).rejects.toThrow('permission denied')
  })
})

test('rules and requests are those of the merchant alone, and rules hold for what was asked for after them', async () => {
  const team = await newTeam()
  const { id } = await newRequest(team)
  const other = await storeMerchant(sql)
  expect(await listRequests(sql, team.id)).toMatchObject([{ id }])
  expect(await listRequests(sql, other)).toEqual([])
  await writeEntry(team, 'refuse', team.owner)
  await api`select refuse_request(${id}, ${team.id}, ${team.owner}, 'x')`
  expect(await listRequests(sql, team.id)).toMatchObject([{ id }])
  expect(await listRequests(sql, other)).toEqual([])
  expect(await readPolicy(sql, other)).toEqual({ recipient: false, refundsAbove: null })
  expect(await refundsApprovedAbove(sql, other)).toBeNull()
  expect(await refundsApprovedAbove(sql, team.id)).toBe(1_000_000n)
  const { id: invoiceId } = await storeInvoice(sql, team.id)
  const [early, late] = [
    await storeRefund(sql, invoiceId, 1n, { createdAt: new Date(Date.now() - 60_000) }),
    await storeRefund(sql, invoiceId, 1n, { createdAt: new Date(Date.now() + 60_000) }),
  ]
  const approvals = await refundApprovals(sql, [early.id, late.id])
  expect(approvals.get(early.id)?.refundsAbove).toBeNull()
  expect(approvals.get(late.id)?.refundsAbove).toBe(1_000_000n)
})

test('since when someone may approve begins again with the role, and not between owner and finance', async () => {
  const { id } = await newTeam()
  const person = await newPerson(id, 'reader')
  const become = async (role: Role) => {
    await sql`update member set role_since = now() - interval '2 days' where person_id = ${person}`
    await sql`update member set role = ${role} where person_id = ${person}`
    const [row] = await sql<{ isNew: boolean }[]>`
      select role_since > now() - interval '1 hour' as is_new from member where person_id = ${person}`
    return row?.isNew
  }
  expect(await become('finance')).toBe(true)
  expect(await become('owner')).toBe(false)
  expect(await become('support')).toBe(true)
  expect(await become('owner')).toBe(true)
})

test('rules need two who could approve at this merchant: with the role and a second factor', async () => {
  const id = asMerchantId(await storeMerchant(sql))
  const owner = await newPerson(id, 'owner')
  const team = { id, owner, finance: owner }
  await newPerson(id, 'developer')
  await newPerson(id, 'finance', { hasSecondFactor: false })
  const set = async () => {
    await writeEntry(team, 'rules', owner)
    const [row] = await api<{ outcome: string }[]>`
      select ask_for_policy(${id}, ${owner}, 'Ada', true, null) as outcome`
    return row?.outcome
  }
  await newTeam()
  expect(await set()).toBe('alone')
  await newPerson(id, 'finance')
  expect(await set()).toBe('done')
})

test('a refund is held for whoever the open entry says has asked for it, and no one else', async () => {
  const team = await newTeam()
  const { id: invoiceId } = await storeInvoice(sql, team.id)
  const { id: refundId } = await storeRefund(sql, invoiceId, 5_000_000n)
  const hold = (by: string) => api`select hold_refund(${refundId}, 'person', ${by}, 'Ada')`
  await expect(hold(team.owner).execute()).rejects.toThrow('requested this refund')
  await writeEntry(team, 'approve', team.owner, { action: 'createRefund' })
  // As if another party had: they could approve it then.
  await expect(hold(team.finance).execute()).rejects.toThrow('requested this refund')
  await hold(team.owner)
  const [request] =
    await sql`select actor_id, needed from approval_request where refund_id = ${refundId}`
  expect(request).toEqual({ actorId: team.owner, needed: 1 })
})

test('the tables of requests, votes, rules and changes are the API’s to read', async () => {
  const { id } = await newTeam()
  const [person] = await sql<{ personId: string }[]>`
    select person_id from member where merchant_id = ${id} limit 1`
  for (const query of [
    api`update approval_policy set recipient = false`,
    api`insert into approval_policy (merchant_id, recipient, since) values (${id}, false, now())`,
    api`update approval_request set state = 'approved', ended_at = now()`,
    api`delete from approval_request`,
    api`select * from end_request(null, 'refused', 'x')`,
    api`insert into approval_vote (request_id, person_id, person_name)
      values (${id}, ${person?.personId ?? ''}, 'x')`,
    api`select put_policy(${id}, false, null)`,
    api`update recipient_change set force_at = now()`,
    api`insert into recipient_change (id) values (${id})`,
    api`update recipient_change_link set person_id = ${person?.personId ?? ''}`,
    api`update merchant set recipient = null`,
  ]) {
    await expect(query.execute()).rejects.toThrow('permission denied')
  }
})
