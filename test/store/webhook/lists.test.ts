import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asWebhookEndpointId, type MerchantId } from '../../../core/base/ids.ts'
import { firstIdAt } from '../../../core/events/event.ts'
import type { Database } from '../../../store/database/database.ts'
import { type DeliveryFilter, listDeliveries } from '../../../store/webhook/deliveries.ts'
import { forgetEmptyTallies } from '../../../store/webhook/retention.ts'
import { deliveryDays, foldDeliveryTallies } from '../../../store/webhook/tallies.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { storeMerchant } from '../../support/store/invoice.ts'

/** Deliveries of a thousand events over ten days to two endpoints, listed page by page. */

interface Row {
  id: string
  endpointId: string
  eventId: string
  state: 'pending' | 'succeeded' | 'failed'
  eventType: string
}

const STATES = ['pending', 'succeeded', 'failed'] as const
const START = new Date('2026-05-20T00:00:00Z')

let sql: Database
let merchantId: MerchantId
let endpoints: readonly string[]
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
  endpoints = await endpointsOf(merchantId)
  await deliverTo(merchantId, 0)
  const stranger = await storeMerchant(sql)
  await endpointsOf(stranger)
  await deliverTo(stranger, 1)
})
afterAll(() => sql.end({ timeout: 1 }))

async function endpointsOf(of: MerchantId): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into webhook_endpoint (id, merchant_id, url, secret)
    select gen_random_uuid(), ${of}, 'https://shop.example/' || n, 's' from generate_series(1, 2) n
    returning id`
  return rows.map(({ id }) => id)
}

/** Events within a millisecond, and in order; `apart` keeps those of two merchants apart. */
async function deliverTo(of: MerchantId, apart: number): Promise<void> {
  const events = Array.from({ length: 1_000 }, (_, n) => {
    const at = new Date(START.getTime() + Math.floor(n / 2) * 1_728_000)
    const id = `${firstIdAt(at).slice(0, -3)}${apart}${n % 2}0`
    return { id, type: n % 97 === 0 ? 'invoice.expired' : 'invoice.paid' }
  })
  await sql`
    insert into outbox (id, merchant_id, type, object_id, version, data)
    select id, ${of}, type, gen_random_uuid(), 1, '{}'
    from json_to_recordset(${JSON.stringify(events)}::text::json) as e (id uuid, type text)`
  await sql`
    insert into webhook_delivery (endpoint_id, event_id, event_type, state, finished_at)
    select e.id, o.id, o.type, s.state, case when s.state <> 'pending' then now() end
    from outbox o join webhook_endpoint e on e.merchant_id = o.merchant_id
    cross join lateral (
      select (${[...STATES]}::text[])[1 + abs(hashtext(o.id::text || e.id)) % 3] as state
    ) s
    where o.merchant_id = ${of}`
}

async function rowsOf(): Promise<readonly Row[]> {
  return sql<Row[]>`
    select id, endpoint_id, event_id, state, event_type from webhook_delivery
    where endpoint_id = any(${[...endpoints]}::uuid[]) order by event_id desc, id`
}

async function expectLists(): Promise<void> {
  const rows = await rowsOf()
  const [endpointId = ''] = endpoints
  const since = new Date('2026-05-23T18:00:00Z')
  const days = await deliveryDays(sql, asWebhookEndpointId(endpointId), since)
  const own = rows.filter((row) => row.endpointId === endpointId)
  const byDay = Map.groupBy(own, ({ eventId }) => dayOf(eventId))
  expect(days).toEqual(
    [...byDay]
      .filter(([day]) => day >= '2026-05-23')
      .map(([day, all]) => ({
        day,
        deliveries: all.length,
        failed: all.filter(({ state }) => state === 'failed').length,
      }))
      .toReversed(),
  )
  const filters: Partial<Row>[] = [
    {},
    { endpointId },
    { eventType: 'invoice.expired' },
    { endpointId, eventType: 'invoice.expired', state: 'failed' },
    ...STATES.map((state) => ({ state })),
  ]
  for (const filter of filters) {
    const matching = rows.filter(
      (row) =>
        (filter.endpointId ?? row.endpointId) === row.endpointId &&
        (filter.state ?? row.state) === row.state &&
        (filter.eventType ?? row.eventType) === row.eventType,
    )
    for (const offset of [0, 3, 150, 199, 200, 1_200, 1_999, 4_000]) {
      const found = await list(filter, offset)
      expect({ filter, offset, ...found }).toEqual({
        ...{ filter, offset, total: matching.length },
        ids: matching.slice(offset, offset + 5).map(({ id }) => id),
      })
    }
  }
}

/** A UUIDv7 begins with its milliseconds. */
function dayOf(id: string): string {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString().slice(0, 10)
}

async function list({ endpointId, state, eventType }: Partial<Row>, offset: number) {
  const filter = { endpointId, state, type: eventType } as DeliveryFilter
  const page = { limit: 5, offset: BigInt(offset) }
  const { elements: deliveries, total } = await listDeliveries(sql, merchantId, filter, page)
  return { total, ids: deliveries.map(({ id }): string => id) }
}

test('every page is right, whatever is asked for, as deliveries end, are deleted and are counted', async () => {
  await expectLists()
  while ((await foldDeliveryTallies(sql)) > 0);
  await expectLists()
  await sql`
    update webhook_delivery set state = 'succeeded', attempts = 1, finished_at = now()
    where state = 'pending' and id in (select id from webhook_delivery order by id limit 500)`
  await sql`update webhook_delivery set attempts = 2 where state = 'succeeded'`
  await sql`delete from webhook_delivery where event_id < ${firstIdAt(new Date('2026-05-22T12:00:00Z'))}`
  await expectLists()
  while ((await foldDeliveryTallies(sql)) > 0);
  await expectLists()
  await forgetEmptyTallies(sql)
  await expectLists()
  const [empty] = await sql`select count(*) from delivery_tally where deliveries <= 0`
  expect(empty).toEqual({ count: 0n })
}, 120_000)
