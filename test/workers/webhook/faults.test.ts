import { expect, test } from 'bun:test'
import { asEventId, type EventId, type WebhookEndpointId } from '../../../core/base/ids.ts'
import type { EventType } from '../../../core/events/eventTypes.ts'
import { forEachTest, type Receiver, type WebhookRig } from '../../support/webhooks.ts'

/** One row that the database can't work on, of three, stops neither the others nor the notifier. */

let rig: WebhookRig
let receiver: Receiver
forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})

interface Refused {
  /** What is done with which rows. */
  readonly on: string
  readonly when: (ids: { eventId: EventId; endpointId: WebhookEndpointId }) => string
  /** How many webhooks arrive as long as it is refused. */
  readonly sent: number
}

test.each<[string, Refused]>([
  [
    'an event that can’t be made into a delivery',
    { on: 'insert on webhook_delivery', when: (of) => `new.event_id = '${of.eventId}'`, sent: 2 },
  ],
  [
    'an endpoint that can’t be leased',
    {
      ...{ on: 'insert or update on webhook_lease', sent: 2 },
      when: (of) => `new.endpoint_id = '${of.endpointId}'`,
    },
  ],
  [
    'a delivery that can’t be recorded',
    {
      ...{ on: 'update on webhook_delivery', sent: 3 },
      when: (of) => `new.endpoint_id = '${of.endpointId}' and new.attempts > 0`,
    },
  ],
])('%s', async (_name, { on, when, sent }) => {
  const types: readonly EventType[] = ['invoice.created', 'invoice.paid', 'invoice.expired']
  const made: { eventId: EventId; endpointId: WebhookEndpointId }[] = []
  for (const type of types) {
    const { endpoint } = await rig.endpoint(`${receiver.url}/${type}`, [type])
    made.push({ endpointId: endpoint.id, eventId: asEventId(await rig.event(type)) })
  }
  const [, second] = made
  if (second === undefined) throw new Error('there are not three')
  await rig.database.unsafe(`
    create function refuse() returns trigger language plpgsql as
      'begin raise exception ''refused''; end';
    create trigger refusing before ${on} for each row when (${when(second)})
      execute function refuse()`)
  const notifier = rig.notifier()
  const succeeded = async () =>
    (await rig.deliveries()).filter(({ state }) => state === 'succeeded').length
  await rig.until([notifier], async () => (await succeeded()) === 2)
  for (let turn = 0; turn < 5; turn += 1) await notifier.turn()
  expect([await succeeded(), receiver.received.length]).toEqual([2, sent])
  await rig.database.unsafe('drop function refuse cascade')
  await rig.until([notifier], async () => (await succeeded()) === 3)
  expect(receiver.received).toHaveLength(3)
})
