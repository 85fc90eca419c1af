import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { merchantRoutes } from '../../../api/dashboard/mount.ts'
import { SECTIONS } from '../../../api/sections.ts'
import { isAction, PERMISSIONS } from '../../../core/access/roles.ts'
import { hasBefore, readBefore } from '../../../store/dashboard/before.ts'
import { fillLedger } from '../../support/api/belongings.ts'
import { newPrice } from '../../support/api/checkoutCalls.ts'
import { followChains } from '../../support/api/ledger.ts'
import { newMember, openDashboardRig } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { openAs } from '../../support/servers/roles.ts'

/** Who changed what: by people, by keys, and by no one afterwards. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
  await followChains(rig)
}, 120_000)
afterAll(() => rig.close())

async function newest() {
  const [row] = await rig.database`
    select e.*, o.status, o.object_id as made from audit_entry e
    left join audit_outcome o on o.entry_id = e.id order by e.id desc limit 1`
  return row
}

async function count(): Promise<number> {
  const [row] = await rig.database<{ n: bigint }[]>`select count(*) as n from audit_entry`
  return Number(row?.n)
}

describe('a change in the dashboard', () => {
  test('records who requested what, from where, and the outcome', async () => {
    const { browser, email } = await newMember(rig, 'owner')
    const { id } = rig.merchant.merchant
    const price = { amount: '5', tokens: ['USDC'] }
    const path = `/dashboard/api/merchants/${id}/v1/prices`
    const answer = await browser.send('POST', path, price, { 'user-agent': 'Mozilla' })
    expect(answer.status).toBe(201)
    expect(await newest()).toMatchObject({
      merchantId: id,
      actor: 'person',
      actorName: `Ada <${email}>`,
      role: 'owner',
      action: 'createPrice',
      after: price,
      address: '203.0.113.7',
      agent: 'Mozilla',
      traceId: answer.headers.get('x-trace-id'),
      status: 201,
      made: answer.json.data?.id,
    })
  })

  test('that was refused by its rules is there with its answer', async () => {
    const { browser } = await newMember(rig, 'owner')
    const { id } = rig.merchant.merchant
    expect((await browser.api('POST', id, '/v1/prices', { amount: '-5' })).status).toBe(400)
    expect(await newest()).toMatchObject({ action: 'createPrice', status: 400, made: null })
  })

  test('by a role that may not is none', async () => {
    const { browser } = await newMember(rig, 'reader')
    const before = await count()
    await browser.api('POST', rig.merchant.merchant.id, '/v1/prices', {})
    expect(await count()).toBe(before)
  })

  test('is not made when it can’t be recorded', async () => {
    const { browser } = await newMember(rig, 'owner')
    await rig.database`alter table audit_entry add constraint closed check (action <> 'createPrice') not valid`
    const prices = async () => (await rig.database`select 1 from price`).length
    const before = await prices()
    const body = { amount: '5', tokens: ['USDC'] }
    const answer = await browser.api('POST', rig.merchant.merchant.id, '/v1/prices', body)
    expect(answer.status).toBe(500)
    expect(await prices()).toBe(before)
    await rig.database`alter table audit_entry drop constraint closed`
  })
})

describe('what was there before a change', () => {
  test('stands beside what was asked for: of the fields that were sent', async () => {
    const { browser } = await newMember(rig, 'owner')
    const { id } = rig.merchant.merchant
    const price = await newPrice(rig)
    await browser.api('PATCH', id, `/v1/prices/${price.id}`, { active: false })
    expect(await newest()).toMatchObject({
      action: 'changePrice',
      before: { active: true },
      after: { active: false },
    })
    await browser.api('DELETE', id, `/v1/prices/${price.id}`)
    expect(await newest()).toMatchObject({
      action: 'deletePrice',
      before: { amount: price.amount, active: false },
      after: null,
    })
    await browser.api('PATCH', id, '/v1/settings/checkout', { accent: '#0b6e4f' })
    await browser.api('PATCH', id, '/v1/settings/checkout', {
      accent: null,
      supportEmail: 'a@b.co',
    })
    expect(await newest()).toMatchObject({
      before: { accent: '#0b6e4f', supportEmail: null },
      after: { accent: null, supportEmail: 'a@b.co' },
    })
  })

  test('is read for whatever changes something that is there, and of this merchant alone', async () => {
    const missing = merchantRoutes(SECTIONS)
      .filter(
        ({ method, path }) => (method === 'PATCH' || method === 'DELETE') && path.includes(':'),
      )
      .map(({ operationId }) => operationId)
      .filter((one) => !isAction(one) || !hasBefore(one))
    expect(missing).toEqual([])
    const owned = await fillLedger(rig)
    const { id: other } = (await rig.newMerchant()).merchant
    for (const action of Object.keys(PERMISSIONS)) {
      if (!isAction(action) || !hasBefore(action)) continue
      for (const { id = null } of Object.values(owned).filter(isNamedByUuid)) {
        const found = await readBefore(rig.deps.database, action, { merchantId: other, id })
        // A merchant always has a recipient.
        if (action === 'changeRecipient') expect(found).not.toBeNull()
        else expect({ action, found }).toEqual({ action, found: null })
      }
    }
  })
})

/** False for a channel, which is named by its hash on the chain: nothing that changes one is read before. */
function isNamedByUuid({ id }: { readonly id: string }): boolean {
  return !id.startsWith('0x')
}

