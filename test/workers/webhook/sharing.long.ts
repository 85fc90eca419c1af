import { describe, expect, test } from 'bun:test'
import type { WebhookEndpointId } from '../../../core/base/ids.ts'
import { changeWebhookEndpoint, deleteWebhookEndpoint } from '../../../store/webhook/endpoints.ts'
import { deleteOldEvents } from '../../../store/webhook/fanOut.ts'
import { leaseEndpoints, releaseEndpointLeases } from '../../../store/webhook/leases.ts'
import {
  forEachTest,
  type Receiver,
  startReceiver,
  type WebhookRig,
} from '../../support/webhooks.ts'

/** How notifiers share the work, and endpoints the notifiers. */

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

const request = {
  owner: 'me',
  leaseMs: 1_000,
  share: { place: 0, of: 1 },
  kept: [],
  heldIds: [],
  newcomers: 10,
  failingNewcomers: 10,
  firstDeliveries: 5,
}

async function eventsOf(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) ids.push(await rig.event())
  return ids
}

async function disable(endpointId: WebhookEndpointId): Promise<void> {
  const change = { active: false }
  await changeWebhookEndpoint(rig.database, rig.merchantId, endpointId, change, new Date())
}

describe('notifiers', () => {
  test('that run side by side send every event once, and never more than five at once', async () => {
    await rig.endpoint(receiver.url)
    receiver.answer = async () => {
      await Bun.sleep(20)
      return new Response()
    }
    const ids = await eventsOf(40)
    const three = [rig.notifier(), rig.notifier(), rig.notifier()]
    const turnAlone = three.map(async (notifier) => {
      await rig.until(
        [notifier],
        async () =>
          (await rig.deliveries()).filter(({ state }) => state === 'succeeded').length === 40,
      )
    })
    await Promise.all(turnAlone)
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(receiver.most).toBeGreaterThan(1)
    expect(receiver.most).toBeLessThanOrEqual(5)
  })

  test('take over what one that died was sending, under the same webhook-id', async () => {
    await rig.endpoint(receiver.url)
    const [id] = await eventsOf(1)
    let hasDied = false
    receiver.answer = () => {
      if (hasDied) return new Response()
      hasDied = true
      return new Promise(() => {})
    }
    const dying = rig.notifier({ leaseMs: 300, sender: { limitMs: 60_000 } })
    await rig.until([dying], () => hasDied)
    // From here on the first one turns no more.
    await rig.until(
      [rig.notifier()],
      async () => (await rig.deliveries())[0]?.state === 'succeeded',
    )
    expect(receiver.received.map((received) => received.id)).toEqual([id ?? '', id ?? ''])
  })

  test('that come later take their share of what one had, and that of one that dies goes to the others', async () => {
    const underWay = new Map<string, number>()
    let most = 0
    receiver.answer = async ({ path }) => {
      const now = (underWay.get(path) ?? 0) + 1
      underWay.set(path, now)
      most = Math.max(most, now)
      await Bun.sleep(150)
      underWay.set(path, (underWay.get(path) ?? 0) - 1)
      return new Response()
    }
    for (let i = 0; i < 12; i += 1) await rig.endpoint(`${receiver.url}/${i}`)
    await eventsOf(100)
    const [one, two] = [rig.notifier({ owner: 'a' }), rig.notifier({ owner: 'b', leaseMs: 1_000 })]
    await rig.until([one], () => receiver.received.length > 60)
    const elsewhere = () => rig.database`
      select e.id from webhook_endpoint e left join webhook_lease l
        on l.endpoint_id = e.id and l.until > now()
      where l.owner is distinct from
        (array['a', 'b'])[mod(abs(hashtext(e.id::text)::bigint), 2) + 1]`
    await rig.until([one, two], async () => (await elsewhere()).length === 0)
    expect(receiver.received.length).toBeLessThan(1_000)
    // From here on the second one turns no more.
    await rig.until([one], async () =>
      (await rig.deliveries()).every(({ state }) => state === 'succeeded'),
    )
    expect(new Set(receiver.received.map(({ id, path }) => id + path)).size).toBe(1_200)
    expect(most).toBe(5)
  }, 60_000)

  test('that lost a lease record nothing of what they did with it', async () => {
    const { endpoint } = await rig.endpoint(receiver.url)
    await eventsOf(1)
    let release: (response: Response) => void = () => {}
    receiver.answer = () => new Promise((resolve) => (release = resolve))
    const slow = rig.notifier({ sender: { limitMs: 60_000 } })
    await rig.until([slow], () => receiver.received.length === 1)
    await rig.database`update webhook_lease set owner = 'somebody else'`
    release(new Response('late', { status: 500 }))
    await rig.until([slow], () => slow.underWay === 0)
    await slow.turn()
    expect(await rig.attempts()).toEqual([])
    expect(
      await rig.database`select failing_since from webhook_endpoint where id = ${endpoint.id}`,
    ).toMatchObject([{ failingSince: null }])
  })

  test('that stop give back what they can not finish', async () => {
    await rig.endpoint(receiver.url)
    await eventsOf(1)
    receiver.answer = () => new Promise(() => {})
    const stopping = rig.notifier({ sender: { limitMs: 60_000 } })
    await rig.until([stopping], () => receiver.received.length === 1)
    await stopping.stop()
    receiver.answer = () => new Response()
    await rig.until(
      [rig.notifier()],
      async () => (await rig.deliveries())[0]?.state === 'succeeded',
    )
  })
})

