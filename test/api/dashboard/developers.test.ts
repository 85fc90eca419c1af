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
  const make = ({ id, developer }: Place, body: Readonly<Record<string, unknown>>) =>
    developer.browser.api('POST', id, '/v1/api-keys', body)
  const change = ({ id, developer }: Place, keyId: string, verb: 'rotate' | 'revoke') =>
    developer.browser.api('POST', id, `/v1/api-keys/${keyId}/${verb}`)
  const idOfSecret = async (place: Place): Promise<string> =>
    (await keysOf(place)).find(({ kind }: { kind: string }) => kind === 'secret').id
  const read = (key: string, path = '/v1/invoices') => rig.call('GET', path, { key })

  test('that is rotated is replaced by one shown once, and refused by every process', async () => {
    const place = await newPlace()
    const { id, key: old } = place
    const other = openDatabase(await roleUrl(rig.config.databaseUrl, 'api'), {
      name: 'another-api',
      poolSize: 1,
    })
    const findElsewhere = openKeyLookup(other, 'sandbox').find
    expect(await findElsewhere(old)).toMatchObject({ merchantId: id })
    const keyId = await idOfSecret(place)
    const made = await change(place, keyId, 'rotate')
    expect(made.status).toBe(201)
    const key = String(made.json.data?.key)
    expect(await findElsewhere(old)).toBeNull()
    expect((await read(old)).status).toBe(401)
    expect((await read(key)).status).toBe(200)
    await other.end()
    const keys = await keysOf(place)
    expect(keys).toMatchObject([
      { kind: 'secret', hint: key.slice(-4), revokedAt: null, key: null },
      { kind: 'publishable', revokedAt: null, key: expect.stringMatching(/^pk_test_/) },
      { kind: 'secret', hint: old.slice(-4), revokedAt: expect.any(String) },
    ])
    expect(JSON.stringify(keys)).not.toContain(key)
    const [entry] = await rig.database`
      select action, object_id, before, actor from audit_entry where merchant_id = ${id} order by id desc limit 1`
    expect(entry).toEqual({
      ...{ action: 'replaceApiKey', objectId: keyId, actor: 'person' },
      before: { kind: 'secret', name: 'Default', hint: old.slice(-4), scopes: null },
    })
    expect((await change(place, keyId, 'rotate')).json.code).toBe('key_not_found')
  })

  test('stands beside others, each with its name and scopes, which its successor keeps', async () => {
    const place = await newPlace()
    const scopes = ['refunds', 'read', 'read']
    const made = await make(place, { name: ' Back office ', scopes })
    const { id: keyId, key: first, ...named } = Object(made.json.data)
    expect(named).toEqual({ kind: 'secret', name: 'Back office', scopes: ['read', 'refunds'] })
    expect((await read(place.key)).status).toBe(200)
    expect((await read(first)).status).toBe(200)
    expect((await read(first, '/v1/x402/payments/status?nonce=0x00')).status).toBe(400)
    const body = { tokenSymbol: 'USDC', amountExpected: '1' }
    const refused = await rig.call('POST', '/v1/invoices', { key: first, body })
    expect(refused).toMatchObject({ status: 403, json: { code: 'scope_not_sufficient' } })
    const next = Object((await change(place, keyId, 'rotate')).json.data)
    expect(next).toMatchObject({ name: 'Back office', scopes: ['read', 'refunds'] })
    expect((await read(first)).status).toBe(401)
    expect((await read(next.key)).status).toBe(200)
    const still = await rig.call('POST', '/v1/invoices', { key: next.key, body })
    expect(still.status).toBe(403)
    expect((await read(place.key)).status).toBe(200)
  })

  test('that is revoked is refused, and the others are not', async () => {
    const place = await newPlace()
    const second = String((await make(place, { name: 'Second' })).json.data?.key)
    const keyId = (await keysOf(place)).find(
      ({ hint }: { hint: string }) => hint === place.key.slice(-4),
    ).id
    expect((await change(place, keyId, 'revoke')).json.data).toEqual({ id: keyId, isRevoked: true })
    expect((await read(place.key)).status).toBe(401)
    expect((await read(second)).status).toBe(200)
    expect((await change(place, keyId, 'revoke')).json.data).toMatchObject({ isRevoked: false })
  })

  test('needs a name, scopes that exist, and room; a publishable one is alone and has no scopes', async () => {
    const place = await newPlace()
    for (const body of [
      {},
      { name: '  ' },
      { name: 'x'.repeat(61) },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['read', 'everything'] },
      { name: 'a', kind: 'other' },
      { name: 'a', kind: 'publishable', scopes: ['read'] },
      { name: 'a', kind: 'publishable' },
    ]) {
      const wrong = await make(place, body)
      expect({ body, wrong }).toMatchObject({
        wrong: { status: 400, json: { code: 'invalid_request_body' } },
      })
    }
    await rig.database`
      insert into api_key (hash, merchant_id, kind, hint)
      select sha256(${place.id}::text::bytea || n::text::bytea), ${place.id}, 'secret', 'abcd'
      from generate_series(1, 49) n`
    expect((await make(place, { name: 'One too many' })).status).toBe(400)
  })

  test('of another merchant is not there', async () => {
    const [place, stranger] = [await newPlace(), await newPlace()]
    const keyId = await idOfSecret(place)
    expect((await change(stranger, keyId, 'rotate')).json.code).toBe('key_not_found')
    expect((await change(stranger, keyId, 'revoke')).json.code).toBe('key_not_found')
    expect((await change(stranger, 'nonsense', 'revoke')).json.code).toBe('key_not_found')
    expect(JSON.stringify(await keysOf(stranger))).not.toContain(keyId)
    expect((await read(place.key)).status).toBe(200)
  })

  test('is changed only within ten minutes of signing in', async () => {
    const place = await newPlace()
    const keyId = await idOfSecret(place)
    rig.setClock(new Date(Date.now() + 11 * 60_000))
    const late = [await make(place, { name: 'Late' }), await change(place, keyId, 'rotate')]
    rig.setClock(null)
    for (const one of late) {
      expect(one).toMatchObject({ status: 403, json: { code: 'fresh_sign_in_required' } })
    }
    expect((await read(place.key)).status).toBe(200)
  })

  test('can’t be made with the API’s credentials alone, without the audit entry of somebody who may', async () => {
    const place = await newPlace()
    const { id, developer } = place
    const keyId = await idOfSecret(place)
    const [person] = await rig.database<{ id: string }[]>`
      select id from auth."user" where email = ${developer.email}`
    const personId = person?.id ?? ''
    const hash = new Uint8Array(32).fill(7)
    const calls = {
      createApiKey: (who: string) => rig.deps.database`
        select create_api_key(${who}, ${id}, 'secret', 'Mine', null, ${hash}, 'mine', null, 50)`,
      replaceApiKey: (who: string) => rig.deps.database`
        select rotate_api_key(${who}, ${id}, ${keyId}, ${hash}, 'mine', null)`,
      revokeApiKey: (who: string) => rig.deps.database`
        select revoke_api_key(${who}, ${id}, ${keyId})`,
    }
    const expectRefused = async (action: keyof typeof calls, who: string) =>
      expect(await calls[action](who).catch((error: unknown) => error)).toMatchObject({
        code: '42501',
      })
    for (const action of ['createApiKey', 'replaceApiKey', 'revokeApiKey'] as const) {
      await expectRefused(action, personId)
      // Of another key.
      await rig.deps.database`
        insert into audit_entry (merchant_id, actor, actor_id, actor_name, role, action, object_id)
        values (${id}, 'person', ${personId}, 'x', 'developer', ${action}, ${crypto.randomUUID()})`
      await expectRefused(action, personId)
      await rig.deps.database`
        insert into audit_entry (merchant_id, actor, actor_id, actor_name, role, action, object_id)
        values (${id}, 'person', ${personId}, 'x', 'developer', ${action},
          ${action === 'createApiKey' ? null : keyId})`
      await expectRefused(action, crypto.randomUUID())
    }
    await rig.database`update member set role = 'finance' where person_id = ${personId}`
    for (const action of ['createApiKey', 'replaceApiKey', 'revokeApiKey'] as const) {
      await expectRefused(action, personId)
    }
    expect((await read(place.key)).status).toBe(200)
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
