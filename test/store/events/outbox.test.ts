import { describe, expect, test } from 'bun:test'
import { asEventId, type MerchantId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type EventFilter,
  type EventPlace,
  findEvent,
  insertEvent,
  insertEvents,
  listEvents,
  type NewEvent,
  readEvents,
} from '../../../store/events/outbox.ts'
import { forThisFile } from '../../support/store/database.ts'
import { newEvent, newMerchant } from '../../support/store/webhook.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const UNKNOWN = asEventId('00000000-0000-7000-8000-000000000001')

async function list(
  merchantId: MerchantId,
  place: EventPlace = { type: 'oldest' },
  limit = 10,
  filter: EventFilter = {},
) {
  const page = await listEvents(sql, merchantId, filter, place, limit)
  return page && { ids: page.events.map(({ id }) => id), hasMore: page.hasMore }
}

test('events are written with their ids in order, and none when there are none', async () => {
  const merchantId = await newMerchant(sql)
  const event = (version: number): NewEvent => ({
    ...{ merchantId, objectId: Bun.randomUUIDv7(), version, data: { version } },
    type: 'invoice.paid',
  })
  expect(await insertEvents(sql, [])).toEqual([])
  const ids = await insertEvents(sql, [event(1), event(2)])
  ids.push(await insertEvent(sql, event(3)))
  const read = await readEvents(sql, ids)
  const dataOf = (id: string) => read.find((one) => one.id === id)?.dataJson
  expect(ids.map(dataOf)).toEqual(['{"version":1}', '{"version":2}', '{"version":3}'])
})

describe('the events of a merchant', () => {
  test('are read in the order of their places, page by page', async () => {
    const merchantId = await newMerchant(sql)
    const last = await newEvent(sql, merchantId, { position: 1_000_003 })
    const first = await newEvent(sql, merchantId, { position: 1_000_001 })
    const middle = await newEvent(sql, merchantId, { position: 1_000_002 })
    await newEvent(sql, merchantId, { position: null })
    await newEvent(sql, await newMerchant(sql))
    expect(await list(merchantId)).toEqual({ ids: [first, middle, last], hasMore: false })
    expect(await list(merchantId, { type: 'oldest' }, 3)).toMatchObject({ hasMore: false })
    expect(await list(merchantId, { type: 'oldest' }, 2)).toEqual({
      ...{ ids: [first, middle], hasMore: true },
    })
    expect(await list(merchantId, { type: 'after', eventId: first })).toEqual({
      ...{ ids: [middle, last], hasMore: false },
    })
    expect(await list(merchantId, { type: 'newest' }, 2)).toEqual({
      ...{ ids: [last, middle], hasMore: true },
    })
  })

  test('are read on after an event of theirs that has its place', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    await newEvent(sql, merchantId)
    for (const eventId of [
      await newEvent(sql, other),
      await newEvent(sql, merchantId, { position: null }),
      UNKNOWN,
    ]) {
      expect(await list(merchantId, { type: 'after', eventId })).toBeNull()
    }
  })

  test('are found by type and by object', async () => {
    const merchantId = await newMerchant(sql)
    const objectId = Bun.randomUUIDv7()
    const wanted = await newEvent(sql, merchantId, { type: 'invoice.created', objectId })
    await newEvent(sql, merchantId, { type: 'invoice.paid' })
    for (const filter of [{ type: 'invoice.created' }, { objectId }] as const) {
      expect((await list(merchantId, { type: 'oldest' }, 10, filter))?.ids).toEqual([wanted])
    }
  })

  test('are no one else’s, but read together whosever they are', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    const [id, otherId] = [await newEvent(sql, merchantId), await newEvent(sql, other)]
    expect(await findEvent(sql, merchantId, id)).toMatchObject({ id, type: 'invoice.paid' })
    expect(await findEvent(sql, other, id)).toBeNull()
    expect(await findEvent(sql, merchantId, UNKNOWN)).toBeNull()
    const read = await readEvents(sql, [id, otherId, UNKNOWN])
    expect(read.map((event) => event.id).toSorted()).toEqual([id, otherId].toSorted())
    expect(await readEvents(sql, [])).toEqual([])
  })
})
