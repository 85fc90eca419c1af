import { describe, expect, test } from 'bun:test'
import {
  asDeliveryId,
  asWebhookEndpointId,
  type DeliveryId,
  type EventId,
  type MerchantId,
  type WebhookEndpointId,
} from '../../../core/base/ids.ts'
import { iso } from '../../../core/base/instant.ts'
import { ATTEMPTS_SHOWN } from '../../../core/webhook/delivery.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type DeliveryFilter,
  findDelivery,
  listAttempts,
  listDeliveries,
  redeliver,
} from '../../../store/webhook/deliveries.ts'
import { changeWebhookEndpoint } from '../../../store/webhook/endpoints.ts'
import { replayFailed } from '../../../store/webhook/replay.ts'
import { forThisFile, isWaiting, openTransaction } from '../../support/store/database.ts'
import {
  deliveredTo,
  deliveryRow,
  FAILED,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
  SUCCEEDED,
  SWITCHED_OFF,
} from '../../support/store/webhook.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const UNKNOWN = asWebhookEndpointId('00000000-0000-7000-8000-000000000001')
const HOUR = 3_600_000
const SINCE = new Date(NOW.getTime() - HOUR)

interface Shop {
  readonly merchantId: MerchantId
  readonly endpointId: WebhookEndpointId
}

/** A merchant with an endpoint that is older than all events. */
async function shop(columns: Parameters<typeof newEndpoint>[2] = {}): Promise<Shop> {
  const merchantId = await newMerchant(sql)
  const created_at = new Date(NOW.getTime() - 48 * HOUR)
  return { merchantId, endpointId: await newEndpoint(sql, merchantId, { created_at, ...columns }) }
}

async function deliver(
  { merchantId, endpointId }: Shop,
  columns: Parameters<typeof newDelivery>[3] = {},
  terms: Parameters<typeof newEvent>[2] = {},
): Promise<DeliveryId> {
  return newDelivery(sql, endpointId, await newEvent(sql, merchantId, terms), columns)
}

describe('the deliveries of a merchant', () => {
  const list = (of: Shop, filter: DeliveryFilter = {}, limit = 10, offset = 0n) =>
    listDeliveries(sql, of.merchantId, filter, { limit, offset })
  const idsOf = async (of: Shop, filter: DeliveryFilter = {}) => {
    const { elements: deliveries, total } = await list(of, filter)
    expect(total).toBe(deliveries.length)
    return deliveries.map(({ id }) => id)
  }

  test('are listed with those of the newest events first, page by page', async () => {
    const of = await shop()
    const ids = []
    for (let i = 0; i < 5; i++) ids.push(await deliver(of))
    await deliver(await shop())
    expect(await idsOf(of)).toEqual(ids.toReversed())
    const { elements: deliveries, total } = await list(of, {}, 2, 1n)
    expect(deliveries.map(({ id }) => id)).toEqual(ids.slice(2, 4).toReversed())
    expect(total).toBe(5)
    expect((await list(of, {}, 2, 5n)).elements).toEqual([])
  })

  test('are found by endpoint, event, state and type', async () => {
    const of = await shop()
    const beside = { ...of, endpointId: await newEndpoint(sql, of.merchantId) }
    const eventId = await newEvent(sql, of.merchantId, { type: 'invoice.created' })
    const wanted = await newDelivery(sql, of.endpointId, eventId, FAILED)
    const other = await deliver(beside, {}, { type: 'invoice.paid' })
    expect(await idsOf(of)).toEqual([other, wanted])
    for (const filter of [
      { endpointId: of.endpointId },
      { eventId },
      { state: 'failed' },
      { type: 'invoice.created' },
    ] as const) {
      expect(await idsOf(of, filter)).toEqual([wanted])
    }
    expect(await idsOf(await shop(), { endpointId: of.endpointId })).toEqual([])
  })

  test('say when they are tried again, while they are', async () => {
    const of = await shop()
    const [waiting, done] = [await deliver(of), await deliver(of, SUCCEEDED)]
    const find = (id: DeliveryId) => findDelivery(sql, of.merchantId, id)
    expect((await find(waiting))?.nextAttemptAt).toBeInstanceOf(Date)
    expect((await find(done))?.nextAttemptAt).toBeNull()
  })

  test('are no one else’s', async () => {
    const [of, other] = [await shop(), await shop()]
    const id = await deliver(of)
    expect(await findDelivery(sql, of.merchantId, id)).toMatchObject({ id })
    expect(await findDelivery(sql, other.merchantId, id)).toBeNull()
    expect(await findDelivery(sql, of.merchantId, asDeliveryId(UNKNOWN))).toBeNull()
  })
})

