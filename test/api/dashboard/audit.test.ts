import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openAs } from '../../support/servers/roles.ts'
import { newPrice } from '../checkout/calls.ts'
import type { ApiRig } from '../rig.ts'
import { newMember, openDashboardRig } from './people.ts'

/** Who changed what: by people, by keys, and by nobody afterwards. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
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
  test('says who asked for what, from where, and how it ended', async () => {
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
  const { browser: other } = await newMember(rig, 'owner', id)
  expect((await other.api('GET', id, '/v1/audit')).json.data).toEqual({ entries: [], next: null })
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

test('what was written stays: the API’s role can neither change nor remove it', async () => {
  const api = await openAs(rig.config.databaseUrl, 'api', 1)
  for (const table of ['audit_entry', 'audit_outcome']) {
    await expect(api`update ${api(table)} set at = now()`).rejects.toThrow('permission denied')
    await expect(api`delete from ${api(table)}`).rejects.toThrow('permission denied')
    await expect(api`truncate ${api(table)} cascade`).rejects.toThrow('permission denied')
  }
  await expect(api`insert into member default values`).rejects.toThrow('permission denied')
  await expect(api`update invitation set role = 'owner'`).rejects.toThrow('permission denied')
  await api.end()
})
