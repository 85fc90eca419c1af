import { afterAll, beforeAll, expect, test } from 'bun:test'
import { merchantRoutes } from '../../../api/dashboard/mount.ts'
import { SECTIONS } from '../../../api/sections.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import { fillLedger } from '../../support/api/belongings.ts'
import { followChains } from '../../support/api/ledger.ts'
import { newEmail, newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import { sampleBody } from '../../support/api/prefilled.ts'
import type { ApiRig } from '../../support/api/rig.ts'

/** An owner of one merchant, with the ids of another one's: on every route, by path, query and body. */

const ROUTES = merchantRoutes(SECTIONS)
/** An address is no id: everyone knows it. What others do with it is tried in foreign.test.ts. */
const WITH_ID = ROUTES.filter(({ path }) => /:(?!address)/.test(path))

type Ids = Readonly<Record<string, string>>

let rig: ApiRig
let victim: SignedIn
let victimId: MerchantId
let thief: SignedIn
let thiefId: MerchantId
let owned: Readonly<Record<string, Ids>>

beforeAll(async () => {
  rig = await openDashboardRig()
  await followChains(rig)
  victimId = rig.merchant.merchant.id
  victim = await newMember(rig, 'owner')
  thiefId = (await rig.newMerchant()).merchant.id
  thief = await newMember(rig, 'owner', thiefId)
  owned = { ...(await fillLedger(rig)), ...(await fillTeam()) }
}, 120_000)
afterAll(() => rig.close())

/** What only the dashboard has. */
async function fillTeam(): Promise<Record<string, Ids>> {
  const make = async (path: string, body: unknown) =>
    String((await victim.browser.api('POST', victimId, path, body)).json.data?.id)
  const [member] = await rig.database<{ id: string }[]>`
    select person_id as id from member where merchant_id = ${victimId}`
  const email = newEmail()
  await victim.browser.api('POST', victimId, '/v1/invitations', { email, role: 'owner' })
  const [invitation] = await rig.database<{ id: string }[]>`
    select id from invitation where email = ${email}`
  const view = await make('/v1/views', { name: 'Late', query: 'status=late' })
  const request = crypto.randomUUID()
  await rig.database`
    insert into approval_request (id, merchant_id, kind, wanted_recipient, actor, actor_id, actor_name, needed)
    values (${request}, ${victimId}, 'policy', true, 'key', 'wxyz', 'wxyz', 1)`
  const [key] = await rig.database<{ id: string }[]>`
    select id from api_key where merchant_id = ${victimId} and kind = 'secret'`
  const schedule = { report: 'days', every: 'week', locale: 'en' }
  return {
    '/v1/api-keys/': { id: key?.id ?? '' },
    '/v1/members/': { id: member?.id ?? '' },
    '/v1/invitations/': { id: invitation?.id ?? '' },
    '/v1/views/': { id: view },
    '/v1/approvals/': { id: request },
    '/v1/report-schedules/': { id: await make('/v1/report-schedules', schedule) },
  }
}

/** The route with the victim's ids; null where nothing of the victim's is named. */
function filled(path: string): string | null {
  const ids = Object.entries(owned).find(([beginning]) => path.startsWith(beginning))?.[1]
  if (ids === undefined) return null
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`say whose ${name} it is in ${path}`)
    return id
  })
}

function exampleOf(route: (typeof ROUTES)[number]): unknown {
  return sampleBody(Object(route.detail))
}

/** All that the victim has, as its rows stand, without what looking at it leaves behind. */
async function standing(): Promise<string> {
  const tables = await rig.database<{ table: string }[]>`
    select c.table_name as table from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'merchant_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('audit_entry', 'request_record') order by 1`
  const rows = await Promise.all(
    tables.map(
      ({ table }) =>
        rig.database`
        select to_jsonb(t)::text as row from ${rig.database(table)} t
        where merchant_id = ${victimId} order by 1`,
    ),
  )
  return JSON.stringify(rows)
}

// First, because the log of whoever tries has what was tried.
test('by query: no list has anything of it', async () => {
  const ids = [victimId, ...Object.values(owned).flatMap((one) => Object.values(one))]
  const lists = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  for (const { path, detail, operationId } of lists) {
    if (operationId === 'followMerchant') continue
    const parameters: readonly { readonly name: string }[] = Object(detail).parameters ?? []
    const names = parameters
      .map(({ name }) => name)
      .filter((name) => /Id$|^(after|before|q|search)$/.test(name))
    const queries = names.flatMap((name) => ids.map((id) => `?${name}=${id}`))
    for (const query of ['', `?merchantId=${victimId}`, ...queries]) {
      const { json } = await thief.browser.api('GET', thiefId, `${path}${query}`)
      const text = JSON.stringify(json.data ?? null)
      expect({ path, query, found: ids.filter((id) => text.includes(id)) }).toEqual({
        path,
        query,
        found: [],
      })
    }
  }
}, 60_000)

test('by path: nothing is there, and nothing is changed', async () => {
  const before = await standing()
  const tried: string[] = []
  for (const route of WITH_ID) {
    const path = filled(route.path)
    if (path === null) continue
    const body = route.method === 'GET' ? undefined : (exampleOf(route) ?? {})
    const { status, json } = await thief.browser.api(route.method, thiefId, path, body)
    expect({ route: route.operationId, status, code: json.code }).toEqual({
      route: route.operationId,
      status: 404,
      code: expect.stringMatching(/_not_found$/),
    })
    tried.push(route.operationId)
  }
  const all = WITH_ID.map(({ operationId }) => operationId)
  expect(all.filter((one) => !tried.includes(one))).toEqual([])
  expect(await standing()).toBe(before)
}, 60_000)

test('by body: nothing is made of it, and a merchant that a body names is not the one who asks', async () => {
  const before = await standing()
  const price = owned['/v1/prices/']?.id
  const link = await thief.browser.api('POST', thiefId, '/v1/payment-links', { price })
  expect(link.json.code).toBe('price_not_found')
  for (const route of ROUTES.filter(
    ({ method, path }) => method !== 'GET' && !path.includes(':'),
  )) {
    const body = { ...Object(exampleOf(route)), merchantId: victimId, price, id: price }
    await thief.browser.api(route.method, thiefId, route.path, body)
  }
  expect(await standing()).toBe(before)
}, 60_000)

test('by role: an owner elsewhere is no more than a reader here, regardless of what the request names', async () => {
  const { browser, email } = await newMember(rig, 'reader')
  const [person] = await rig.database<{ id: string }[]>`
    select id from auth."user" where email = ${email}`
  await rig.database`
    insert into member (merchant_id, person_id, role) values (${thiefId}, ${person?.id ?? ''}, 'owner')`
  const email2 = newEmail()
  const invitation = { email: email2, role: 'owner', merchantId: thiefId, organizationId: thiefId }
  const here = `/dashboard/api/merchants/${victimId}/v1/invitations`
  for (const path of [here, `${here}?merchantId=${thiefId}`, `${here}?role=owner`]) {
    const answer = await browser.send('POST', path, invitation, { 'x-merchant-id': thiefId })
    expect(answer).toMatchObject({ status: 403, json: { code: 'role_not_sufficient' } })
  }
  const raise = await browser.api('PATCH', victimId, `/v1/members/${person?.id}`, { role: 'owner' })
  expect(raise).toMatchObject({ status: 403, json: { code: 'role_not_sufficient' } })
  const through = await browser.send(
    'POST',
    `/dashboard/api/merchants/${thiefId}/../${victimId}/v1/invitations`,
    invitation,
  )
  expect(through.json.code).toBe('role_not_sufficient')
})
