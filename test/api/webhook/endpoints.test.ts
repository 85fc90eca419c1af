import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { WebhookEndpointId } from '../../../core/base/ids.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { expectDetail, expectError, ISO_TIME, UUID } from '../../support/api/answers.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import {
  createEndpoint,
  dataOf,
  ENDPOINTS,
  HOOK,
  UNKNOWN_ID,
} from '../../support/api/webhookCalls.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)
afterAll(() => rig.close())

async function forgetAll(): Promise<void> {
  await rig.database`delete from webhook_delivery`
  await rig.database`delete from webhook_endpoint`
}

describe('a webhook endpoint', () => {
  test('is created with a secret that is shown this once', async () => {
    const { secret, ...endpoint } = await createEndpoint(rig, { description: 'The shop' })
    expect(secret).toMatch(/^test_whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toEqual({
      id: expect.stringMatching(UUID),
      merchantId: rig.merchant.merchant.id,
      url: HOOK,
      description: 'The shop',
      eventTypes: null,
      active: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      provenAt: null,
      previousSecretUntil: null,
      createdAt: expect.stringMatching(ISO_TIME),
      updatedAt: expect.stringMatching(ISO_TIME),
    })
    const read = await rig.call('GET', `${ENDPOINTS}/${endpoint.id}`)
    expect(dataOf<object>(read)).toEqual(endpoint)
    expect(read.text).not.toContain('whsec')
    const listed = await rig.call('GET', ENDPOINTS)
    expect(listed.text).not.toContain('whsec')
    expect(dataOf<object[]>(listed)).toContainEqual(endpoint)
  })

  test('has the prefix of live in live, where only https is taken', async () => {
    const live = await openRig({
      variables: { REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' },
    })
    expect((await createEndpoint(live)).secret).toStartWith('whsec_')
    const answer = await live.call('POST', ENDPOINTS, { body: { url: 'http://shop.example/' } })
    expectDetail(answer, 'invalid request body', 'url', 'https')
    await live.close()
  })

  test('is changed in the fields that are given', async () => {
    const { secret: _, ...before } = await createEndpoint(rig, { eventTypes: ['invoice.paid'] })
    const path = `${ENDPOINTS}/${before.id}`
    const changed = dataOf<WebhookEndpointJson>(
      await rig.call('PATCH', path, { body: { url: 'http://127.0.0.1:4000/hook' } }),
    )
    expect(changed).toEqual({
      ...before,
      url: 'http://127.0.0.1:4000/hook',
      updatedAt: changed.updatedAt,
    })
    const all = await rig.call('PATCH', path, { body: { eventTypes: null } })
    expect(dataOf<WebhookEndpointJson>(all).eventTypes).toBeNull()
  })

  test('is switched off and on again', async () => {
    const { id } = await createEndpoint(rig)
    const off = await rig.call('PATCH', `${ENDPOINTS}/${id}`, { body: { active: false } })
    expect(dataOf<WebhookEndpointJson>(off)).toMatchObject({
      active: false,
      disabledReason: 'merchant',
      disabledAt: expect.stringMatching(ISO_TIME),
    })
    expectError(await rig.call('POST', `${ENDPOINTS}/${id}/test`), 409, 'endpoint disabled')
    const on = await rig.call('PATCH', `${ENDPOINTS}/${id}`, { body: { active: true } })
    expect(dataOf<WebhookEndpointJson>(on)).toMatchObject({
      active: true,
      disabledReason: null,
      disabledAt: null,
    })
  })

  test('is deleted once', async () => {
    const { id } = await createEndpoint(rig)
    const answer = await rig.call('DELETE', `${ENDPOINTS}/${id}`)
    expect([answer.status, dataOf<object>(answer)]).toEqual([200, { id, deleted: true }])
    expectError(await rig.call('DELETE', `${ENDPOINTS}/${id}`), 404, 'endpoint not found')
    expectError(await rig.call('GET', `${ENDPOINTS}/${id}`), 404, 'endpoint not found')
  })

  test('rotates its secret, with a day of overlap or without', async () => {
    const { id, secret } = await createEndpoint(rig)
    const path = `${ENDPOINTS}/${id}/rotate-secret`
    const now = new Date('2026-08-01T12:00:00Z')
    rig.setClock(now)
    const first = dataOf<{ secret: string; previousSecretUntil: string }>(
      await rig.call('POST', path),
    )
    expect(first.secret).not.toBe(secret)
    expect(first.previousSecretUntil).toBe('2026-08-02T12:00:00.000Z')
    const second = await rig.call('POST', path, { body: { overlap: false } })
    expect(dataOf<WebhookEndpointJson>(second).previousSecretUntil).toBeNull()
    rig.setClock(null)
    expectDetail(
      await rig.call('POST', path, { body: { overlap: 'no' } }),
      'invalid request body',
      'overlap',
    )
  })
})

describe('a merchant', () => {
  test('has at most sixteen, even when it creates them at the same moment', async () => {
    await forgetAll()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rig.call('POST', ENDPOINTS, { body: { url: HOOK } })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expectError(answer, 409, 'too many endpoints')
    await forgetAll()
    await createEndpoint(rig)
  })

  test('pages through its endpoints, the newest first', async () => {
    await forgetAll()
    const ids: WebhookEndpointId[] = []
    for (let i = 0; i < 3; i += 1) ids.unshift((await createEndpoint(rig)).id)
    const answer = await rig.call('GET', `${ENDPOINTS}?limit=2&page=2`)
    expect<string[]>(answer.list.data.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(answer.list.metadata.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
  })
})

describe('400 invalid request body', () => {
  const cases: [what: string, body: unknown, path: string][] = [
    ['without a url', {}, 'url'],
    ['with a url that is none', { url: 'shop.example' }, 'url'],
    ['with another protocol', { url: 'ftp://shop.example/' }, 'url'],
    ['with credentials', { url: 'https://me:secret@shop.example/' }, 'url'],
    ['with a fragment', { url: 'https://shop.example/#here' }, 'url'],
    ['with a NUL', { url: 'https://shop.example/\0' }, 'url'],
    ['with a url that is too long', { url: `${HOOK}/${'x'.repeat(2048)}` }, 'url'],
    ['with a type that is none', { url: HOOK, eventTypes: ['invoice.payed'] }, 'eventTypes.0'],
    ['with no type at all', { url: HOOK, eventTypes: [] }, 'eventTypes'],
    [
      'with a description that is too long',
      { url: HOOK, description: 'x'.repeat(1001) },
      'description',
    ],
    ['with a field that nobody knows', { url: HOOK, secret: 'mine' }, 'secret'],
  ]
  for (const [what, body, path] of cases) {
    test(what, async () => {
      const answer = await rig.call('POST', ENDPOINTS, { body })
      expectDetail(answer, 'invalid request body', path)
    })
  }

  test('for a replay without a time, or since a day that never was', async () => {
    const { id } = await createEndpoint(rig)
    for (const body of [{}, { since: 'yesterday' }, { since: '2026-02-30T00:00:00Z' }]) {
      const answer = await rig.call('POST', `${ENDPOINTS}/${id}/replay`, { body })
      expectDetail(answer, 'invalid request body', 'since')
    }
  })
})

describe('another merchant', () => {
  test('finds none of these endpoints', async () => {
    const { id } = await createEndpoint(rig)
    const { secretKey: key } = await rig.newMerchant()
    const calls: [string, string, unknown?][] = [
      ['GET', `${ENDPOINTS}/${id}`],
      ['PATCH', `${ENDPOINTS}/${id}`, { active: false }],
      ['DELETE', `${ENDPOINTS}/${id}`],
      ['POST', `${ENDPOINTS}/${id}/rotate-secret`],
      ['POST', `${ENDPOINTS}/${id}/test`],
      ['POST', `${ENDPOINTS}/${id}/replay`, { since: '2026-01-01T00:00:00Z' }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await rig.call(method, path, { key, body })
      expectError(answer, 404, 'endpoint not found')
    }
    const mine = await rig.call('GET', `${ENDPOINTS}/${id}`)
    expect(dataOf<WebhookEndpointJson>(mine).active).toBe(true)
    expect((await rig.call('GET', ENDPOINTS, { key })).list.data).toEqual([])
  })

  test('and ids that are none are told apart', async () => {
    expectError(await rig.call('GET', `${ENDPOINTS}/7`), 400, 'invalid endpoint id')
    expectError(await rig.call('GET', `${ENDPOINTS}/${UNKNOWN_ID}`), 404, 'endpoint not found')
    expectError(await rig.call('GET', ENDPOINTS, { key: null }), 401, 'unauthorized')
  })
})