describe('a change by key', () => {
  test('names the key by its last characters', async () => {
    const price = await newPrice(rig)
    await rig.call('PATCH', `/v1/prices/${price.id}`, { body: { active: false } })
    const { secretKey } = rig.merchant
    expect(await newest()).toMatchObject({
      actor: 'key',
      actorId: secretKey.slice(-4),
      action: 'changePrice',
      objectId: price.id,
      after: { active: false },
      status: 200,
    })
  })

  test('that shops make all day is its own record', async () => {
    const before = await count()
    await rig.create()
    expect(await count()).toBe(before)
  })
})

test('owners read the log of their merchant, page by page', async () => {
  const { browser } = await newMember(rig, 'owner')
  const { id } = (await rig.newMerchant()).merchant
  const other = await newMember(rig, 'owner', id)
  const theirs = Object((await other.browser.api('GET', id, '/v1/audit')).json.data)
  const names = theirs.entries.map((entry: { actorName: string }) => entry.actorName)
  expect(new Set(names)).toEqual(new Set([`Ada <${other.email}>`]))
  const own = rig.merchant.merchant.id
  await rig.database`
    insert into audit_entry (merchant_id, actor, actor_id, actor_name, action)
    select ${own}, 'operator', 'root', 'root', 'test' from generate_series(1, 101)`
  const first = (await browser.api('GET', own, '/v1/audit')).json.data
  expect(first?.entries).toHaveLength(100)
  const rest = (await browser.api('GET', own, `/v1/audit?before=${first?.next}`)).json.data
  expect(Number(Object(rest).entries.length)).toBeGreaterThan(0)
  expect(rest?.next).toBeNull()
  const bad = await browser.api('GET', own, '/v1/audit?before=x')
  expect(bad.json.code).toBe('invalid_query_parameters')
})

test('the log is narrowed down by who, what, when and what kind of actor', async () => {
  const { merchant } = await rig.newMerchant()
  const owner = await newMember(rig, 'owner', merchant.id)
  const ask = async (query: string) => {
    const answer = await owner.browser.api('GET', merchant.id, `/v1/audit?${query}`)
    const { entries } = Object(answer.json.data)
    return entries.map(({ action }: { action: string }) => action)
  }
  const price = { amount: '5', tokens: ['USDC'] }
  await owner.browser.api('POST', merchant.id, '/v1/prices', price)
  await rig.database`
    insert into audit_entry (merchant_id, actor, actor_id, actor_name, action, at)
    values (${merchant.id}, 'operator', 'root', 'root', 'inviteMember', '2026-01-02T12:00:00Z'),
      (${merchant.id}, 'key', 'wxyz', '100%_key', 'createPrice', '2026-01-03T12:00:00Z')`
  expect(await ask('actor=operator')).toEqual(['inviteMember'])
  expect(await ask('actor=key')).toEqual(['createPrice'])
  expect(await ask(`who=${owner.email.toUpperCase()}&action=createPrice`)).toEqual(['createPrice'])
  expect(await ask('who=%25_k')).toEqual(['createPrice'])
  expect(await ask('who=r%25t')).toEqual([])
  // Joiners belong to these names; blanks around them do not.
  for (const name of ['می\u200cخواهم', 'क्\u200dष', 'Ada 👩\u200d💻']) {
    await rig.database`
      insert into audit_entry (merchant_id, actor, actor_id, actor_name, action)
      values (${merchant.id}, 'person', 'x', ${name}, 'changeMember')`
    const found = await ask(`${new URLSearchParams({ who: `\t ${name}\r\n` })}`)
    expect([name, found]).toEqual([name, ['changeMember']])
    expect(
      await ask(`${new URLSearchParams({ who: name.replace(/[\u200c\u200d]/, '') })}`),
    ).toEqual([])
  }
  expect(await ask('from=2026-01-02T00:00:00Z&to=2026-01-02T23:59:59Z')).toEqual(['inviteMember'])
  const wrong = await owner.browser.api('GET', merchant.id, '/v1/audit?actor=root')
  expect(wrong.json.code).toBe('invalid_query_parameters')
})

test('what was written stays: the API’s role can neither change nor remove it', async () => {
  const api = await openAs(rig.config.databaseUrl, 'api', 1)
  for (const table of ['audit_entry', 'audit_outcome']) {
    await expect(api`update ${api(table)} set at = now()`).rejects.toThrow('permission denied')
    await expect(api`delete from ${api(table)}`).rejects.toThrow('permission denied')
    await expect(api`truncate ${api(table)} cascade`).rejects.toThrow('permission denied')
  }
  const [{ id } = { id: null }] = await rig.database`
    insert into audit_entry (merchant_id, actor, actor_id, actor_name, action)
    values (${rig.merchant.merchant.id}, 'operator', 'root', 'root', 'test') returning id`
  // When it was is said by the database's clock alone.
  await expect(api`
    insert into audit_entry (actor, actor_id, actor_name, action, at)
    values ('operator', 'root', 'root', 'test', '2020-01-01')`).rejects.toThrow('permission denied')
  await expect(api`
    insert into audit_outcome (entry_id, status, at)
    values (${id}, 200, '2020-01-01')`).rejects.toThrow('permission denied')
  await expect(api`insert into member default values`).rejects.toThrow('permission denied')
  await expect(api`update invitation set role = 'owner'`).rejects.toThrow('permission denied')
  await api.end()
})
