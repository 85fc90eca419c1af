import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { EventId } from '../../../core/base/ids.ts'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { expectError, ISO_TIME, UUID } from '../../support/api/answers.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import {
  type CreatedEndpoint,
  createEndpoint,
  DELIVERIES,
  type DeliveryWithAttempts,
  dataOf,
  deliveries,
  ENDPOINTS,
  failAll,
  fanOut,
  UNKNOWN_ID,
} from '../../support/api/webhookCalls.ts'

let rig: ApiRig
let endpoint: CreatedEndpoint

beforeAll(async () => {
  rig = await openRig()
}, 120_000)
afterAll(() => rig.close())

beforeEach(async () => {
  await rig.database`delete from webhook_delivery`
  await rig.database`delete from webhook_endpoint`
  await rig.database`delete from outbox`
  endpoint = await createEndpoint(rig)
})

describe('a delivery', () => {
  test('is listed with its event, and filtered', async () => {
    const invoice = await rig.create()
    const other = await createEndpoint(rig, { eventTypes: ['invoice.created'] })
    await fanOut(rig)
    const listed = await deliveries(rig)
    expect(listed).toHaveLength(2)
    const [event] = await rig.database<{ id: EventId }[]>`
      select id from outbox where object_id = ${invoice.id}`
    if (event === undefined) throw new Error('there is no event')
    for (const [query, count] of [
      [`?endpointId=${other.id}`, 1],
      [`?eventId=${event.id}`, 2],
      [`?eventId=${UNKNOWN_ID}`, 0],
      ['?state=pending', 2],
      ['?state=failed', 0],
      ['?type=invoice.created', 2],
      ['?type=invoice.paid', 0],
    ] as const) {
      expect({ query, found: await deliveries(rig, query) }).toMatchObject({
        found: { length: count },
      })
    }
    expect((await deliveries(rig, `?endpointId=${endpoint.id}`))[0]).toEqual({
      id: expect.stringMatching(UUID),
      endpointId: endpoint.id,
      eventId: event.id,
      eventType: 'invoice.created',
      state: 'pending',
      attemptCount: 0,
      lastStatus: null,
      lastError: null,
      nextAttemptAt: expect.stringMatching(ISO_TIME),
      createdAt: expect.stringMatching(ISO_TIME),
      finishedAt: null,
    })
  })

  test('shows the newest hundred of its attempts', async () => {
    await rig.create()
    await failAll(rig)
    const [delivery] = await deliveries(rig)
    await rig.database`
      insert into webhook_attempt (delivery_id, number, at, latency_ms)
      select ${delivery?.id ?? ''}, number, now(), 1 from generate_series(1, 103) number`
    const answer = await rig.call('GET', `${DELIVERIES}/${delivery?.id}`)
    const { attempts } = dataOf<DeliveryWithAttempts>(answer)
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 4),
    )
  })

  test('shows its attempts and what was answered', async () => {
    await rig.create()
    await failAll(rig)
    const [delivery] = await deliveries(rig)
    await rig.database`
      insert into webhook_attempt (delivery_id, number, at, latency_ms, status, error, answer)
      values (${delivery?.id ?? ''}, 1, '2026-08-01T12:00:00Z', 12, 500, 'http_500', 'oops')`
    const answer = await rig.call('GET', `${DELIVERIES}/${delivery?.id}`)
    expect(dataOf<DeliveryWithAttempts>(answer)).toMatchObject({
      state: 'failed',
      nextAttemptAt: null,
      attempts: [
        {
          number: 1,
          at: '2026-08-01T12:00:00.000Z',
          latencyMs: 12,
          status: 500,
          error: 'http_500',
          answer: 'oops',
        },
      ],
    })
  })

  test('that failed is sent once more, and tells a notifier', async () => {
    await rig.create()
    await failAll(rig)
    const [delivery] = await deliveries(rig)
    const bells = rig.notifierBells
    const answer = await rig.call('POST', `${DELIVERIES}/${delivery?.id}/redeliver`)
    expect(dataOf<DeliveryJson>(answer)).toMatchObject({ state: 'pending', attemptCount: 10 })
    expect(rig.notifierBells).toBe(bells + 1)
    expect(await rig.database`select state, step from webhook_delivery`).toMatchObject([
      { state: 'pending', step: 0 },
    ])
  })

  test('to an endpoint that is disabled is not', async () => {
    await rig.create()
    await failAll(rig)
    await rig.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { body: { active: false } })
    const [delivery] = await deliveries(rig)
    const answer = await rig.call('POST', `${DELIVERIES}/${delivery?.id}/redeliver`)
    expectError(answer, 409, 'endpoint disabled')
  })

  test('of another merchant is not found', async () => {
    await rig.create()
    await fanOut(rig)
    const [delivery] = await deliveries(rig)
    const { secretKey: key } = await rig.newMerchant()
    const path = `${DELIVERIES}/${delivery?.id}`
    expectError(await rig.call('GET', path, { key }), 404, 'delivery not found')
    expectError(await rig.call('POST', `${path}/redeliver`, { key }), 404, 'delivery not found')
    expect((await rig.call('GET', DELIVERIES, { key })).list.data).toEqual([])
    expectError(await rig.call('GET', `${DELIVERIES}/7`), 400, 'invalid delivery id')
    expectError(await rig.call('GET', `${DELIVERIES}?state=lost`), 400, 'invalid query parameters')
  })
})

