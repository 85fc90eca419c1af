import { expect, test } from 'bun:test'
import { createKey } from '../../../store/access/apiKeys.ts'
import { storeRequests } from '../../../store/access/requests.ts'
import type { Database } from '../../../store/database/database.ts'
import { forThisFile, openTransaction } from '../../support/store/database.ts'
import { newMerchant } from '../../support/store/webhook.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

test('keys that another process notes are passed over, and noted with their next request', async () => {
  const merchantId = await newMerchant(sql)
  const key = await createKey(sql, 'sandbox', merchantId, 'secret')
  const request = () => ({
    traceId: crypto.randomUUID(),
    merchantId,
    at: new Date(),
    method: 'GET',
    route: '/v1/invoices',
    path: '/v1/invoices',
    status: 200,
    ms: 3,
    keyHint: key.slice(-4),
    reason: null,
  })
  const lastUse = async () => {
    const [row] = await sql<{ lastUsedAt: Date | null }[]>`
      select last_used_at from api_key where merchant_id = ${merchantId}`
    return row?.lastUsedAt ?? null
  }
  const other = await openTransaction(
    sql,
    (held) => held`select from api_key where merchant_id = ${merchantId} for update`,
  )
  // It would wait for the other one without end.
  await storeRequests(sql, [request()])
  expect(await lastUse()).toBeNull()
  await other.commit()
  const last = request()
  await storeRequests(sql, [last])
  expect(await lastUse()).toEqual(last.at)
})
