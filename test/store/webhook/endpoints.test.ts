import { describe, expect, test } from 'bun:test'
import { asWebhookEndpointId, type MerchantId } from '../../../core/base/ids.ts'
import { iso } from '../../../core/base/instant.ts'
import { sandboxKeyring } from '../../../core/base/keyring.ts'
import { unseal } from '../../../core/base/sealed.ts'
import { MAX_ENDPOINTS } from '../../../core/webhook/endpoint.ts'
import { OVERLAP_MS } from '../../../core/webhook/schedule.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
} from '../../../store/webhook/endpoints.ts'
import { forThisFile, isEnding, isWaiting, openTransaction } from '../../support/store/database.ts'
import {
  deliveredTo,
  deliveryRow,
  endpointRow,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
  SUCCEEDED,
  SWITCHED_OFF,
} from '../../support/store/webhook.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const TERMS = { environment: 'sandbox', secretKeys: sandboxKeyring([]) } as const
const UNKNOWN = asWebhookEndpointId('00000000-0000-7000-8000-000000000001')
const BEFORE = new Date(NOW.getTime() - 60_000)

const create = (merchantId: MerchantId, database = sql) => {
  const wanted = { url: 'https://shop.example/hook', description: '', eventTypes: null }
  return createWebhookEndpoint(database, TERMS, merchantId, wanted, NOW)
}

describe('a merchant', () => {
  test('has so many endpoints, and no more', async () => {
    const merchantId = await newMerchant(sql)
    for (let i = 0; i < 3; i++) await newEndpoint(sql, await newMerchant(sql))
    for (let i = 1; i < MAX_ENDPOINTS; i++) await newEndpoint(sql, merchantId)
    expect((await create(merchantId)).ok).toBe(true)
    expect((await create(merchantId)).ok).toBe(false)
    expect(await listWebhookEndpoints(sql, merchantId)).toHaveLength(MAX_ENDPOINTS)
  })

  test('who creates two endpoints at once has them counted one after the other', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    const first = await openTransaction(
      sql,
      (t) => t`select pg_advisory_xact_lock(hashtextextended(${merchantId}, 403))`,
    )
    const second = create(merchantId)
    expect(await isWaiting(sql, second)).toBe(true)
    expect(await isEnding(create(other))).toBe(true)
    await first.commit()
    await second
  })

  test('lists its own endpoints, the newest first', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    const ids = []
    for (const created_at of [BEFORE, NOW, NOW]) {
      ids.push(await newEndpoint(sql, merchantId, { created_at }))
    }
    const listed = await listWebhookEndpoints(sql, merchantId)
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed())
    const [id = UNKNOWN] = ids
    expect(await findWebhookEndpoint(sql, merchantId, id)).toMatchObject({ id })
    expect(await findWebhookEndpoint(sql, other, id)).toBeNull()
    expect(await findWebhookEndpoint(sql, merchantId, UNKNOWN)).toBeNull()
  })
})

