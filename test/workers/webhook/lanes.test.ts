import { describe, expect, test } from 'bun:test'
import { asDeliveryId, asEventId, asWebhookEndpointId } from '../../../core/base/ids.ts'
import type { MerchantEvent } from '../../../core/events/event.ts'
import type { LeasedEndpoint } from '../../../store/webhook/leases.ts'
import { createLanes, type Lanes } from '../../../workers/webhook/lanes.ts'
import { nameOf, uuidOf } from '../../support/ids.ts'

/** What is sent next, out of what one process has leased. */

const endpoint = (name: string) => asWebhookEndpointId(uuidOf(name))
const delivery = (name: string) => asDeliveryId(uuidOf(name))

const EVENT: MerchantEvent = {
  id: asEventId(uuidOf('e')),
  type: 'test',
  createdAt: new Date(0),
  dataJson: '{}',
}
const EVENTS = new Map([[EVENT.id, EVENT]])

/** An endpoint with deliveries `<name>1`, `<name>2` and so on. */
function leased(name: string, count: number, more: Partial<LeasedEndpoint> = {}): LeasedEndpoint {
  const deliveries = Array.from({ length: count }, (_, i) => ({
    id: delivery(`${name}${i + 1}`),
    eventId: EVENT.id,
    number: 1,
    step: 1,
  }))
  const facts = { url: '', secrets: [], isFailing: false, isOwn: true, leftMs: 60_000 }
  return { endpointId: endpoint(name), ...facts, deliveries, ...more }
}

function update(lanes: Lanes, ...endpoints: LeasedEndpoint[]): void {
  lanes.update(endpoints, performance.now(), EVENTS)
}

/** The names of all that may be sent now. */
function depart(lanes: Lanes): string[] {
  const names: string[] = []
  for (let next = lanes.next(); next !== null; next = lanes.next())
    names.push(nameOf(next.delivery.id))
  return names
}

