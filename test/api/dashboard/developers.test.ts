import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { openKeyLookup } from '../../../store/access/apiKeys.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { newMember, openDashboardRig, type SignedIn } from '../../support/api/people.ts'
import type { ApiRig } from '../../support/api/rig.ts'
import { roleUrl } from '../../support/servers/roles.ts'

/** What the people who keep a merchant's servers do alone: keys, and the requests that came with them. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openDashboardRig()
}, 120_000)
afterAll(() => rig.close())

interface Place {
  readonly id: MerchantId
  readonly key: string
  readonly developer: SignedIn
}

async function newPlace(): Promise<Place> {
  const { merchant, secretKey } = await rig.newMerchant()
  return {
    id: merchant.id,
    key: secretKey,
    developer: await newMember(rig, 'developer', merchant.id),
  }
}

const keysOf = async ({ id, developer }: Place) =>
  Object((await developer.browser.api('GET', id, '/v1/api-keys')).json).data

describe('an API key', () => {
  test('is shown once when it is created, and every process rejects the previous one', async () => {
    const place = await newPlace()
    const { id, key: old, developer } = place
    const other = openDatabase(await roleUrl(rig.config.databaseUrl, 'api'), {
      name: 'another-api',
      poolSize: 1,
    })
    const findElsewhere = openKeyLookup(other, 'sandbox')
    expect(await findElsewhere(old)).toMatchObject({ merchantId: id })
    const made = await developer.browser.api('POST', id, '/v1/api-keys', { kind: 'secret' })
    expect(made.status).toBe(201)
    const key = String(made.json.data?.key)
    expect(await findElsewhere(old)).toBeNull()
    expect((await rig.call('GET', '/v1/invoices', { key: old })).status).toBe(401)
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(200)
    await other.end()
    const keys = await keysOf(place)
    expect(keys).toMatchObject([
      { kind: 'secret', hint: key.slice(-4), revokedAt: null },
      { kind: 'publishable', revokedAt: null },
      { kind: 'secret', hint: old.slice(-4), revokedAt: expect.any(String) },
    ])
    expect(JSON.stringify(keys)).not.toContain(key)
    const [entry] = await rig.database`
      select action, after, actor from audit_entry where merchant_id = ${id} order by id desc limit 1`
    expect(entry).toEqual({ action: 'replaceApiKey', after: { kind: 'secret' }, actor: 'person' })
  })

  test('that is revoked is refused, and none takes its place until one is made', async () => {
    const place = await newPlace()
    const { id, key, developer } = place
    const revoke = () =>
      developer.browser.api('POST', id, '/v1/api-keys/revoke', { kind: 'secret' })
    expect((await revoke()).json.data).toEqual({ kind: 'secret', isRevoked: true })
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(401)
    expect((await revoke()).json.data).toEqual({ kind: 'secret', isRevoked: false })
    const wrong = await developer.browser.api('POST', id, '/v1/api-keys', { kind: 'other' })
    expect(wrong).toMatchObject({ status: 400, json: { code: 'invalid_request_body' } })
  })

  test('is changed only within ten minutes of signing in', async () => {
    const { id, key, developer } = await newPlace()
    rig.setClock(new Date(Date.now() + 11 * 60_000))
    const late = await developer.browser.api('POST', id, '/v1/api-keys', { kind: 'secret' })
    rig.setClock(null)
    expect(late).toMatchObject({ status: 403, json: { code: 'fresh_sign_in_required' } })
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(200)
  })

  test('can’t be made with the API’s credentials alone, without the audit entry of a user who may', async () => {
    const { id, developer } = await newPlace()
    const [person] = await rig.database<{ id: string }[]>`
      select id from auth."user" where email = ${developer.email}`
    const replace = (who: string) => rig.deps.database`
      select replace_api_key(${who}, ${id}, 'secret', ${new Uint8Array(32).fill(7)}, 'mine')`
    const refused = { code: '42501' }
    expect(await replace(person?.id ?? '').catch((error: unknown) => error)).toMatchObject(refused)
    await rig.deps.database`
      insert into audit_entry (merchant_id, actor, actor_id, actor_name, role, action)
      values (${id}, 'person', ${person?.id ?? ''}, 'x', 'developer', 'replaceApiKey')`
    expect(await replace(crypto.randomUUID()).catch((error: unknown) => error)).toMatchObject(
      refused,
    )
    await rig.database`
      update member set role = 'finance' where person_id = ${person?.id ?? ''}`
    expect(await replace(person?.id ?? '').catch((error: unknown) => error)).toMatchObject(refused)
  })
})

describe('a request', () => {
  const list = async ({ id, developer }: Place, query = '') => {
    await rig.requests?.flush()
    return Object((await developer.browser.api('GET', id, `/v1/requests${query}`)).json.data)
  }

  /** Requests are noted after they were answered. */
  async function listed(place: Place, count: number) {
    for (;;) {
      const page = await list(place)
      if (page.requests.length >= count) return page
      await Bun.sleep(5)
    }
  }

  test('is found by its trace id, without its query and its body, and says when its key was used', async () => {
    const place = await newPlace()
    const body = { tokenSymbol: 'USDC', amountExpected: '1', metadata: { note: 'private' } }
    const made = await rig.call('POST', '/v1/invoices', { key: place.key, body })
    // Requests of one millisecond are in no order.
    await Bun.sleep(2)
    const refused = await rig.call('GET', '/v1/invoices?status=no', { key: place.key })
    const traceId = String(made.headers.get('x-trace-id'))
    const all = await listed(place, 2)
    expect(all.requests).toMatchObject([
      { path: '/v1/invoices', method: 'GET', status: 400, reason: 'invalid_query_parameters' },
      { traceId, method: 'POST', status: 201, reason: null, keyHint: place.key.slice(-4) },
    ])
    expect(all.next).toBeNull()
    expect(JSON.stringify(all)).not.toContain('private')
    expect(JSON.stringify(all)).not.toContain('status=no')
    expect((await list(place, `?traceId=${traceId}`)).requests).toHaveLength(1)
    const failed = (await list(place, '?failed=true')).requests
    expect(failed).toMatchObject([{ traceId: refused.headers.get('x-trace-id') }])
    const secret = (await keysOf(place)).find(({ kind }: { kind: string }) => kind === 'secret')
    expect(secret.lastUsedAt).toEqual(expect.any(String))
    const stranger = await newPlace()
    expect((await list(stranger, `?traceId=${traceId}`)).requests).toEqual([])
  })

  test('of very many is kept as far as there is room, and pages by cursor', async () => {
    const place = await newPlace()
    rig.setClock(new Date())
    for (let n = 0; n < 300; n++) {
      await rig.call('GET', '/v1/webhooks/endpoints', { key: place.key })
    }
    await rig.call('GET', '/v1/invoices?x=y', { key: place.key })
    rig.setClock(null)
    while ((await list(place, '?failed=true')).requests.length < 1) await Bun.sleep(5)
    const seen = new Set<string>()
    let next = ''
    for (;;) {
      const page = await list(place, next === '' ? '' : `?before=${next}`)
      for (const one of page.requests) seen.add(one.traceId)
      if (page.next === null) break
      next = page.next
    }
    expect(seen.size).toBe(241)
  })

  test('is forgotten after seven days', async () => {
    const place = await newPlace()
    await rig.call('GET', '/v1/invoices', { key: place.key })
    await listed(place, 1)
    await rig.database`
      update api_request set at = at - interval '8 days' where merchant_id = ${place.id}`
    await rig.requests?.clean()
    expect((await list(place)).requests).toEqual([])
  })
})
