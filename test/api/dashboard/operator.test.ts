import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OPERATOR_ROUTES } from '../../../api/dashboard/pages/operatorRoutes.ts'
import { ROLES } from '../../../core/access/roles.ts'
import {
  Browser,
  confirmAddress,
  newEmail,
  newMember,
  openDashboardRig,
  PASSWORD,
  type SignedIn,
  signIn,
  signUp,
  totp,
} from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { remit } from '../../support/cli/run.ts'
import { storeItem, storeKey } from '../../support/store/relayer.ts'

/** The operator's part: who gets in, and what may be done there. */

let rig: ApiRig
let operator: SignedIn
beforeAll(async () => {
  rig = await openDashboardRig()
  operator = await newMember(rig, 'reader')
  await command('add', operator.email)
}, 120_000)
afterAll(() => rig.close())

function command(word: 'add' | 'remove', email: string) {
  const variables = { DATABASE_URL: rig.config.databaseUrl, DASHBOARD_URL: 'http://localhost:3000' }
  return remit(variables, 'operator', word, '--email', email, '--json')
}

const ask = (who: SignedIn, method: string, path: string, body?: unknown) =>
  who.browser.send(method, `/dashboard/api/operator${path}`, body)
const PATHS = [
  ...OPERATOR_ROUTES.map(({ method, path }) => ({
    method,
    path: `/dashboard/api/operator${path}`,
  })),
  { method: 'GET', path: '/dashboard/operator/queues' },
  { method: 'GET', path: '/dashboard/operator/queues/api/queues' },
]

describe('no one but operators', () => {
  test.each(ROLES)('gets in as %s of a merchant', async (role) => {
    const { browser } = await newMember(rig, role)
    for (const { method, path } of PATHS) {
      const { status, json } = await browser.send(method, path)
      expect({ path, status, code: json.code }).toEqual({ path, status: 404, code: 'not_found' })
    }
  })

  test('gets in without a session, or with a key', async () => {
    for (const { method, path } of PATHS) {
      expect((await new Browser(rig).send(method, path)).status).toBe(401)
      const headers = { origin: 'http://localhost:3000' }
      expect((await rig.call(method, path, { headers })).status).toBe(401)
    }
  })

  test('stays when they are removed', async () => {
    const one = await newMember(rig, 'owner')
    await command('add', one.email)
    expect((await ask(one, 'GET', '/operators')).status).toBe(200)
    await command('remove', one.email)
    expect((await ask(one, 'GET', '/operators')).status).toBe(401)
    const again = new Browser(rig)
    await signIn(again, one.email)
    await again.auth('/two-factor/verify-totp', { code: totp(one.secret ?? '') })
    expect((await again.send('GET', '/dashboard/api/operator/operators')).status).toBe(404)
  })
})