describe('lanes', () => {
  test('take turns', () => {
    const lanes = createLanes(4)
    update(lanes, leased('a', 5), leased('b', 1), leased('c', 5))
    expect(depart(lanes)).toEqual(['a1', 'b1', 'c1', 'a2'])
    lanes.finished(endpoint('a'), true)
    expect(depart(lanes)).toEqual(['c2'])
  })

  test('have five under way at most, and send on when one has arrived', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 8))
    expect(depart(lanes)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    lanes.finished(endpoint('a'), false)
    expect(depart(lanes)).toEqual(['a6'])
    expect(lanes.underWay).toBe(5)
  })

  test('of endpoints that are failing come last, and have half of the room', () => {
    const lanes = createLanes(6)
    update(lanes, leased('a', 5, { isFailing: true }), leased('b', 2))
    expect(depart(lanes)).toEqual(['b1', 'b2', 'a1', 'a2', 'a3'])
    expect(lanes.leaseRequest()).toMatchObject({ newcomers: 4, failingNewcomers: 2 })
    lanes.finished(endpoint('a'), false)
    expect(depart(lanes)).toEqual(['a4'])
  })

  test('ask for more the more an endpoint takes, and begin again after a failure', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 5))
    const settle = (ids: string[], hasSucceeded: boolean) => {
      for (const id of ids) {
        lanes.finished(endpoint('a'), hasSucceeded)
        lanes.forget(endpoint('a'), delivery(id))
      }
    }
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 0 }])
    settle(depart(lanes), true)
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 10 }])
    update(lanes, leased('a', 10))
    settle(depart(lanes), false)
    settle(depart(lanes), false)
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 5 }])
  })

  test('hold what is under way or to be recorded, so that it is not asked for again', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 2))
    depart(lanes)
    lanes.finished(endpoint('a'), true)
    expect(lanes.leaseRequest().heldIds.map(nameOf)).toEqual(['a1', 'a2'])
    lanes.forget(endpoint('a'), delivery('a1'))
    expect(lanes.leaseRequest().heldIds.map(nameOf)).toEqual(['a2'])
  })

  test('share what is held when there are many of them', () => {
    const lanes = createLanes(1_000)
    const many = Array.from({ length: 500 }, (_, i) => leased(`${i}-`, 1))
    update(lanes, ...many)
    for (const { endpointId } of many) {
      lanes.next()
      for (let i = 0; i < 50; i += 1) {
        lanes.finished(endpointId, true)
        lanes.next()
      }
    }
    const wanted = lanes.leaseRequest().kept.reduce((sum, { more }) => sum + more, 0)
    expect(wanted).toBeLessThanOrEqual(2_560)
  })

  test('make way once they have had a turn, when there are as many as there is room for', () => {
    const lanes = createLanes(2)
    update(lanes, leased('a', 5), leased('b', 5))
    expect(depart(lanes)).toEqual(['a1', 'b1'])
    expect(lanes.leaseRequest()).toMatchObject({ newcomers: 0, kept: [{ more: 0 }, { more: 0 }] })
    update(lanes, leased('a', 0), leased('b', 0))
    lanes.finished(endpoint('a'), true)
    lanes.forget(endpoint('a'), delivery('a1'))
    expect(depart(lanes)).toEqual([])
    update(lanes, leased('a', 0), leased('b', 0))
    expect(lanes.leaseRequest()).toMatchObject({
      newcomers: 1,
      kept: [{ endpointId: endpoint('b') }],
    })
  })

  test('of another process’s share make way once they have had a turn, and are given back at their end', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 7, { isOwn: false }), leased('b', 1))
    expect(depart(lanes)).toHaveLength(6)
    expect(lanes.leaseRequest().kept).toContainEqual({ endpointId: endpoint('a'), more: 0 })
    update(lanes, leased('a', 0, { isOwn: false }), leased('b', 0))
    for (let i = 1; i <= 5; i += 1) {
      expect(lanes.release()).toEqual([])
      lanes.finished(endpoint('a'), true)
      lanes.forget(endpoint('a'), delivery(`a${i}`))
    }
    lanes.finished(endpoint('b'), true)
    lanes.forget(endpoint('b'), delivery('b1'))
    expect(depart(lanes)).toEqual([])
    expect(lanes.release()).toEqual([endpoint('a')])
    expect(lanes.leaseRequest().kept.map(({ endpointId }) => endpointId)).toEqual([endpoint('b')])
  })

  test('keep what waits after they have had a turn, as long as there is room for others', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 7))
    expect(depart(lanes)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    update(lanes, leased('a', 0))
    lanes.finished(endpoint('a'), true)
    expect(depart(lanes)).toEqual(['a6'])
  })

  test('do not make way before they have had a turn', () => {
    const lanes = createLanes(2)
    update(lanes, leased('a', 1), leased('b', 1))
    expect(lanes.next()?.delivery.id).toBe(delivery('a1'))
    update(lanes, leased('a', 0), leased('b', 0))
    expect(depart(lanes)).toEqual(['b1'])
  })

  test('ask for more once they hold no more than half of what they may', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 3))
    expect(lanes.leaseRequest()).toMatchObject({ kept: [{ more: 0 }], heldIds: [] })
    lanes.forget(endpoint('a'), delivery('a3'))
    expect(lanes.leaseRequest()).toMatchObject({ kept: [{ more: 3 }] })
  })

  test('ask for nothing when they must make way, however little they hold', () => {
    const lanes = createLanes(2)
    update(lanes, leased('a', 1))
    expect(lanes.leaseRequest()).toMatchObject({ kept: [{ more: 4 }], newcomers: 1 })
    update(lanes, leased('a', 0), leased('b', 1))
    const request = lanes.leaseRequest()
    expect(request).toMatchObject({ kept: [{ more: 0 }, { more: 0 }], newcomers: 0, heldIds: [] })
  })

  test('make no way for endpoints that are failing unless they are, too', () => {
    const lanes = createLanes(4)
    const facts = { isFailing: true }
    update(lanes, leased('a', 1, facts), leased('b', 1, facts), leased('c', 5))
    expect(depart(lanes)).toEqual(['c1', 'c2', 'c3', 'c4'])
    update(lanes, leased('a', 0, facts), leased('b', 0, facts), leased('c', 0))
    lanes.finished(endpoint('c'), true)
    expect(depart(lanes)).toEqual(['c5'])
  })

  test('that begin to fail have what is under way counted, and given back when it ends', () => {
    const lanes = createLanes(8)
    update(lanes, leased('a', 7))
    depart(lanes)
    update(lanes, leased('a', 0, { isFailing: true }), leased('b', 1, { isFailing: true }))
    // Five are under way, one more than failing endpoints may have.
    expect(depart(lanes)).toEqual([])
    lanes.finished(endpoint('a'), false)
    expect(depart(lanes)).toEqual([])
    lanes.finished(endpoint('a'), false)
    expect(depart(lanes)).toEqual(['b1'])
  })

  test('go by the latest lease: its end, and the endpoint as it was then', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 1, { leftMs: -1 }))
    update(lanes, leased('a', 0, { url: 'https://new.example' }))
    const next = lanes.next()
    expect(next?.delivery.id).toBe(delivery('a1'))
    expect(next?.endpoint.url).toBe('https://new.example')
  })

  test('of endpoints that are failing make way for others that are', () => {
    const lanes = createLanes(4)
    const facts = { isFailing: true }
    update(lanes, leased('a', 5, facts), leased('b', 5, facts), leased('c', 2))
    expect(depart(lanes)).toEqual(['c1', 'c2', 'a1', 'b1'])
    update(lanes, leased('a', 0, facts), leased('b', 0, facts), leased('c', 0))
    lanes.finished(endpoint('a'), false)
    lanes.forget(endpoint('a'), delivery('a1'))
    expect(depart(lanes)).toEqual([])
    update(lanes, leased('b', 0, facts), leased('c', 0))
    expect(lanes.leaseRequest()).toMatchObject({ newcomers: 2, failingNewcomers: 1 })
  })

  test('hold few events that are large', () => {
    const lanes = createLanes(100)
    const large = { ...EVENT, dataJson: 'x'.repeat(100_000) }
    lanes.update([leased('a', 5)], performance.now(), new Map([[large.id, large]]))
    for (let i = 0; i < 10; i += 1) {
      lanes.next()
      lanes.finished(endpoint('a'), true)
    }
    for (let i = 1; i <= 5; i += 1) lanes.forget(endpoint('a'), delivery(`a${i}`))
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 10 }])
  })

  test('go by the largest of the events that came last', () => {
    const lanes = createLanes(100)
    const large = { ...EVENT, dataJson: 'x'.repeat(300_000) }
    const small = { ...EVENT, id: asEventId(uuidOf('small')) }
    const lease = leased('a', 5)
    const deliveries = lease.deliveries.map((one, i) =>
      i === 4 ? { ...one, eventId: small.id } : one,
    )
    const events = new Map([large, small].map((event) => [event.id, event]))
    lanes.update([{ ...lease, deliveries }], performance.now(), events)
    depart(lanes)
    for (let i = 1; i <= 5; i += 1) lanes.finished(endpoint('a'), true)
    for (let i = 1; i <= 4; i += 1) lanes.forget(endpoint('a'), delivery(`a${i}`))
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 4 }])
    update(lanes, leased('a', 0))
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 4 }])
    update(lanes, leased('a', 1))
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 8 }])
  })

  test('hold a hundred deliveries of one endpoint at most', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 1))
    for (let i = 0; i < 200; i += 1) {
      lanes.next()
      lanes.finished(endpoint('a'), true)
    }
    expect(lanes.leaseRequest().kept).toEqual([{ endpointId: endpoint('a'), more: 99 }])
  })

  test('give up what waits for an endpoint that is no longer leased', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 7), leased('b', 1))
    expect(lanes.next()?.delivery.id).toBe(delivery('a1'))
    update(lanes, leased('b', 0))
    expect(depart(lanes)).toEqual(['b1'])
    // What is under way is still held.
    expect(lanes.leaseRequest().heldIds.map(nameOf)).toEqual(['a1', 'b1'])
    lanes.finished(endpoint('a'), true)
    lanes.forget(endpoint('a'), delivery('a1'))
    update(lanes, leased('b', 0))
    expect(lanes.leaseRequest().kept.map(({ endpointId }) => nameOf(endpointId))).toEqual(['b'])
  })

  test('send nothing once the lease has run out', () => {
    const lanes = createLanes(100)
    update(lanes, leased('a', 7, { leftMs: -1 }))
    expect(depart(lanes)).toEqual([])
    expect(lanes.underWay).toBe(0)
    expect(lanes.leaseRequest().heldIds).toEqual([])
  })

  test('have nothing that ends without having begun', () => {
    expect(() => createLanes(1).finished(endpoint('a'), true)).toThrow('has no lane')
  })
})
