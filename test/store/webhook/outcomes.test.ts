import { describe, expect, test } from 'bun:test'
import type { DeliveryId, MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import { iso } from '../../../core/base/instant.ts'
import { FAILING_LIMIT_MS } from '../../../core/webhook/schedule.ts'
import type { Database } from '../../../store/database/database.ts'
import { type DeliveryOutcome, recordOutcomes } from '../../../store/webhook/outcomes.ts'
import { forThisFile, isEnding, openTransaction } from '../../support/store/database.ts'
import {
  anOutcome,
  deliveryRow,
  endpointRow,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
  SWITCHED_OFF,
  storeLease,
} from '../../support/store/webhook.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const OWNER = 'notifier-1'
const LATER = new Date(NOW.getTime() + 60_000)
const FAILURE = { status: 500, error: null, answer: 'oops' }
const RETRY = { ...FAILURE, verdict: { type: 'retry', at: LATER, error: 'http_500' } } as const
const GAVE_UP = { ...FAILURE, verdict: { type: 'failed', error: 'http_500' } } as const
const GONE = { ...FAILURE, status: 410, verdict: { type: 'gone', error: 'http_410' } } as const

interface Leased {
  readonly merchantId: MerchantId
  readonly endpointId: WebhookEndpointId
  readonly deliveryId: DeliveryId
}

/** A delivery to an endpoint that this process has leased. */
async function leased(
  columns: Parameters<typeof newEndpoint>[2] = {},
  owner = OWNER,
): Promise<Leased> {
  const merchantId = await newMerchant(sql)
  const endpointId = await newEndpoint(sql, merchantId, columns)
  await storeLease(sql, endpointId, owner)
  const deliveryId = await newDelivery(sql, endpointId, await newEvent(sql, merchantId))
  return { merchantId, endpointId, deliveryId }
}

const record = (...outcomes: DeliveryOutcome[]) =>
  recordOutcomes(sql, 'sandbox', OWNER, outcomes, NOW)
const outcomeOf = (of: Leased, given: Partial<DeliveryOutcome> = {}) =>
  anOutcome(of.deliveryId, of.endpointId, given)
const attemptsOf = async ({ deliveryId }: Leased) =>
  sql`select number, status, error, answer from webhook_attempt
    where delivery_id = ${deliveryId} order by number`
const rowOf = (of: Leased) => deliveryRow(sql, of.deliveryId)

describe('an attempt', () => {
  test('that succeeded ends its delivery', async () => {
    const of = await leased()
    expect(await record(outcomeOf(of))).toEqual([])
    expect(await rowOf(of)).toMatchObject({
      ...{ state: 'succeeded', attempts: 1, step: 1, lastStatus: 204, lastError: null },
      finishedAt: iso(NOW),
    })
    expect([...(await attemptsOf(of))]).toEqual([
      { number: 1, status: 204, error: null, answer: '' },
    ])
  })

  test('that failed is made again when it is time', async () => {
    const of = await leased()
    await record(outcomeOf(of, { ...RETRY, error: 'timeout', status: null }))
    expect(await rowOf(of)).toMatchObject({
      ...{ state: 'pending', attempts: 1, step: 1, lastStatus: null, lastError: 'timeout' },
      ...{ nextAttemptAt: iso(LATER), finishedAt: null },
    })
  })

  test('that was the last one ends its delivery as failed', async () => {
    const of = await leased()
    await record(outcomeOf(of, GAVE_UP))
    expect(await rowOf(of)).toMatchObject({
      state: 'failed',
      finishedAt: iso(NOW),
      lastStatus: 500,
    })
    expect((await endpointRow(sql, of.endpointId)).active).toBe(true)
  })

  test('is recorded once', async () => {
    const of = await leased()
    await record(outcomeOf(of, RETRY))
    expect(await record(outcomeOf(of))).toEqual([])
    expect(await rowOf(of)).toMatchObject({ state: 'pending', attempts: 1, step: 1 })
    expect(await attemptsOf(of)).toHaveLength(1)
    await record(outcomeOf(of, { number: 3 }))
    expect((await rowOf(of)).attempts).toBe(1)
    await record(outcomeOf(of, { number: 2 }))
    expect(await rowOf(of)).toMatchObject({ state: 'succeeded', attempts: 2, step: 2 })
  })

  test('is recorded for its own delivery only', async () => {
    const [of, other] = [await leased(), await leased()]
    await record(outcomeOf(of), outcomeOf(other, RETRY))
    expect((await rowOf(of)).state).toBe('succeeded')
    expect((await rowOf(other)).state).toBe('pending')
    const untouched = await leased()
    await record(outcomeOf(of, { number: 2 }))
    expect((await rowOf(untouched)).attempts).toBe(0)
  })

  test('is not recorded once another process has the lease, or no one', async () => {
    const [lost, without] = [await leased({}, 'notifier-2'), await leased()]
    await sql`delete from webhook_lease where endpoint_id = ${without.endpointId}`
    expect(await record(outcomeOf(lost, GONE), outcomeOf(without, GONE))).toEqual([])
    for (const of of [lost, without]) {
      expect((await rowOf(of)).attempts).toBe(0)
      expect((await endpointRow(sql, of.endpointId)).active).toBe(true)
    }
  })

  test('is recorded later when its endpoint is just being changed', async () => {
    const [changed, free] = [await leased(), await leased()]
    const others = await leased({}, 'notifier-2')
    const transaction = await openTransaction(
      sql,
      (t) => t`
        select from webhook_endpoint
        where id in ${t([changed.endpointId, others.endpointId])} for no key update`,
    )
    const outcomes = [outcomeOf(changed), outcomeOf(free), outcomeOf(others)]
    const recorded = record(...outcomes)
    expect(await isEnding(recorded)).toBe(true)
    expect(await recorded).toEqual(outcomes.slice(0, 1))
    expect((await rowOf(free)).state).toBe('succeeded')
    await transaction.commit()
    expect(await record(outcomeOf(changed))).toEqual([])
    expect((await rowOf(changed)).state).toBe('succeeded')
  })

  test('does not wait for an endpoint that it was not for', async () => {
    const [of, other] = [await leased(), await leased()]
    const { commit } = await openTransaction(
      sql,
      (t) => t`update webhook_lease set until = now() where endpoint_id = ${other.endpointId}`,
    )
    expect(await isEnding(record(outcomeOf(of)))).toBe(true)
    await commit()
  })

  test('that was under way while its delivery was ended tells what came of it', async () => {
    const [succeeded, failed] = [await leased(), await leased()]
    await sql`
      update webhook_delivery set state = 'failed', finished_at = ${LATER}
      where id in ${sql([succeeded.deliveryId, failed.deliveryId])}`
    await record(outcomeOf(succeeded), outcomeOf(failed, RETRY))
    expect(await rowOf(succeeded)).toMatchObject({ state: 'succeeded', finishedAt: iso(NOW) })
    expect(await rowOf(failed)).toMatchObject({
      state: 'failed',
      attempts: 1,
      finishedAt: iso(NOW),
    })
  })

  test('is nothing when there is none', async () => {
    expect(await record()).toEqual([])
  })
})

describe('an endpoint', () => {
  const healthOf = async (of: Leased) => (await endpointRow(sql, of.endpointId)).failingSince
  const EARLIER = new Date(NOW.getTime() - 60_000)
  const LONG_AGO = new Date(NOW.getTime() - FAILING_LIMIT_MS)

  test('fails since its first failure', async () => {
    const [fresh, failing] = [await leased(), await leased({ failing_since: EARLIER })]
    const other = await leased()
    await record(outcomeOf(fresh, RETRY), outcomeOf(failing, GAVE_UP))
    expect(await healthOf(fresh)).toBe(iso(NOW))
    expect(await healthOf(failing)).toBe(iso(EARLIER))
    expect(await healthOf(other)).toBeNull()
  })

  test('is well again with its first success', async () => {
    const [well, still] = [
      await leased({ failing_since: EARLIER }),
      await leased({ failing_since: EARLIER }),
    ]
    await record(outcomeOf(well))
    expect(await healthOf(well)).toBeNull()
    expect(await healthOf(still)).toBe(iso(EARLIER))
  })

  test('is well when one of several attempts succeeded', async () => {
    const of = await leased()
    const event = await newEvent(sql, of.merchantId)
    const second = { ...of, deliveryId: await newDelivery(sql, of.endpointId, event) }
    await record(outcomeOf(of, RETRY), outcomeOf(second))
    expect(await healthOf(of)).toBeNull()
    expect((await endpointRow(sql, of.endpointId)).version).toBe(1)
  })

  test('that has failed for too long is disabled, at the next failure', async () => {
    const short = new Date(LONG_AGO.getTime() + 1)
    const [long, not, well] = [
      await leased({ failing_since: LONG_AGO }),
      await leased({ failing_since: short }),
      await leased({ failing_since: LONG_AGO }),
    ]
    await record(outcomeOf(long, RETRY), outcomeOf(not, RETRY), outcomeOf(well))
    expect(await endpointRow(sql, long.endpointId)).toMatchObject({
      ...{ active: false, disabledReason: 'failing', disabledAt: iso(NOW), version: 2 },
    })
    expect(await rowOf(long)).toMatchObject({ state: 'failed', lastError: 'endpoint_disabled' })
    expect((await endpointRow(sql, not.endpointId)).active).toBe(true)
    expect((await rowOf(not)).state).toBe('pending')
    expect((await endpointRow(sql, well.endpointId)).active).toBe(true)
  })

  test('that has failed for ever is not disabled by an attempt that was not recorded', async () => {
    const of = await leased({ failing_since: LONG_AGO })
    await record(outcomeOf(of, { ...RETRY, number: 2 }))
    expect((await endpointRow(sql, of.endpointId)).active).toBe(true)
  })

  test('that says it is gone is disabled once, and its merchant is notified', async () => {
    const of = await leased()
    const other = await leased()
    const event = await newEvent(sql, of.merchantId)
    const second = { ...of, deliveryId: await newDelivery(sql, of.endpointId, event) }
    const third = await newDelivery(sql, of.endpointId, await newEvent(sql, of.merchantId))
    await record(outcomeOf(of, GONE), outcomeOf(second, GONE), outcomeOf(other, RETRY))
    expect(await endpointRow(sql, of.endpointId)).toMatchObject({
      ...{ active: false, disabledReason: 'gone', disabledAt: iso(NOW), version: 2 },
    })
    expect(await deliveryRow(sql, third)).toMatchObject({
      ...{ state: 'failed', lastError: 'endpoint_disabled', finishedAt: iso(NOW) },
    })
    expect((await endpointRow(sql, other.endpointId)).active).toBe(true)
    const events = await sql`
      select merchant_id, object_id, version, data->>'environment' as environment from outbox
      where type = 'endpoint.disabled' and merchant_id in ${sql([of.merchantId, other.merchantId])}`
    expect([...events]).toEqual([
      {
        ...{ merchantId: of.merchantId, objectId: of.endpointId, version: 2 },
        environment: 'sandbox',
      },
    ])
  })

  test('that was switched off meanwhile keeps the reason', async () => {
    const of = await leased(SWITCHED_OFF)
    await record(outcomeOf(of, GONE))
    expect(await endpointRow(sql, of.endpointId)).toMatchObject({
      ...{ disabledReason: 'merchant', version: 1 },
    })
    const events = await sql`select from outbox where object_id = ${of.endpointId}`
    expect(events).toHaveLength(0)
  })
})