describe('a test event', () => {
  test('is for its endpoint alone, regardless of what it wants', async () => {
    const wanting = await createEndpoint(rig, { eventTypes: ['invoice.paid'] })
    const answer = await rig.call('POST', `${ENDPOINTS}/${wanting.id}/test`)
    expect(answer.status).toBe(202)
    const { eventId } = dataOf<{ eventId: EventId }>(answer)
    await fanOut(rig)
    expect(await deliveries(rig)).toMatchObject([
      { endpointId: wanting.id, eventId, eventType: 'test' },
    ])
  })
})

describe('a replay', () => {
  async function replay(since: Date) {
    const path = `${ENDPOINTS}/${endpoint.id}/replay`
    return rig.call('POST', path, { body: { since: since.toISOString() } })
  }

  test('sends again what failed since a time, and nothing else', async () => {
    await rig.create()
    await rig.create()
    await failAll(rig)
    await rig.database`update outbox set created_at = now() - interval '2 hours'
      where id = (select min(id::text)::uuid from outbox)`
    await rig.create()
    await fanOut(rig)
    const answer = await replay(new Date(Date.now() - 3_600_000))
    expect(dataOf<object>(answer)).toEqual({ replayed: 1, hasMore: false })
    const states = (await deliveries(rig)).map(({ state }) => state)
    expect(states.sort()).toEqual(['failed', 'pending', 'pending'])
  })

  test('is refused, with the time to come again, while its destination has no place left', async () => {
    await rig.database`
      update webhook_endpoint set replayed_until = now() + interval '15 minutes'
      where id = ${endpoint.id}`
    const answer = await replay(new Date(0))
    expectError(answer, 429, 'replay limit reached')
    // Ten minutes ahead there are places, a burst of six seconds included.
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(200, 296)
  })

  test('sends what happened while the endpoint was disabled', async () => {
    const path = `${ENDPOINTS}/${endpoint.id}`
    await rig.call('PATCH', path, { body: { active: false } })
    await rig.create()
    await fanOut(rig)
    expect(await deliveries(rig)).toEqual([])
    const anHourAgo = new Date(Date.now() - 3_600_000)
    expectError(await replay(anHourAgo), 409, 'endpoint disabled')
    await rig.call('PATCH', path, { body: { active: true } })
    expect(dataOf<object>(await replay(anHourAgo))).toEqual({ replayed: 1, hasMore: false })
    expect(await deliveries(rig)).toMatchObject([{ state: 'pending' }])
    expect(dataOf<object>(await replay(anHourAgo))).toEqual({ replayed: 0, hasMore: false })
  })
})
