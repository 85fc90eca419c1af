import { describe, expect, test } from 'bun:test'
import type { MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import { EVENTS_KEPT_DAYS, firstIdAt } from '../../../core/events/event.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  deleteOldEvents,
  deleteOrphans,
  EVENTS_PER_FAN_OUT,
  failStrayDeliveries,
  fanOutEvents,
} from '../../../store/webhook/fanOut.ts'
import { forEachTest, isWaiting, openTransaction } from '../../support/store/database.ts'
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
  storeLease,
} from '../../support/store/webhook.ts'

let sql: Database
let merchantId: MerchantId
let endpointId: WebhookEndpointId
forEachTest(['webhook_lease', 'webhook_delivery', 'outbox'], async (database) => {
  sql = database
  merchantId = await newMerchant(sql)
  endpointId = await newEndpoint(sql, merchantId)
})

const WAITING = { position: null }
const waiting = (terms: Parameters<typeof newEvent>[2] = {}) =>
  newEvent(sql, merchantId, { ...terms, ...WAITING })

async function inOrder(): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from outbox where position is not null order by position`
  return rows.map(({ id }) => id)
}

describe('events that wait', () => {
  test('get their places in the order of their ids, once, after those before them', async () => {
    const before = await newEvent(sql, merchantId, { position: -1 })
    const ids = [await waiting(), await waiting(), await waiting()]
    expect(await fanOutEvents(sql)).toBe(3)
    expect(await inOrder()).toEqual([before, ...ids])
    expect(await fanOutEvents(sql)).toBe(0)
    expect(await deliveredTo(sql, endpointId)).toEqual(ids)
  })

  test('go to the active endpoints of their merchant that want their type', async () => {
    const wanting = await newEndpoint(sql, merchantId, { event_types: ['invoice.paid'] })
    const others = [
      await newEndpoint(sql, merchantId, { event_types: ['invoice.created'] }),
      await newEndpoint(sql, merchantId, SWITCHED_OFF),
      await newEndpoint(sql, await newMerchant(sql)),
    ]
    const id = await waiting({ type: 'invoice.paid' })
    await fanOutEvents(sql)
    expect(await deliveredTo(sql, endpointId)).toEqual([id])
    expect(await deliveredTo(sql, wanting)).toEqual([id])
    for (const other of others) expect(await deliveredTo(sql, other)).toEqual([])
  })

  test('for one endpoint go to no other, regardless of what it wants', async () => {
    const one = await newEndpoint(sql, merchantId, { event_types: ['invoice.created'] })
    const id = await waiting({ type: 'invoice.paid', endpointId: one })
    await fanOutEvents(sql)
    expect(await deliveredTo(sql, one)).toEqual([id])
    expect(await deliveredTo(sql, endpointId)).toEqual([])
  })

  test('are taken in turns, the earliest first', async () => {
    const ids = []
    for (let i = 0; i <= EVENTS_PER_FAN_OUT; i++) ids.push(await waiting())
    expect(await fanOutEvents(sql)).toBe(EVENTS_PER_FAN_OUT)
    expect(await inOrder()).toEqual(ids.slice(0, -1))
    expect(await fanOutEvents(sql)).toBe(1)
  })

  test('are left alone while another process is at it', async () => {
    await waiting()
    const other = await openTransaction(
      sql,
      (t) => t`select pg_advisory_xact_lock(7733102) as locked`,
    )
    expect(await fanOutEvents(sql)).toBe(0)
    await other.commit()
    expect(await fanOutEvents(sql)).toBe(1)
  })

  test('wait for an endpoint that is just being deleted, and are not delivered to it', async () => {
    await waiting()
    const deletion = await openTransaction(
      sql,
      (t) => t`delete from webhook_endpoint where id = ${endpointId}`,
    )
    const fanOut = fanOutEvents(sql)
    expect(await isWaiting(sql, fanOut)).toBe(true)
    await deletion.commit()
    await fanOut
    expect(await deliveredTo(sql, endpointId)).toEqual([])
  })

  test('that were delivered already are not delivered again', async () => {
    const id = await waiting()
    await newDelivery(sql, endpointId, id, SUCCEEDED)
    expect(await fanOutEvents(sql)).toBe(1)
    expect(await deliveredTo(sql, endpointId)).toEqual([id])
  })
})

describe('old events are deleted', () => {
  const KEPT_MS = EVENTS_KEPT_DAYS * 86_400_000
  let count = 0
  /** An id of so many ms before the limit. */
  const idBefore = (ms: number) => {
    count += 1
    const first = firstIdAt(new Date(NOW.getTime() - KEPT_MS - ms))
    return `${first.slice(0, -6)}${count.toString().padStart(6, '0')}`
  }
  const oldEvent = (terms: Parameters<typeof newEvent>[2] = {}, ms = 1) =>
    newEvent(sql, merchantId, { id: idBefore(ms), ...terms })
  const isKept = async (id: string) => (await sql`select from outbox where id = ${id}`).length === 1

  test('with their deliveries, once they are older than what is kept', async () => {
    const oldest = firstIdAt(new Date(NOW.getTime() - KEPT_MS))
    const [old, young] = [await oldEvent(), await oldEvent({ id: oldest })]
    const kept = await newDelivery(sql, endpointId, young, FAILED)
    await newDelivery(sql, endpointId, old, FAILED)
    expect(await deleteOldEvents(sql, NOW)).toBe(1)
    expect(await isKept(old)).toBe(false)
    expect(await isKept(young)).toBe(true)
    expect(await deliveredTo(sql, endpointId)).toEqual([young])
    expect((await deliveryRow(sql, kept)).state).toBe('failed')
  })

  test('with the attempts of their deliveries, and no others', async () => {
    const [old, young] = [await oldEvent(), await newEvent(sql, merchantId)]
    const gone = await newDelivery(sql, endpointId, old, FAILED)
    const kept = await newDelivery(sql, endpointId, young, FAILED)
    for (const id of [gone, kept]) {
      await sql`
        insert into webhook_attempt (delivery_id, number, at, latency_ms) values (${id}, 1, ${NOW}, 1)`
    }
    expect(await deleteOldEvents(sql, NOW)).toBe(1)
    const left = await sql`select delivery_id from webhook_attempt`
    expect(left.map(({ deliveryId }) => deliveryId)).toEqual([kept])
  })

  test('but not those that were never made into deliveries, or are still to be sent', async () => {
    const [never, sending] = [await oldEvent(WAITING), await oldEvent()]
    await newDelivery(sql, endpointId, sending)
    const other = await newEndpoint(sql, merchantId)
    await newDelivery(sql, other, sending, FAILED)
    expect(await deleteOldEvents(sql, NOW)).toBe(0)
    expect([await isKept(never), await isKept(sending)]).toEqual([true, true])
  })

  test('even if others are still to be sent', async () => {
    const [old, sending] = [await oldEvent(), await oldEvent()]
    await newDelivery(sql, endpointId, sending)
    await newDelivery(sql, endpointId, old, SUCCEEDED)
    expect(await deleteOldEvents(sql, NOW)).toBe(1)
    expect(await isKept(old)).toBe(false)
    expect(await deliveredTo(sql, endpointId)).toEqual([sending])
  })

  test('with the deliveries of their own merchant, at every endpoint', async () => {
    const old = await oldEvent()
    const endpoints = [endpointId, await newEndpoint(sql, merchantId)]
    for (const id of endpoints) await newDelivery(sql, id, old, FAILED)
    const stranger = await newEndpoint(sql, await newMerchant(sql))
    await newDelivery(sql, stranger, old)
    expect(await deleteOldEvents(sql, NOW)).toBe(1)
    for (const id of endpoints) expect(await deliveredTo(sql, id)).toEqual([])
    expect(await deliveredTo(sql, stranger)).toEqual([old])
  })

  test('without waiting for a session that works on some of them', async () => {
    const [busy, free] = [await oldEvent(), await oldEvent()]
    const other = await openTransaction(
      sql,
      (t) => t`select from outbox where id = ${busy} for update`,
    )
    expect(await deleteOldEvents(sql, NOW)).toBe(1)
    await other.commit()
    expect([await isKept(busy), await isKept(free)]).toEqual([true, false])
  })
})

describe('a delivery', () => {
  test('without its event is deleted, and no other', async () => {
    const [lost, kept, beside] = [
      await newDelivery(sql, endpointId, await newEvent(sql, merchantId)),
      await newDelivery(sql, endpointId, await newEvent(sql, merchantId)),
      await newDelivery(sql, endpointId, await newEvent(sql, merchantId)),
    ]
    await sql`
      delete from outbox where id in (
        select event_id from webhook_delivery where id in ${sql([lost, beside])})`
    await deleteOrphans(sql, [])
    await deleteOrphans(sql, [lost, kept])
    const rows = await sql`select id from webhook_delivery order by event_id`
    expect(rows.map(({ id }) => id)).toEqual([kept, beside])
  })

  test('to an endpoint that was being disabled is ended', async () => {
    const disabled = await newEndpoint(sql, merchantId, SWITCHED_OFF)
    const deliver = async (to: WebhookEndpointId, columns = {}) =>
      newDelivery(sql, to, await newEvent(sql, merchantId), columns)
    const [stray, done, fine] = [
      await deliver(disabled),
      await deliver(disabled, SUCCEEDED),
      await deliver(endpointId),
    ]
    expect(await failStrayDeliveries(sql)).toBe(1)
    expect(await deliveryRow(sql, stray)).toMatchObject({
      ...{ state: 'failed', lastError: 'endpoint_disabled' },
    })
    expect((await deliveryRow(sql, done)).state).toBe('succeeded')
    expect((await deliveryRow(sql, fine)).state).toBe('pending')
  })
})

test('a lease is forgotten an hour after it ended', async () => {
  const HOUR = 3_600_000
  await storeLease(sql, endpointId, 'gone', -HOUR - 1_000)
  const other = await newEndpoint(sql, merchantId)
  await storeLease(sql, other, 'gone', -HOUR + 60_000)
  await failStrayDeliveries(sql)
  const rows = await sql`select endpoint_id from webhook_lease`
  expect(rows.map((row) => row.endpointId)).toEqual([other])
})
