import { beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryId, MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import { destinationOf } from '../../../core/webhook/endpoint.ts'
import type { Database } from '../../../store/database/database.ts'
import { redeliver } from '../../../store/webhook/deliveries.ts'
import { replayFailed } from '../../../store/webhook/replay.ts'
import { forThisFile } from '../../support/store/database.ts'
import {
  FAILED,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
} from '../../support/store/webhook.ts'

/** How fast a destination is sent what is replayed, regardless of who asks for it. */

let sql: Database
forThisFile((database) => {
  sql = database
})

let destinations = 0
let destination: string
beforeEach(() => {
  destinations += 1
  destination = `victim${destinations}.example:443`
})

interface Shop {
  readonly merchantId: MerchantId
  readonly endpointId: WebhookEndpointId
  readonly deliveries: readonly DeliveryId[]
}

/** A merchant whose endpoint at the destination has failed to take so many. */
async function shopWith(failed: number, at = destination): Promise<Shop> {
  const merchantId = await newMerchant(sql)
  const endpointId = await newEndpoint(sql, merchantId, { destination: at, created_at: NOW })
  const deliveries: DeliveryId[] = []
  for (let i = 0; i < failed; i += 1) {
    deliveries.push(await newDelivery(sql, endpointId, await newEvent(sql, merchantId), FAILED))
  }
  return { merchantId, endpointId, deliveries }
}

const replay = ({ merchantId, endpointId }: Shop, now = NOW) =>
  replayFailed(sql, merchantId, endpointId, new Date(0), now)

/** When the deliveries of some shops are due, in ms from now, in that order. */
async function dueOf(...shops: readonly Shop[]): Promise<number[]> {
  const ids = shops.map(({ endpointId }) => endpointId)
  const rows = await sql<{ at: Date }[]>`
    select next_attempt_at as at from webhook_delivery
    where endpoint_id = any(${ids}::uuid[]) and state = 'pending' order by next_attempt_at`
  return rows.map(({ at }) => at.getTime() - NOW.getTime())
}

describe('what is replayed to a destination', () => {
  test('goes at once as far as a burst of 60, and then ten a second', async () => {
    const shop = await shopWith(75)
    expect(await replay(shop)).toEqual({ ok: true, replayed: 75, hasMore: false })
    const due = await dueOf(shop)
    expect(due.slice(0, 61)).toEqual(Array(61).fill(0))
    expect(due.slice(61)).toEqual(Array.from({ length: 14 }, (_, i) => 100 * (i + 1)))
  })

  test('of several merchants shares the places, whoever comes first', async () => {
    const shops = await Promise.all([shopWith(40), shopWith(40), shopWith(40)])
    await Promise.all(shops.map((shop) => replay(shop)))
    const due = await dueOf(...shops)
    expect(due.filter((ms) => ms === 0)).toHaveLength(61)
    expect(due.at(-1)).toBe(5_900)
    const elsewhere = await shopWith(40, 'another.example:443')
    await replay(elsewhere)
    expect(await dueOf(elsewhere)).toEqual(Array(40).fill(0))
  })

  test('includes what is sent again one by one, and events that were missed', async () => {
    const shop = await shopWith(60)
    for (let i = 0; i < 5; i += 1) await newEvent(sql, shop.merchantId)
    const [first] = shop.deliveries
    if (first === undefined) throw new Error('there are deliveries')
    await redeliver(sql, shop.merchantId, first, NOW)
    expect(await replay(shop)).toEqual({ ok: true, replayed: 64, hasMore: false })
    expect((await dueOf(shop)).slice(60)).toEqual([0, 100, 200, 300, 400])
  })

  test('has places again when time has passed', async () => {
    const [first, second] = [await shopWith(80), await shopWith(30)]
    await replay(first)
    await replay(second, new Date(NOW.getTime() + 60_000))
    expect(await dueOf(second)).toEqual(Array(30).fill(60_000))
  })

  test('is never given a place more than ten minutes ahead: the rest is for a later call', async () => {
    const shop = await shopWith(20)
    await sql`
      update webhook_endpoint set replayed_until = ${new Date(NOW.getTime() + 605_000)}
      where id = ${shop.endpointId}`
    expect(await replay(shop)).toEqual({ ok: true, replayed: 10, hasMore: true })
    expect(await replay(shop)).toEqual({ ok: false, reason: 'no_place', waitMs: 100 })
    const later = new Date(NOW.getTime() + 60_000)
    expect(await replay(shop, later)).toEqual({ ok: true, replayed: 10, hasMore: false })
  })
})

test.each([
  ['https://Shop.Example/hook', 'shop.example:443'],
  ['http://shop.example:8080/a?b', 'shop.example:8080'],
  ['https://shop.example./', 'shop.example:443'],
  ['http://2130706433/', '127.0.0.1:80'],
  ['http://[2001:DB8::1]:443/', '[2001:db8::1]:443'],
])('the destination of %s is %s', (url, expected) => {
  expect(destinationOf(url)).toBe(expected)
})
