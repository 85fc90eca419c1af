import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { seal } from '../../../store/database/seal.ts'
import { leaseEndpoints } from '../../../store/webhook/leases.ts'
import {
  forEachTest,
  type Receiver,
  startReceiver,
  type WebhookRig,
} from '../../support/webhooks.ts'

/** More endpoints than a notifier has room for. */

let rig: WebhookRig
let receiver: Receiver
let hung: Receiver

const request = {
  leaseMs: 60_000,
  share: { place: 0, of: 1 },
  kept: [],
  heldIds: [],
  newcomers: 1,
  failingNewcomers: 1,
  firstDeliveries: 5,
}

forEachTest((fresh) => {
  rig = fresh.rig
  receiver = fresh.receiver
})
beforeEach(() => {
  hung = startReceiver()
  hung.answer = () => new Promise(() => {})
})
afterEach(() => hung.stop())

describe('endpoints that hang', () => {
  test('keep no other out, although they are many and much waits for them', async () => {
    for (let i = 0; i < 4; i += 1) await rig.endpoint(`${hung.url}/${i}`, ['invoice.created'])
    await rig.endpoint(receiver.url, ['invoice.paid'])
    for (let i = 0; i < 200; i += 1) await rig.event('invoice.created')
    const notifier = rig.notifier({ room: 4, sender: { limitMs: 200 } })
    await rig.until([notifier], async () => (await rig.attempts()).length >= 4)
    await rig.event('invoice.paid')
    await rig.until([notifier], () => receiver.received.length === 1)
    expect(hung.received.length).toBeLessThan(100)
  })

  test('leave connections to the others in the process', async () => {
    for (let merchant = 0; merchant < 4; merchant += 1) {
      const other = Bun.randomUUIDv7()
      await rig.database`insert into merchant (id, name) values (${other}, 'Many')`
      const endpoints = Array.from({ length: 16 }, () => {
        const id = Bun.randomUUIDv7()
        const place = { column: 'webhook_endpoint.secret', rowId: id } as const
        const secret = seal(sandboxKeyring([]), place, 'test_whsec_AAAA')
        return { id, merchant_id: other, url: hung.url, secret, proven_at: new Date() }
      })
      await rig.database`insert into webhook_endpoint ${rig.database(endpoints)}`
      await rig.database`insert into outbox (id, merchant_id, type, object_id, version, data)
        select gen_random_uuid(), ${other}, 'invoice.paid', gen_random_uuid(), 1, '{}'
        from generate_series(1, 5)`
    }
    const notifier = rig.notifier({ sender: { limitMs: 60_000 } })
    await rig.until([notifier], () => notifier.underWay > 150)
    await notifier.turn()
    // As a chain actor asks its RPC.
    expect((await fetch(receiver.url, { method: 'POST' })).status).toBe(204)
  })
})

test('endpoints take turns, however long something has been due to one of them', async () => {
  const { endpoint: first } = await rig.endpoint(receiver.url)
  const { endpoint: second } = await rig.endpoint(receiver.url)
  await rig.event()
  await rig.notifier({ room: 0 }).turn()
  await rig.database`update webhook_delivery set next_attempt_at = now() - interval '1 day'
    where endpoint_id = ${first.id}`
  const leasedBy = async (owner: string) => {
    const leased = await leaseEndpoints(rig.database, { ...request, owner })
    await rig.database`update webhook_lease set until = now() where owner = ${owner}`
    return leased.map(({ endpointId }) => endpointId)
  }
  expect(await leasedBy('one')).toEqual([first.id])
  expect(await leasedBy('two')).toEqual([second.id])
  expect(await leasedBy('three')).toEqual([first.id])
})

test('endpoints are found in the index of what is pending, even when it was all that there is', async () => {
  await rig.endpoint(receiver.url)
  await rig.database`insert into webhook_delivery (endpoint_id, event_id, event_type)
    select id, gen_random_uuid(), 'invoice.paid' from webhook_endpoint, generate_series(1, 2000)`
  await rig.database`analyze`
  const one = openDatabase(rig.databaseUrl, { name: 'test-one', poolSize: 1 })
  await leaseEndpoints(one, { ...request, owner: 'one' })
  // Its session tells what it used when it ends.
  await one.end()
  const used = () => rig.database<{ index: string }[]>`
    select indexrelname as index from pg_stat_user_indexes
    where relname = 'webhook_delivery' and idx_scan > 0`
  while ((await used()).length === 0) await Bun.sleep(20)
  expect((await used()).map(({ index }) => index)).toEqual(['webhook_delivery_due'])
})