describe('an endpoint that hangs', () => {
  test('delays no other, however much waits for it', async () => {
    const hung = startReceiver()
    hung.answer = () => new Promise(() => {})
    for (let i = 0; i < 4; i += 1) await rig.endpoint(`${hung.url}/${i}`)
    await rig.endpoint(receiver.url)
    await eventsOf(50)
    const notifier = rig.notifier({ sender: { limitMs: 60_000 } })
    await rig.until([notifier], () => receiver.received.length === 50)
    expect(hung.most).toBe(20)
    await hung.stop()
  })

  test('takes no more than half of the room once it is known to fail', async () => {
    const { endpoint: failing } = await rig.endpoint(`${receiver.url}/failing`)
    const { endpoint: well } = await rig.endpoint(`${receiver.url}/well`)
    await rig.database`update webhook_endpoint set failing_since = now() where id = ${failing.id}`
    await eventsOf(5)
    await rig.notifier({ room: 0 }).turn()
    const leased = await leaseEndpoints(rig.database, {
      ...request,
      newcomers: 2,
      failingNewcomers: 1,
    })
    expect(leased.map(({ endpointId }) => endpointId).sort()).toEqual([failing.id, well.id].sort())
    await releaseEndpointLeases(rig.database, 'me')
    const [one] = await leaseEndpoints(rig.database, { ...request, newcomers: 1 })
    expect(one?.endpointId).toBe(well.id)
    await releaseEndpointLeases(rig.database, 'me')
    const none = await leaseEndpoints(rig.database, { ...request, failingNewcomers: 0 })
    expect(none.map(({ endpointId }) => endpointId)).toEqual([well.id])
  })
})

describe('an endpoint that its merchant disables', () => {
  test('is sent nothing more, and what was under way is recorded', async () => {
    const { endpoint } = await rig.endpoint(receiver.url)
    const answers: ((response: Response) => void)[] = []
    receiver.answer = () => new Promise((resolve) => answers.push(resolve))
    await eventsOf(8)
    const notifier = rig.notifier({ sender: { limitMs: 60_000 } })
    await rig.until([notifier], () => answers.length === 5)
    await disable(endpoint.id)
    await notifier.turn()
    for (const [i, answer] of answers.entries()) {
      answer(new Response('', { status: i === 0 ? 500 : 200 }))
    }
    await rig.until([notifier], async () => (await rig.attempts()).length === 5)
    expect(receiver.received).toHaveLength(5)
    const ends = (await rig.deliveries()).map(({ state, lastError: error }) => ({ state, error }))
    expect(ends.filter(({ state }) => state === 'succeeded')).toHaveLength(4)
    expect(ends.filter(({ error }) => error === 'http_500')).toHaveLength(1)
    expect(ends.filter(({ error }) => error === 'endpoint_disabled')).toHaveLength(3)
    expect(ends.filter(({ state }) => state === 'pending')).toEqual([])
  })

  test('or deletes takes its deliveries with it', async () => {
    const { endpoint } = await rig.endpoint(receiver.url)
    await eventsOf(2)
    await rig.until([rig.notifier()], async () => (await rig.attempts()).length === 2)
    expect(await deleteWebhookEndpoint(rig.database, rig.merchantId, endpoint.id)).toBe(true)
    expect(await rig.deliveries()).toEqual([])
    expect(await rig.attempts()).toEqual([])
    expect(await deleteWebhookEndpoint(rig.database, rig.merchantId, endpoint.id)).toBe(false)
  })
})

test('events are deleted after thirty days, unless they are still to be sent', async () => {
  await rig.endpoint(receiver.url)
  await rig.event('invoice.created')
  const notifier = rig.notifier()
  await rig.until([notifier], async () => (await rig.deliveries())[0]?.state === 'succeeded')
  receiver.answer = () => new Response('', { status: 500 })
  await rig.event('invoice.paid')
  await rig.until([notifier], async () => (await rig.attempts()).length === 2)
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  expect(await deleteOldEvents(rig.database, later(29))).toBe(0)
  expect(await deleteOldEvents(rig.database, later(31))).toBe(1)
  expect(await rig.database`select type from outbox`).toMatchObject([{ type: 'invoice.paid' }])
  expect(await rig.attempts()).toHaveLength(1)
})
