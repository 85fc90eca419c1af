import { expect, test } from 'bun:test'
import pino from 'pino'
import type { MerchantId } from '../../../core/base/ids.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import { requestSample } from '../../../store/webhook/samples.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import { writeRequestedSamples } from '../../../workers/webhook/samples.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import { forThisFile } from '../../support/store/database.ts'
import { newMerchant } from '../../support/store/webhook.ts'

/** Sample events that the API asks for, by the roles of both processes. */

let sql: Database
forThisFile((database) => {
  sql = database
})

const work = new Isolation(pino({ level: 'silent' }))
const hub = lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')

test('are made in a sandbox, once, under the id that was promised, and never in live', async () => {
  const url = databaseUrlOf(sql)
  const [api, notifier] = [await openAs(url, 'api'), await openAs(url, 'notifier', 1)]
  const merchantId: MerchantId = await newMerchant(sql)
  const id = await requestSample(api, merchantId, 'invoice.paid')
  await writeRequestedSamples(notifier, { environment: 'live', hub }, work)
  const events = () => sql`select id, type, data->>'test' as test from outbox`
  expect(await events()).toHaveLength(0)
  await writeRequestedSamples(notifier, { environment: 'sandbox', hub }, work)
  await writeRequestedSamples(notifier, { environment: 'sandbox', hub }, work)
  expect([...(await events())]).toEqual([{ id, type: 'invoice.paid', test: 'true' }])
  await api.end()
  await notifier.end()
})