describe('an operator', () => {
  test('needs a second factor for everything', async () => {
    const one = await newMember(rig, 'reader', undefined, { hasSecondFactor: false })
    await command('add', one.email)
    for (const { method, path } of PATHS) {
      const { status, json } = await one.browser.send(method, path)
      expect({ status, code: json.code }).toEqual({ status: 403, code: 'second_factor_required' })
    }
  })

  test('comes by an invitation of the command, once, and belongs to no merchant', async () => {
    const email = newEmail()
    const added = await command('add', email)
    const token = new URL(String(added.json().url)).hash.slice(1)
    const browser = new Browser(rig)
    const listed = await ask(operator, 'GET', '/audit?action=addOperator')
    const [entry] = Object(listed.json.data).entries
    expect(entry).toMatchObject({ action: 'addOperator', objectId: email, status: 200 })
    const offer = await browser.send('POST', '/dashboard/api/invitations/look', { token })
    expect(offer.json.data).toMatchObject({ email, hasAccount: false })
    await signUp(browser, email, token)
    await confirmAddress(rig, browser, email)
    await signIn(browser, email, PASSWORD)
    const me = await browser.send('GET', '/dashboard/api/me')
    expect(me.json.data).toMatchObject({ merchants: [], isOperator: true })
    const again = await browser.send('POST', '/dashboard/api/invitations/look', { token })
    expect(again.status).toBe(404)
  })

  test('sees how everything stands, the merchants, the limits and the queues', async () => {
    const system = await ask(operator, 'GET', '/system')
    expect(system.status).toBe(200)
    expect(system.json.data).toMatchObject({ chains: expect.any(Array), deliveries: 0 })
    const merchants = await ask(operator, 'GET', '/merchants?search=Te')
    expect(Object(merchants.json.data).merchants[0]).toMatchObject({ name: 'Test' })
    expect((await ask(operator, 'GET', '/merchants?search=x%25')).json.data).toMatchObject({
      merchants: [],
    })
    // A joiner belongs to the name.
    const persian = 'چای\u200cخانه'
    await rig.database`
      insert into merchant (id, name) values (${crypto.randomUUID()}, ${persian})`
    const search = new URLSearchParams({ search: ` ${persian}\n` })
    const found = await ask(operator, 'GET', `/merchants?${search}`)
    expect(Object(found.json.data).merchants).toMatchObject([{ name: persian }])
    expect((await ask(operator, 'GET', '/limits')).json.data).toMatchObject({
      environment: 'sandbox',
      gaslessPerMerchant: '10',
    })
    const page = await operator.browser.send('GET', '/dashboard/operator/queues')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const queues = await operator.browser.send('GET', '/dashboard/operator/queues/api/queues')
    expect(Object(queues.json).queues.map((one: { name: string }) => one.name)).toContain(
      'notifier',
    )
  })

  test('orders work for a worker, which is in the audit log before it is written down', async () => {
    const key = await storeKey(rig.database, { status: 'quarantined' })
    const order = { kind: 'revive', networkId: 'base-sepolia', subject: key.address }
    const answer = await ask(operator, 'POST', '/orders', order)
    expect(answer).toMatchObject({ status: 202, json: { data: { kind: 'revive', answer: null } } })
    const orders = Object((await ask(operator, 'GET', '/orders')).json).data
    expect(orders[0]).toMatchObject({ ...order, orderedBy: operator.email, endedAt: null })
    const listed = async (query = '') =>
      Object((await ask(operator, 'GET', `/audit${query}`)).json).data.entries
    const [entry] = await listed()
    expect(entry).toMatchObject({ action: 'orderWork', after: order, status: 202 })
    const ofThem = await listed(`?who=${encodeURIComponent(operator.email.toUpperCase())}`)
    expect(ofThem[0]).toEqual(entry)
    for (const other of ['who=nobody', 'action=revoke', 'to=2020-01-01T00:00:00Z']) {
      expect(await listed(`?${other}`)).toEqual([])
    }
    expect((await listed(`?before=${entry.id}`)).map(Object).includes(entry)).toBe(false)
  })

  test.each(['retry', 'fail'] as const)(
    'orders a %s once, whoever orders it at the same moment or later',
    async (kind) => {
      const other = await newMember(rig, 'reader')
      await command('add', other.email)
      const id = await storeItem(rig.database, 'configure', {}, { state: 'review' })
      const order = { kind, networkId: 'base-sepolia', subject: String(id) }
      const all = [operator, other, operator, other].map((who) =>
        ask(who, 'POST', '/orders', order),
      )
      const answers = await Promise.all(all)
      expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409])
      const stored = () => rig.database<{ id: string }[]>`
      select id from operator_order where subject = ${order.subject}`
      expect(await stored()).toHaveLength(1)
      const contrary = { ...order, kind: kind === 'fail' ? 'retry' : 'fail' }
      const late = async (sent: unknown) => {
        const { status, json } = await ask(other, 'POST', '/orders', sent)
        expect([status, json.code]).toEqual([409, 'order_not_possible'])
        expect(JSON.stringify(json)).toContain('no longer needs review')
      }
      await late(contrary)
      // The leader has carried it out.
      await rig.database`
      update operator_order set ended_at = now(), is_done = true, answer = 'done' where subject = ${order.subject}`
      await rig.database`update work_item set state = 'queued' where id = ${String(id)}`
      for (const sent of [order, contrary]) await late(sent)
      expect(await stored()).toHaveLength(1)
    },
  )

  test('orders nothing that is malformed, and nothing when the sign-in is old', async () => {
    const wrong = [
      { kind: 'pay', networkId: 'base-sepolia', subject: '1' },
      { kind: 'retry', networkId: 'moon', subject: '1' },
      { kind: 'retry', networkId: 'base-sepolia', subject: '1; drop' },
      { kind: 'revive', networkId: 'base-sepolia', subject: '1' },
    ]
    for (const order of wrong) {
      expect((await ask(operator, 'POST', '/orders', order)).status).toBe(400)
    }
    rig.setClock(new Date(Date.now() + 11 * 60_000))
    const right = { kind: 'retry', networkId: 'base-sepolia', subject: '1' }
    const late = await ask(operator, 'POST', '/orders', right)
    rig.setClock(null)
    expect(late).toMatchObject({ status: 403, json: { code: 'fresh_sign_in_required' } })
  })

  test('is asked for by the database as well: the API’s credentials alone order nothing', async () => {
    const [person] = await rig.database<{ id: string }[]>`
      select id from auth."user" where email = ${operator.email}`
    const order = rig.deps.database`
      select order_work(${person?.id ?? ''}, 'base-sepolia', 'retry', '1')`
    expect(await order.catch((error: unknown) => error)).toMatchObject({ code: '42501' })
    const direct = rig.deps.database`
      insert into operator (person_id) values (${person?.id ?? ''})`
    expect(await direct.catch((error: unknown) => error)).toMatchObject({ code: '42501' })
    await storeItem(rig.database, 'configure', {}, { state: 'review' })
    expect(Object((await ask(operator, 'GET', '/reviews')).json).data).toHaveLength(1)
  })
})