test('the newest attempts of a delivery are listed, the earliest of them first', async () => {
  const of = await shop()
  const [id, other] = [await deliver(of), await deliver(of)]
  const attempt = (deliveryId: DeliveryId, number: number) => sql`
    insert into webhook_attempt (delivery_id, number, at, latency_ms)
    values (${deliveryId}, ${number}, ${NOW}, 1)`
  for (let number = 1; number <= ATTEMPTS_SHOWN + 2; number++) await attempt(id, number)
  await attempt(other, 1)
  const numbers = (await listAttempts(sql, id)).map(({ number }) => number)
  expect(numbers).toEqual(Array.from({ length: ATTEMPTS_SHOWN }, (_, i) => i + 3))
  expect(await listAttempts(sql, other)).toHaveLength(1)
})

describe('a delivery is sent once more', () => {
  const again = ({ merchantId }: Shop, id: DeliveryId) => redeliver(sql, merchantId, id, NOW)

  test.each([
    ['failed', FAILED],
    ['succeeded', SUCCEEDED],
  ])('with its schedule from the beginning when it has %s', async (_, state) => {
    const of = await shop()
    const id = await deliver(of, { ...state, attempts: 5, step: 3 })
    const other = await deliver(of, { ...state, attempts: 5, step: 3 })
    expect(await again(of, id)).toMatchObject({ ok: true, delivery: { id, state: 'pending' } })
    expect(await deliveryRow(sql, id)).toMatchObject({
      ...{ state: 'pending', step: 0, attempts: 5, finishedAt: null, nextAttemptAt: iso(NOW) },
    })
    expect(await deliveryRow(sql, other)).toMatchObject({ state: state.state, step: 3 })
  })

  test('from where it is when it waits', async () => {
    const of = await shop()
    const id = await deliver(of, { attempts: 5, step: 3 })
    await again(of, id)
    expect(await deliveryRow(sql, id)).toMatchObject({ step: 3, nextAttemptAt: iso(NOW) })
  })

  test('to an endpoint that is active, of its own merchant', async () => {
    const [of, other] = [await shop(SWITCHED_OFF), await shop()]
    const id = await deliver(of, FAILED)
    expect(await again(of, id)).toEqual({ ok: false, reason: 'disabled' })
    expect(await again(other, id)).toEqual({ ok: false, reason: 'not_found' })
    expect(await again(of, asDeliveryId(UNKNOWN))).toEqual({ ok: false, reason: 'not_found' })
    expect((await deliveryRow(sql, id)).state).toBe('failed')
  })

  test('after the endpoint that is just being disabled, and then not', async () => {
    const of = await shop()
    const id = await deliver(of, FAILED)
    const change = await openTransaction(
      sql,
      (t) => t`update webhook_endpoint set ${t(SWITCHED_OFF)} where id = ${of.endpointId}`,
    )
    // An update of other columns lets a key be shared: whoever disables locks the row like this first.
    const sent = again(of, id)
    await change.commit()
    await sent
    expect(await again(of, id)).toEqual({ ok: false, reason: 'disabled' })
  })
})

