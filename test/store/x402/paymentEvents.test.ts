import { expect, test } from 'bun:test'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import type { Database } from '../../../store/database/database.ts'
import { insertPaymentEvents } from '../../../store/x402/paymentEvents.ts'
import { forThisFile, newNetwork } from '../../support/store/database.ts'
import { aClaim, changePayment, newShop, pending } from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const [chain] = ALL_CHAINS
const asset = chain?.tokens[0]?.address
if (!chain || !asset) throw new Error('no chain is registered')
const { networkId, environment } = chain

test('an event is written about each payment, with its version and environment', async () => {
  const [one, two] = [await newShop(sql), await newShop(sql)]
  const ids = [
    await pending(sql, aClaim(one, { networkId, asset })),
    await pending(sql, aClaim(two, { networkId, asset })),
  ]
  await pending(sql, aClaim(one, { networkId, asset }))
  for (const [i, id] of ids.entries()) await changePayment(sql, id, { version: i + 4 })
  await sql.begin((t) => insertPaymentEvents(t, 'x402.payment.failed', []))
  await sql.begin((t) => insertPaymentEvents(t, 'x402.payment.failed', ids))
  const events = await sql`
    select merchant_id, type, object_id, version, data->>'environment' as environment,
      data->>'networkId' as network_id
    from outbox order by version`
  const about = { type: 'x402.payment.failed', environment, networkId }
  expect([...events]).toEqual([
    { ...about, merchantId: one.id, objectId: ids[0], version: 4 },
    { ...about, merchantId: two.id, objectId: ids[1], version: 5 },
  ])
})

test('no event is written about a payment on a chain that is not known', async () => {
  const id = await pending(sql, aClaim(await newShop(sql), { networkId: newNetwork() }))
  const written = sql.begin((t) => insertPaymentEvents(t, 'x402.payment.settled', [id]))
  await expect(written).rejects.toThrow('the registry has no chain')
})
