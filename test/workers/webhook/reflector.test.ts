import { expect, test } from 'bun:test'
import { forEachTest, type Receiver, type WebhookRig } from '../../support/webhooks.ts'

/** Webhooks turned on someone who did not ask for them, and a merchant who did. */

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

test('a server that never says 2xx gets one webhook, from all processes and whatever is asked for', async () => {
  receiver.answer = () => new Response('who are you?', { status: 404 })
  await rig.endpoint(receiver.url, undefined, true)
  const notifiers = [rig.notifier(), rig.notifier()]
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 20; i += 1) await rig.event()
    for (const notifier of notifiers) await notifier.turn()
    // As if the schedule had come to the next attempt of each.
    await rig.database`update webhook_delivery set next_attempt_at = now()`
    await Bun.sleep(20)
  }
  expect(receiver.received).toHaveLength(1)
  for (const notifier of notifiers) await notifier.stop()
  const successor = rig.notifier()
  for (let i = 0; i < 5; i += 1) await successor.turn()
  expect(receiver.received).toHaveLength(1)
  expect(await rig.deliveries()).toHaveLength(200)
})

test('a server that answers the first webhook gets all others right after it, and none is lost', async () => {
  const { endpoint } = await rig.endpoint(receiver.url, undefined, true)
  const ids = []
  for (let i = 0; i < 30; i += 1) ids.push(await rig.event())
  const notifier = rig.notifier()
  const started = performance.now()
  await rig.until([notifier], () => receiver.received.length === 30)
  expect(performance.now() - started).toBeLessThan(20_000)
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(ids))
  const [row] = await rig.database`
    select proven_at is not null as is_proven from webhook_endpoint where id = ${endpoint.id}`
  expect(row).toEqual({ isProven: true })
})

test('a minute after a webhook that failed the next one is sent, and proves the URL', async () => {
  receiver.answer = () => new Response(null, { status: 503 })
  await rig.endpoint(receiver.url, undefined, true)
  for (let i = 0; i < 3; i += 1) await rig.event()
  const notifier = rig.notifier()
  await rig.until([notifier], () => receiver.received.length === 1)
  receiver.answer = () => new Response(null, { status: 204 })
  for (let i = 0; i < 5; i += 1) await notifier.turn()
  expect(receiver.received).toHaveLength(1)
  await rig.database`update webhook_lease set next_probe_at = now()`
  await rig.until([notifier], () => receiver.received.length >= 3)
})