describe('an endpoint', () => {
  test('that is switched off is sent nothing more, and begins with a clean record', async () => {
    const merchantId = await newMerchant(sql)
    const [id, other] = [
      await newEndpoint(sql, merchantId, { failing_since: BEFORE }),
      await newEndpoint(sql, merchantId),
    ]
    const event = await newEvent(sql, merchantId)
    const waiting = await newDelivery(sql, id, event)
    const done = await newDelivery(sql, id, await newEvent(sql, merchantId), SUCCEEDED)
    const beside = await newDelivery(sql, other, event)
    await changeWebhookEndpoint(sql, merchantId, id, { active: false }, NOW)
    expect(await endpointRow(sql, id)).toMatchObject({
      ...{ active: false, disabledReason: 'merchant', disabledAt: iso(NOW), failingSince: null },
      version: 2,
    })
    expect(await deliveryRow(sql, waiting)).toMatchObject({
      ...{ state: 'failed', lastError: 'endpoint_disabled', finishedAt: iso(NOW) },
    })
    expect((await deliveryRow(sql, done)).state).toBe('succeeded')
    expect((await deliveryRow(sql, beside)).state).toBe('pending')

    await changeWebhookEndpoint(sql, merchantId, id, { active: true }, NOW)
    expect(await endpointRow(sql, id)).toMatchObject({
      ...{ active: true, disabledReason: null, disabledAt: null, failingSince: null, version: 3 },
    })
  })

  test('keeps its record, its deliveries and its reason when something else is changed', async () => {
    const merchantId = await newMerchant(sql)
    const failing = await newEndpoint(sql, merchantId, { failing_since: BEFORE })
    const delivery = await newDelivery(sql, failing, await newEvent(sql, merchantId))
    const change = { url: 'https://shop.example/new', active: true }
    await changeWebhookEndpoint(sql, merchantId, failing, change, NOW)
    expect(await endpointRow(sql, failing)).toMatchObject({
      ...{ failingSince: iso(BEFORE), url: change.url, active: true, disabledAt: null },
    })
    expect((await deliveryRow(sql, delivery)).state).toBe('pending')

    const gone = { active: false, disabled_reason: 'gone', disabled_at: BEFORE }
    const disabled = await newEndpoint(sql, merchantId, gone)
    const left = await newDelivery(sql, disabled, await newEvent(sql, merchantId))
    await changeWebhookEndpoint(sql, merchantId, disabled, { active: false }, NOW)
    expect(await endpointRow(sql, disabled)).toMatchObject({
      ...{ disabledReason: 'gone', disabledAt: iso(BEFORE) },
    })
    expect((await deliveryRow(sql, left)).state).toBe('pending')
  })

  test('keeps what is its own when something else is changed', async () => {
    const merchantId = await newMerchant(sql)
    for (const description of ['first', 'second']) {
      const id = await newEndpoint(sql, merchantId, { description })
      const other = await newEndpoint(sql, merchantId, { description: 'other' })
      for (const [one, own] of [
        [id, description],
        [other, 'other'],
      ] as const) {
        const changed = await changeWebhookEndpoint(sql, merchantId, one, { url: 'x:y' }, NOW)
        expect(changed?.description).toBe(own)
      }
    }
  })

  test('that is switched on again is sent what waits for it', async () => {
    const merchantId = await newMerchant(sql)
    const id = await newEndpoint(sql, merchantId, SWITCHED_OFF)
    const waiting = await newDelivery(sql, id, await newEvent(sql, merchantId))
    await changeWebhookEndpoint(sql, merchantId, id, { active: true }, NOW)
    expect((await deliveryRow(sql, waiting)).state).toBe('pending')
  })

  test('keeps or loses its types as the change says', async () => {
    const merchantId = await newMerchant(sql)
    const id = await newEndpoint(sql, merchantId, { event_types: ['invoice.paid'] })
    const change = async (given: Parameters<typeof changeWebhookEndpoint>[3]) =>
      (await changeWebhookEndpoint(sql, merchantId, id, given, NOW))?.eventTypes
    expect(await change({})).toEqual(['invoice.paid'])
    expect(await change({ eventTypes: null })).toBeNull()
    expect(await change({ eventTypes: ['invoice.created'] })).toEqual(['invoice.created'])
  })

  test('is changed, rotated and deleted by its own merchant, and no other is', async () => {
    const [merchantId, other] = [await newMerchant(sql), await newMerchant(sql)]
    const [id, beside] = [await newEndpoint(sql, merchantId), await newEndpoint(sql, merchantId)]
    const event = await newEvent(sql, merchantId)
    for (const endpoint of [id, beside]) await newDelivery(sql, endpoint, event)
    const change = { url: 'https://other.example/' }
    for (const [merchant, endpoint] of [
      [other, id],
      [merchantId, UNKNOWN],
    ] as const) {
      expect(await changeWebhookEndpoint(sql, merchant, endpoint, change, NOW)).toBeNull()
      expect(await rotateWebhookSecret(sql, TERMS, merchant, endpoint, true, NOW)).toBeNull()
      expect(await deleteWebhookEndpoint(sql, merchant, endpoint)).toBe(false)
    }
    expect(await deliveredTo(sql, id)).toEqual([event])
    await changeWebhookEndpoint(sql, merchantId, id, change, NOW)
    await rotateWebhookSecret(sql, TERMS, merchantId, id, true, NOW)
    expect(await deleteWebhookEndpoint(sql, merchantId, id)).toBe(true)
    expect(await deliveredTo(sql, id)).toEqual([])
    expect(await findWebhookEndpoint(sql, merchantId, id)).toBeNull()
    expect(await deliveredTo(sql, beside)).toEqual([event])
    expect(await endpointRow(sql, beside)).toMatchObject({ version: 1, secret: 'secret' })
  })

  test('is changed by one at a time', async () => {
    const merchantId = await newMerchant(sql)
    const id = await newEndpoint(sql, merchantId)
    const first = await openTransaction(
      sql,
      (t) => t`update webhook_endpoint set ${t(SWITCHED_OFF)} where id = ${id}`,
    )
    const second = changeWebhookEndpoint(sql, merchantId, id, { description: 'new' }, NOW)
    expect(await isWaiting(sql, second)).toBe(true)
    await first.commit()
    expect(await second).toMatchObject({ active: false, description: 'new' })
  })

  test.each([
    [true, 'secret', iso(new Date(NOW.getTime() + OVERLAP_MS))],
    [false, null, null],
  ])('gets a new secret, with an overlap: %p', async (hasOverlap, previousSecret, until) => {
    const merchantId = await newMerchant(sql)
    const id = await newEndpoint(sql, merchantId)
    const rotated = await rotateWebhookSecret(sql, TERMS, merchantId, id, hasOverlap, NOW)
    const row = await endpointRow(sql, id)
    expect(row).toMatchObject({ previousSecret, previousUntil: until, version: 2 })
    const place = { column: 'webhook_endpoint.secret', rowId: id } as const
    expect(unseal(TERMS.secretKeys, place, row.secret)).toBe(rotated?.secret ?? '')
    expect(row.secret).not.toContain(rotated?.secret ?? '')
    expect(row.secret).not.toBe('secret')
  })
})
