import { beforeEach, describe, expect, test } from 'bun:test'
import type { DeliveryId, MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { changeWebhookEndpoint } from '../../../store/webhook/endpoints.ts'
import { leaseEndpoints, releaseEndpointLeases } from '../../../store/webhook/leases.ts'
import { recordOutcomes } from '../../../store/webhook/outcomes.ts'
import { forThisFile } from '../../support/store/database.ts'
import {
  anOutcome,
  aRequest,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
} from '../../support/store/webhook.ts'

/** What is sent to a URL that has not answered with 2xx yet. */

const URL_OF_IT = 'https://shop.example/hook'

let sql: Database
forThisFile((database) => {
  sql = database
})

let merchantId: MerchantId
let endpointId: WebhookEndpointId
let waiting: DeliveryId[]

/** A new endpoint with five deliveries. */
beforeEach(async () => {
  await sql`delete from webhook_delivery`
  await sql`delete from webhook_lease`
  merchantId = await newMerchant(sql)
  endpointId = await newEndpoint(sql, merchantId, { proven_at: null })
  waiting = []
  for (let i = 0; i < 5; i += 1) {
    waiting.push(await newDelivery(sql, endpointId, await newEvent(sql, merchantId)))
  }
})

/** What a process is given to send to it. */
async function leased(owner: string, heldIds: readonly DeliveryId[] = []): Promise<DeliveryId[]> {
  const kept = heldIds.length > 0 ? [{ endpointId, more: 5 }] : []
  const all = await leaseEndpoints(sql, aRequest({ owner, heldIds: [...heldIds], kept }))
  return all
    .filter((one) => one.endpointId === endpointId)
    .flatMap(({ deliveries }) => deliveries.map(({ id }) => id))
}

const provenAt = async () => {
  const [row] = await sql<{ provenAt: Date | null }[]>`
    select proven_at from webhook_endpoint where id = ${endpointId}`
  return row?.provenAt
}

/** As if the last one had been sent so long ago. */
async function waitMs(ms: number): Promise<void> {
  await sql`
    update webhook_lease set next_probe_at = next_probe_at - ${ms} * interval '1 millisecond'`
}

describe('a URL that is not proven', () => {
  test('gets one delivery a minute, the longest overdue, however often it is asked', async () => {
    const [first] = waiting
    if (first === undefined) throw new Error('there are deliveries')
    expect(await leased('a')).toEqual([first])
    expect(await leased('a', [first])).toEqual([])
    expect(await leased('a')).toEqual([])
    await waitMs(59_000)
    expect(await leased('a', [first])).toEqual([])
    await waitMs(1_000)
    expect(await leased('a', [first])).toHaveLength(1)
  })

  test('gets no more by being asked for by several processes, or by one that stops', async () => {
    expect(await leased('a')).toHaveLength(1)
    expect(await leased('b')).toEqual([])
    await releaseEndpointLeases(sql, 'a')
    expect(await leased('b')).toEqual([])
    await sql`update webhook_lease set until = now() - interval '1 second'`
    expect(await leased('c')).toEqual([])
    await waitMs(60_000)
    expect(await leased('c')).toHaveLength(1)
  })

  test('gets one if several processes ask at the same moment', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => leased(owner)))
    expect(all.flat()).toHaveLength(1)
  })

  test('gets all that waits once one was answered with 2xx', async () => {
    const [first = waiting[0]] = await leased('a')
    if (first === undefined) throw new Error('there are deliveries')
    const failed = { type: 'retry', at: new Date(Date.now() + 60_000), error: 'http_500' } as const
    await record([anOutcome(first, endpointId, { url: URL_OF_IT, status: 500, verdict: failed })])
    expect(await provenAt()).toBeNull()
    await waitMs(60_000)
    const [second = first] = await leased('a')
    await record([anOutcome(second, endpointId, { url: URL_OF_IT })])
    expect(await provenAt()).toEqual(NOW)
    expect(await leased('a')).toHaveLength(3)
  })

  test('is not proven by an answer of the URL before it', async () => {
    const [first] = await leased('a')
    if (first === undefined) throw new Error('there are deliveries')
    await change('https://somebody.example/')
    await record([anOutcome(first, endpointId, { url: URL_OF_IT })])
    expect(await provenAt()).toBeNull()
    expect(await leased('a')).toEqual([])
  })

  const record = (outcomes: Parameters<typeof recordOutcomes>[3]) =>
    recordOutcomes(sql, 'sandbox', 'a', outcomes, NOW)
})

const change = (url: string) =>
  changeWebhookEndpoint(sql, merchantId, endpointId, { url }, new Date())

describe('another URL', () => {
  test('has to prove itself, and changing it back and forth sends nothing more', async () => {
    await sql`update webhook_endpoint set proven_at = now() where id = ${endpointId}`
    expect((await leased('a')).length).toBe(5)
    await releaseEndpointLeases(sql, 'a')
    expect((await change('https://somebody.example/'))?.provenAt).toBeNull()
    expect(await leased('a')).toHaveLength(1)
    for (const path of ['b', 'c', 'd']) {
      await change(`https://somebody.example/${path}`)
      expect(await leased('a')).toEqual([])
    }
  })

  test('is the same one when nothing of it changes', async () => {
    await sql`update webhook_endpoint set proven_at = ${NOW} where id = ${endpointId}`
    expect((await change(URL_OF_IT))?.provenAt).toEqual(NOW)
  })
})