describe('what an endpoint has not taken is sent once more', () => {
  const replay = ({ merchantId, endpointId }: Shop, since = SINCE) =>
    replayFailed(sql, merchantId, endpointId, since, NOW)

  test('if it has failed since then', async () => {
    const of = await shop()
    const at = (createdAt: Date) => ({ createdAt })
    const failed = { ...FAILED, attempts: 9, step: 9 }
    const id = await deliver(of, failed, at(SINCE))
    const others = [
      await deliver(of, SUCCEEDED, at(NOW)),
      await deliver(of, failed, at(new Date(SINCE.getTime() - 1))),
      await deliver(await shop(), failed, at(NOW)),
    ]
    expect(await replay(of)).toEqual({ ok: true, replayed: 1, hasMore: false })
    expect(await deliveryRow(sql, id)).toMatchObject({
      ...{ state: 'pending', step: 0, attempts: 9, finishedAt: null, nextAttemptAt: iso(NOW) },
    })
    for (const other of others) {
      expect((await deliveryRow(sql, other)).state).not.toBe('pending')
    }
  })

  test('if it was missed while the endpoint was disabled', async () => {
    const of = await shop()
    const other = await newEndpoint(sql, of.merchantId)
    const event = (terms: Parameters<typeof newEvent>[2]) => newEvent(sql, of.merchantId, terms)
    const missed = await event({ createdAt: SINCE })
    await event({ createdAt: new Date(SINCE.getTime() - 1) })
    await event({ createdAt: NOW, position: null })
    await event({ createdAt: NOW, endpointId: of.endpointId })
    await newEvent(sql, await newMerchant(sql), { createdAt: NOW })
    expect(await replay(of)).toEqual({ ok: true, replayed: 1, hasMore: false })
    expect(await deliveredTo(sql, of.endpointId)).toEqual([missed])
    expect(await deliveredTo(sql, other)).toEqual([])
    expect(await replay(of)).toEqual({ ok: true, replayed: 0, hasMore: false })
  })

  test('if it came about while the endpoint existed', async () => {
    const of = await shop({ created_at: NOW })
    await newEvent(sql, of.merchantId, { createdAt: new Date(NOW.getTime() - 1) })
    const first = await newEvent(sql, of.merchantId, { createdAt: NOW })
    await replay(of)
    expect(await deliveredTo(sql, of.endpointId)).toEqual([first])
  })

  test('if it is of a type that the endpoint wants', async () => {
    const of = await shop({ event_types: ['invoice.created'] })
    await newEvent(sql, of.merchantId, { createdAt: NOW, type: 'invoice.paid' })
    const wanted = await newEvent(sql, of.merchantId, { createdAt: NOW, type: 'invoice.created' })
    await replay(of)
    expect(await deliveredTo(sql, of.endpointId)).toEqual([wanted])
  })

  test('to an endpoint that is active, of its own merchant', async () => {
    const [of, other] = [await shop(SWITCHED_OFF), await shop()]
    await newEvent(sql, of.merchantId, { createdAt: NOW })
    expect(await replay(of)).toEqual({ ok: false, reason: 'disabled' })
    const wrong = { ...other, endpointId: of.endpointId }
    expect(await replay(wrong)).toEqual({ ok: false, reason: 'not_found' })
    expect(await replay({ ...of, endpointId: UNKNOWN })).toEqual({ ok: false, reason: 'not_found' })
    expect(await deliveredTo(sql, of.endpointId)).toEqual([])
  })

  test('but not to one that is just being disabled', async () => {
    const of = await shop()
    await newEvent(sql, of.merchantId, { createdAt: NOW })
    const lock = await openTransaction(
      sql,
      (t) => t`select from webhook_endpoint where id = ${of.endpointId} for no key update`,
    )
    const replayed = replay(of)
    expect(await isWaiting(sql, replayed)).toBe(true)
    await lock.sql`update webhook_endpoint set ${lock.sql(SWITCHED_OFF)} where id = ${of.endpointId}`
    await lock.commit()
    expect(await replayed).toEqual({ ok: false, reason: 'disabled' })
    await changeWebhookEndpoint(sql, of.merchantId, of.endpointId, { active: true }, NOW)
    expect(await replay(of)).toMatchObject({ replayed: 1 })
  })

  test('the earliest first, when there is more than is replayed at once', async () => {
    const [failed, missed] = [await shop(), await shop()]
    const events = async ({ merchantId }: Shop) => {
      // The order of their places is not the order of their ids.
      const rows = await sql<{ id: EventId }[]>`
        insert into outbox (id, merchant_id, type, object_id, version, data, position, created_at)
        select gen_random_uuid(), ${merchantId}, 'invoice.paid', gen_random_uuid(), 1, '{}', n, ${NOW}
        from generate_series(1, 5001) n returning id`
      return rows.map(({ id }) => id)
    }
    const ofFailed = (await events(failed)).toSorted()
    await sql`
      insert into webhook_delivery (endpoint_id, event_id, event_type, state, finished_at)
      select ${failed.endpointId}, id, type, 'failed', ${NOW} from outbox
      where merchant_id = ${failed.merchantId} order by random()`
    expect(await replay(failed)).toEqual({ ok: true, replayed: 5_000, hasMore: true })
    const [left] = await sql`
      select event_id from webhook_delivery
      where endpoint_id = ${failed.endpointId} and state = 'failed'`
    expect(left?.eventId).toBe(ofFailed.at(-1))
    expect(await replay(failed)).toEqual({ ok: true, replayed: 1, hasMore: false })

    const ofMissed = await events(missed)
    expect(await replay(missed)).toEqual({ ok: true, replayed: 5_000, hasMore: true })
    const delivered = new Set(await deliveredTo(sql, missed.endpointId))
    expect(ofMissed.filter((id) => !delivered.has(id))).toEqual(ofMissed.slice(-1))
  })
})
