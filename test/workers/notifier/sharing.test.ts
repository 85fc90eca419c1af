import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { deleteOldEvents } from '../../../store/webhookFanOut.ts'
import { leaseDeliveries } from '../../../store/webhookLeases.ts'
import {
  openWebhookRig,
  type Receiver,
  startReceiver,
  type WebhookRig,
} from '../../support/webhooks.ts'

/** How notifiers share the work, and endpoints the notifiers. */

let rig: WebhookRig
let receiver: Receiver
const rigs: WebhookRig[] = []

beforeEach(async () => {
  rig = await openWebhookRig()
  rigs.push(rig)
  receiver = startReceiver()
})
afterEach(() => receiver.stop())
afterAll(async () => {
  for (const { close } of rigs) await close()
})

async function eventsOf(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) ids.push(await rig.event())
  return ids
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
    ).toMatchObject([{ failing_since: null }])
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
    const leased = await leaseDeliveries(rig.database, {
      owner: 'me',
      leaseMs: 1_000,
      room: 4,
      failingRoom: 2,
    })
    const ids = leased.map(({ endpointId }) => endpointId)
    expect(ids.filter((id) => id === well.id).length).toBeGreaterThanOrEqual(2)
  })
})

test('endpoints take turns when there is not room for all', async () => {
  for (let i = 0; i < 3; i += 1) await rig.endpoint(`${receiver.url}/${i}`)
  await eventsOf(5)
  await rig.notifier({ room: 0 }).turn()
  const leased = await leaseDeliveries(rig.database, {
    owner: 'me',
    leaseMs: 1_000,
    room: 3,
    failingRoom: 3,
  })
  expect(new Set(leased.map(({ endpointId }) => endpointId)).size).toBe(3)
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
