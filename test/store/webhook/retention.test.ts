import { expect, test } from 'bun:test'
import type { MerchantId, WebhookEndpointId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { replayFailed } from '../../../store/webhook/replay.ts'
import { forgetAnswers } from '../../../store/webhook/retention.ts'
import { forEachTest } from '../../support/store/database.ts'
import {
  FAILED,
  NOW,
  newDelivery,
  newEndpoint,
  newEvent,
  newMerchant,
  SUCCEEDED,
} from '../../support/store/webhook.ts'

let sql: Database
let merchantId: MerchantId
let endpointId: WebhookEndpointId
forEachTest(['webhook_delivery', 'outbox'], async (database) => {
  sql = database
  merchantId = await newMerchant(sql)
  endpointId = await newEndpoint(sql, merchantId)
})

const soon = () => new Date(Date.now() + 60_000)

async function answered(columns: Parameters<typeof newDelivery>[3], at = NOW): Promise<void> {
  const eventId = await newEvent(sql, merchantId)
  const deliveryId = await newDelivery(sql, endpointId, eventId, { attempts: 1, ...columns })
  await sql`
    insert into webhook_attempt (delivery_id, number, at, latency_ms, status, answer)
    values (${deliveryId}, 1, ${at}, 5, 200, 'thank you')`
}

const answers = () => sql<{ answer: string | null; status: number }[]>`
  select a.answer, a.status from webhook_attempt a
  join webhook_delivery d on d.id = a.delivery_id order by d.event_id`

test('what endpoints answered goes once it is old, except where more attempts follow', async () => {
  await answered(SUCCEEDED)
  await answered(FAILED)
  await answered({})
  expect(await forgetAnswers(sql, NOW, null)).toEqual({ forgotten: 0, reached: null })
  expect(await forgetAnswers(sql, soon(), null)).toEqual({ forgotten: 2, reached: NOW })
  const rows = await answers()
  expect(rows.map(({ answer }) => answer)).toEqual([null, null, 'thank you'])
  expect(rows.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a batch goes on after the moment that the one before it reached', async () => {
  const later = new Date(NOW.getTime() + 1)
  await answered(SUCCEEDED)
  await answered(SUCCEEDED, later)
  expect(await forgetAnswers(sql, soon(), NOW)).toEqual({ forgotten: 1, reached: later })
  expect(await forgetAnswers(sql, soon(), later)).toEqual({ forgotten: 0, reached: null })
  expect(await forgetAnswers(sql, soon(), null)).toEqual({ forgotten: 1, reached: NOW })
})

test('a batch has all answers of its last moment, so that none is passed by', async () => {
  for (let i = 0; i < 3; i += 1) await answered({})
  await sql`
    insert into webhook_attempt (delivery_id, number, at, latency_ms, status, answer)
    select delivery_id, n, at, 5, 500, 'not now' from webhook_attempt, generate_series(2, 100) n`
  await answered(SUCCEEDED)
  expect(await forgetAnswers(sql, soon(), null)).toEqual({ forgotten: 1, reached: NOW })
})

test('a delivery without its answers can be sent once more', async () => {
  await answered(SUCCEEDED)
  await answered(FAILED)
  await forgetAnswers(sql, soon(), null)
  // What was delivered is known to be, and isn't taken for something that was missed.
  const replay = await replayFailed(sql, merchantId, endpointId, new Date(0), new Date())
  expect(replay).toMatchObject({ ok: true, replayed: 1 })
})
