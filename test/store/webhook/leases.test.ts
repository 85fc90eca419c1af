import { describe, expect, test } from 'bun:test'
import type { DeliveryId, MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type LeaseRequest,
  leaseEndpoints,
  releaseEndpointLeases,
  releaseEndpoints,
} from '../../../store/webhook/leases.ts'
import {
  hasNotifierWork,
  leaveShare,
  type Share,
  takeShare,
} from '../../../store/webhook/notifiers.ts'
import { forEachTest } from '../../support/store/database.ts'
import {
  aRequest,
  FAILED,
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
forEachTest(['webhook_lease', 'webhook_delivery', 'notifier'], async (database) => {
  sql = database
  merchantId = await newMerchant(sql)
})

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const FAILING = { failing_since: secondsAgo(60) }

/** An endpoint with a delivery that has been due for so many seconds. */
async function due(
  seconds = 1,
  columns: Parameters<typeof newEndpoint>[2] = {},
): Promise<WebhookEndpointId> {
  const id = await newEndpoint(sql, merchantId, columns)
  await deliver(id, seconds)
  return id
}

async function deliver(
  endpointId: WebhookEndpointId,
  seconds = 1,
  columns: Parameters<typeof newDelivery>[3] = {},
): Promise<DeliveryId> {
  const given = { next_attempt_at: secondsAgo(seconds), ...columns }
  return newDelivery(sql, endpointId, await newEvent(sql, merchantId), given)
}

const lease = (given: Partial<LeaseRequest> = {}) => leaseEndpoints(sql, aRequest(given))
const idsOf = async (given: Partial<LeaseRequest> = {}) =>
  (await lease(given)).map(({ endpointId }) => endpointId).toSorted()

async function onlyOne(given: Partial<LeaseRequest> = {}) {
  const [one, ...others] = await lease(given)
  if (!one || others.length > 0) throw new Error(`${others.length} endpoints besides ${one?.url}`)
  return one
}

async function leaseOf(endpointId: WebhookEndpointId) {
  const [row] = await sql<{ owner: string; left: number }[]>`
    select owner, extract(epoch from until - now())::float8 as left from webhook_lease
    where endpoint_id = ${endpointId}`
  return row ?? null
}

describe('an endpoint to which something is due', () => {
  test('is leased by one process, with what it takes to send', async () => {
    const id = await newEndpoint(sql, merchantId, { url: 'https://shop.example/a' })
    const eventId = await newEvent(sql, merchantId)
    const attempted = { attempts: 4, step: 2, next_attempt_at: secondsAgo(1) }
    const deliveryId = await newDelivery(sql, id, eventId, attempted)
    const leased = await onlyOne({ owner: 'one', leaseMs: 10_000 })
    expect(leased).toMatchObject({
      ...{ endpointId: id, url: 'https://shop.example/a', secrets: ['secret'], isFailing: false },
      deliveries: [{ id: deliveryId, eventId, number: 5, step: 3 }],
    })
    expect(leased.leftMs).toBeWithin(9_000, 10_001)
    expect(await leaseOf(id)).toMatchObject({ owner: 'one' })
    expect(await idsOf({ owner: 'two' })).toEqual([])
    expect(await idsOf({ owner: 'one' })).toEqual([id])
  })

  test('is free once the lease of another process has ended', async () => {
    const [ended, running] = [await due(), await due()]
    await storeLease(sql, ended, 'gone', 0)
    await storeLease(sql, running, 'alive', 60_000)
    expect(await idsOf({ owner: 'one' })).toEqual([ended])
    expect(await leaseOf(ended)).toMatchObject({ owner: 'one' })
  })

  test('is none when it waits, is disabled, or has taken all', async () => {
    await deliver(await newEndpoint(sql, merchantId), -60)
    await due(1, SWITCHED_OFF)
    await deliver(await newEndpoint(sql, merchantId), 1, FAILED)
    const waiting = await newEndpoint(sql, merchantId)
    await deliver(waiting, 1, SUCCEEDED)
    await deliver(waiting, -60)
    const id = await due()
    expect(await idsOf()).toEqual([id])
  })

  test('is not taken by a process that has no room', async () => {
    await due()
    expect(await idsOf({ newcomers: 0 })).toEqual([])
    expect(await idsOf({ newcomers: -1 })).toEqual([])
    expect(await idsOf({ newcomers: 1 })).toHaveLength(1)
  })
})

describe('with less room than endpoints', () => {
  test('those that are failing come last', async () => {
    const failing = await due(100, FAILING)
    const [first, second] = [await due(1), await due(2)]
    expect(await idsOf({ newcomers: 2 })).toEqual([first, second].toSorted())
    expect(await idsOf({ newcomers: 3 })).toEqual([failing])
  })

  test('none is wasted on those that are disabled, or that another process has', async () => {
    await due(100, SWITCHED_OFF)
    await storeLease(sql, await due(100), 'alive')
    const failing = await due(1, FAILING)
    expect(await idsOf({ newcomers: 1 })).toEqual([failing])
  })

  test('only so many may be failing', async () => {
    const failing = [await due(2, FAILING), await due(3, FAILING), await due(1, FAILING)]
    const well = await due()
    const wanted = [failing[0], failing[1], well].filter((id) => id !== undefined)
    expect(await idsOf({ failingNewcomers: 2 })).toEqual(wanted.toSorted())
    expect(await idsOf({ owner: 'two', failingNewcomers: 0 })).toEqual([])
  })

  test('those come first that were not leased for the longest time', async () => {
    const [lately, early, never, waiting] = [await due(9), await due(8), await due(1), await due(2)]
    await storeLease(sql, lately, 'gone', -1_000)
    await storeLease(sql, early, 'gone', -2_000)
    const turns = []
    for (let i = 0; i < 4; i++) turns.push((await onlyOne({ newcomers: 1 })).endpointId)
    // Of those that never were, the one that has waited longest.
    expect(turns).toEqual([waiting, never, early, lately])
  })

  test('those that are failing take turns in the same order', async () => {
    const [lately, early] = [await due(9, FAILING), await due(8, FAILING)]
    await storeLease(sql, lately, 'gone', -1_000)
    await storeLease(sql, early, 'gone', -2_000)
    const { endpointId } = await onlyOne({ failingNewcomers: 1 })
    expect(endpointId).toBe(early)
  })
})

describe('an endpoint that is kept', () => {
  const keep = (endpointId: WebhookEndpointId, more = 5) => ({
    ...{ owner: 'one', newcomers: 0, kept: [{ endpointId, more }] },
  })

  test('has its lease renewed once half of it is over', async () => {
    const id = await due()
    await storeLease(sql, id, 'one', 4_900)
    expect((await onlyOne(keep(id))).leftMs).toBeWithin(9_000, 10_001)
    await storeLease(sql, id, 'one', 9_000)
    expect((await onlyOne(keep(id))).leftMs).toBeWithin(5_000, 9_001)
    expect((await leaseOf(id))?.left).toBeLessThan(9.1)
  })

  test('is lost to another process, and not before', async () => {
    const id = await due()
    await storeLease(sql, id, 'two', 9_000)
    expect(await idsOf(keep(id))).toEqual([])
    expect(await leaseOf(id)).toMatchObject({ owner: 'two' })
    await storeLease(sql, id, 'two', 0)
    expect(await idsOf(keep(id))).toEqual([id])
    await storeLease(sql, id, 'one', -1_000)
    expect(await idsOf(keep(id))).toEqual([id])
  })

  test('is lost when it is disabled or deleted', async () => {
    const [disabled, deleted] = [await due(), await due()]
    for (const id of [disabled, deleted]) await storeLease(sql, id, 'one', 1_000)
    await sql`update webhook_endpoint set ${sql(SWITCHED_OFF)} where id = ${disabled}`
    await sql`delete from webhook_endpoint where id = ${deleted}`
    const kept = [disabled, deleted].map((endpointId) => ({ endpointId, more: 5 }))
    expect(await idsOf({ owner: 'one', kept })).toEqual([])
    expect((await leaseOf(disabled))?.left).toBeLessThan(2)
    await storeLease(sql, disabled, 'one', 9_000)
    expect(await idsOf({ owner: 'one', kept })).toEqual([])
  })

  test('stays with its process when nothing is due to it', async () => {
    const id = await newEndpoint(sql, merchantId)
    expect((await onlyOne(keep(id))).deliveries).toEqual([])
  })

  test('is renewed whether or not others need it, and leaves room to newcomers', async () => {
    const [fresh, old, newcomer] = [await due(), await due(), await due()]
    await storeLease(sql, fresh, 'one', 9_000)
    await storeLease(sql, old, 'one', 1_000)
    const kept = [fresh, old].map((endpointId) => ({ endpointId, more: 5 }))
    expect(await idsOf({ owner: 'one', kept })).toEqual([fresh, old, newcomer].toSorted())
    expect((await leaseOf(old))?.left).toBeGreaterThan(8)
  })

  test('is no newcomer as well', async () => {
    const id = await due()
    const leased = await onlyOne({ ...keep(id, 0), newcomers: 5, firstDeliveries: 5 })
    expect(leased.deliveries).toEqual([])
  })
})

describe('notifiers at work', () => {
  test('have shares with no endpoint in common, and leave none out', async () => {
    expect(await takeShare(sql, 'b', 60_000)).toMatchObject({ place: 0, of: 1 })
    expect(await takeShare(sql, 'a', 60_000)).toMatchObject({ place: 0, of: 2 })
    expect(await takeShare(sql, 'b', 60_000)).toMatchObject({ place: 1, of: 2 })
    const ids = await Promise.all(Array.from({ length: 20 }, () => due()))
    const own = async (share: Share) => {
      const leased = await lease({ share, newcomers: 20 })
      await sql`delete from webhook_lease`
      return leased.filter(({ isOwn }) => isOwn).map(({ endpointId }) => endpointId)
    }
    const [ofA, ofB] = [await own({ place: 0, of: 2 }), await own({ place: 1, of: 2 })]
    expect([...ofA, ...ofB].toSorted()).toEqual(ids.toSorted())
  })

  test('learn with their share whether there is anything to do', async () => {
    for (const table of ['webhook_delivery', 'outbox', 'sample_event', 'delivery_tally_change']) {
      await sql`delete from ${sql(table)}`
    }
    expect(await takeShare(sql, 'a', 60_000)).toMatchObject({ hasWork: false })
    expect(await hasNotifierWork(sql)).toBe(false)
    await due()
    expect(await takeShare(sql, 'a', 60_000)).toMatchObject({ hasWork: true })
    expect(await hasNotifierWork(sql)).toBe(true)
  })

  test('count as long as they say so, and no longer', async () => {
    await takeShare(sql, 'a', 60_000)
    await takeShare(sql, 'b', 60_000)
    await sql`update notifier set until = now() where owner = 'a'`
    expect(await takeShare(sql, 'b', 60_000)).toMatchObject({ place: 0, of: 1 })
    await takeShare(sql, 'a', 60_000)
    await leaveShare(sql, 'a')
    expect(await takeShare(sql, 'b', 60_000)).toMatchObject({ place: 0, of: 1 })
  })
})

describe('an endpoint of another process’s share', () => {
  async function sharesOf(id: WebhookEndpointId): Promise<{ own: Share; other: Share }> {
    const [row] = await sql<{ place: number }[]>`
      select mod(abs(hashtext(${id}::text)::bigint), 2)::integer as place`
    const place = row?.place ?? 0
    return { own: { place, of: 2 }, other: { place: 1 - place, of: 2 } }
  }

  test('is left to it when someone has just given it up, and is taken when no one wants it', async () => {
    const id = await due()
    const { own, other } = await sharesOf(id)
    await storeLease(sql, id, 'one', 0)
    expect(await idsOf({ owner: 'one', share: other })).toEqual([])
    expect(await onlyOne({ owner: 'two', share: own })).toMatchObject({ isOwn: true })
    await storeLease(sql, id, 'two', -600)
    expect(await onlyOne({ owner: 'one', share: other })).toMatchObject({ isOwn: false })
  })

  test('is taken at once when no one had it before', async () => {
    const id = await due()
    const { other } = await sharesOf(id)
    expect(await onlyOne({ share: other })).toMatchObject({ endpointId: id, isOwn: false })
  })

  test('stays with who has it until that gives it back', async () => {
    const [id, kept] = [await due(), await due()]
    const { own, other } = await sharesOf(id)
    await storeLease(sql, id, 'one', 9_000)
    await storeLease(sql, kept, 'one', 9_000)
    expect(await idsOf({ owner: 'two', share: own })).toEqual([])
    expect(await idsOf({ owner: 'one', share: other })).toEqual([id, kept].toSorted())
    await releaseEndpoints(sql, 'two', [id])
    expect(await idsOf({ owner: 'two', share: own })).toEqual([])
    await releaseEndpoints(sql, 'one', [id])
    expect(await idsOf({ owner: 'two', share: own })).toEqual([id])
    expect(await leaseOf(kept)).toMatchObject({ owner: 'one' })
  })

  test('comes after its own where there is less room', async () => {
    const own = await due(1)
    const { own: share } = await sharesOf(own)
    const placeOf = async (id: WebhookEndpointId) => (await sharesOf(id)).own.place
    for (let id = await due(100); (await placeOf(id)) === share.place; id = await due(100)) {
      await sql`delete from webhook_delivery where endpoint_id = ${id}`
    }
    expect((await onlyOne({ share, newcomers: 1 })).endpointId).toBe(own)
  })
})

describe('the deliveries of an endpoint', () => {
  test('come in the order in which they are due, and then of their events', async () => {
    const id = await newEndpoint(sql, merchantId)
    const at = secondsAgo(5)
    const [before, after] = [await newEvent(sql, merchantId), await newEvent(sql, merchantId)]
    const second = await newDelivery(sql, id, after, { next_attempt_at: at })
    const first = await newDelivery(sql, id, before, { next_attempt_at: at })
    const late = await deliver(id, 1)
    const early = await deliver(id, 9)
    const { deliveries } = await onlyOne()
    expect(deliveries.map((delivery) => delivery.id)).toEqual([early, first, second, late])
  })

  test('are no more than there is room for, the longest overdue first', async () => {
    const id = await newEndpoint(sql, merchantId)
    const [late, early, middle] = [await deliver(id, 1), await deliver(id, 9), await deliver(id, 5)]
    const { deliveries } = await onlyOne({ owner: 'one', firstDeliveries: 2 })
    expect(deliveries.map((delivery) => delivery.id)).toEqual([early, middle])
    const kept = [{ endpointId: id, more: 5 }]
    const more = await onlyOne({ owner: 'one', kept, heldIds: [early, middle] })
    expect(more.deliveries.map((delivery) => delivery.id)).toEqual([late])
  })

  test('are those that are due now, and its own', async () => {
    const id = await newEndpoint(sql, merchantId)
    const other = await due()
    await deliver(id, -60)
    await deliver(id, 1, SUCCEEDED)
    const now = await deliver(id, 1)
    const leased = await lease()
    expect(leased.find(({ endpointId }) => endpointId === id)?.deliveries).toMatchObject([
      { id: now },
    ])
    expect(leased.find(({ endpointId }) => endpointId === other)?.deliveries).toHaveLength(1)
  })

  test('are signed by the secret before for as long as that is worth something', async () => {
    const previous = (seconds: number) => ({
      ...{ previous_secret: 'before', previous_until: secondsAgo(-seconds) },
    })
    const [both, one] = [await due(1, previous(60)), await due(1, previous(-1))]
    const leased = await lease()
    const secretsOf = (id: string) => leased.find(({ endpointId }) => endpointId === id)?.secrets
    expect(secretsOf(both)).toEqual(['secret', 'before'])
    expect(secretsOf(one)).toEqual(['secret'])
  })
})

test('an endpoint is known to be failing', async () => {
  await due(1, FAILING)
  expect((await onlyOne()).isFailing).toBe(true)
})

test('a process gives back its own leases', async () => {
  const [ours, other] = [await due(), await due()]
  await storeLease(sql, ours, 'one')
  await storeLease(sql, other, 'two')
  await releaseEndpointLeases(sql, 'one')
  expect(await leaseOf(ours)).toBeNull()
  expect(await leaseOf(other)).not.toBeNull()
})
