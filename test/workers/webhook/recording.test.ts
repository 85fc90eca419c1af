import { describe, expect, test } from 'bun:test'
import { changeWebhookEndpoint, deleteWebhookEndpoint } from '../../../store/webhook/endpoints.ts'
import { forEachTest, type Receiver, type WebhookRig } from '../../support/webhooks.ts'

/** What has come of deliveries is recorded, regardless of what else happens to their endpoints and events. */

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

/** Returns when a session waits for another one's lock. */
async function someoneWaits(): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const waiting = await rig.database`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length > 0) return
    await Bun.sleep(10)
  }
  throw new Error('nobody waits for a lock')
}

describe('an endpoint that its merchant changes', () => {
  test.each(['disables', 'deletes'])(
    'or %s while failures are recorded waits for nobody who waits for it',
    async (change) => {
      const { endpoint } = await rig.endpoint(receiver.url)
      receiver.answer = () => new Response('', { status: 500 })
      await rig.event()
      const notifier = rig.notifier()
      await rig.until([notifier], () => receiver.received.length === 1 && notifier.underWay === 0)
      // The notifier waits for the delivery, and the merchant comes while it does.
      const release = Promise.withResolvers<void>()
      const locked = Promise.withResolvers<void>()
      const holding = rig.database.begin(async (sql) => {
        await sql`select from webhook_delivery for update`
        locked.resolve()
        await release.promise
      })
      await locked.promise
      const turning = notifier.turn()
      await someoneWaits()
      const { database, merchantId } = rig
      const changing =
        change === 'disables'
          ? changeWebhookEndpoint(database, merchantId, endpoint.id, { active: false }, new Date())
          : deleteWebhookEndpoint(database, merchantId, endpoint.id)
      await Bun.sleep(50)
      release.resolve()
      await Promise.all([holding, turning, changing])
      const ends = change === 'disables' ? [{ state: 'failed', attempts: 1 }] : []
      expect(await rig.deliveries()).toMatchObject(ends)
    },
  )

  test('delays no other, and what came of its own deliveries is recorded afterwards', async () => {
    const { endpoint } = await rig.endpoint(`${receiver.url}/changing`)
    await rig.endpoint(`${receiver.url}/other`)
    await rig.event()
    const notifier = rig.notifier()
    await notifier.turn()
    await rig.database.begin(async (sql) => {
      await sql`select from webhook_endpoint where id = ${endpoint.id} for no key update`
      await rig.until([notifier], async () => (await rig.attempts()).length === 1)
      await notifier.turn()
      expect(await rig.attempts()).toHaveLength(1)
    })
    await rig.until([notifier], async () => (await rig.attempts()).length === 2)
    expect(receiver.received).toHaveLength(2)
  })
})

test('a delivery whose event is no longer kept is deleted, and the others are sent', async () => {
  const { endpoint } = await rig.endpoint(receiver.url)
  await rig.database`insert into webhook_delivery (endpoint_id, event_id, event_type)
    select ${endpoint.id}, gen_random_uuid(), 'invoice.paid' from generate_series(1, 8)`
  await rig.event()
  await rig.until(
    [rig.notifier()],
    async () => (await rig.attempts()).length === 1 && (await rig.deliveries()).length === 1,
  )
})

test('deliveries that could not be attempted are sent once they can be', async () => {
  const { endpoint } = await rig.endpoint(receiver.url)
  const [sealed] = await rig.database`select secret from webhook_endpoint where id = ${endpoint.id}`
  await rig.database`update webhook_endpoint set secret = 'whsec_?' where id = ${endpoint.id}`
  for (let i = 0; i < 6; i += 1) await rig.event()
  const notifier = rig.notifier({ leaseMs: 200 })
  for (let i = 0; i < 3; i += 1) await notifier.turn()
  await rig.database`update webhook_endpoint set secret = ${sealed?.secret} where id = ${endpoint.id}`
  await rig.until([notifier], async () => (await rig.attempts()).length === 6)
  expect(receiver.received).toHaveLength(6)
})

test('what an endpoint answered goes as well when the delivery ended after others were looked at', async () => {
  await rig.endpoint(receiver.url)
  await rig.event()
  receiver.answer = () => new Response('not now', { status: 500 })
  const notifier = rig.notifier({ answersDays: 0, passMs: 0 })
  await rig.until([notifier], async () => (await rig.attempts()).length === 1)
  await notifier.turn()
  expect(await rig.attempts()).toMatchObject([{ answer: 'not now' }])
  receiver.answer = () => new Response('thank you')
  await rig.database`update webhook_delivery set next_attempt_at = now()`
  await rig.until([notifier], async () => (await rig.attempts()).length === 2)
  for (let turn = 0; turn < 4; turn += 1) await notifier.turn()
  expect(await rig.attempts()).toMatchObject([{ answer: null }, { answer: null }])
})
