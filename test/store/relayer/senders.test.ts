import { expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { readSenders } from '../../../store/relayer/senders.ts'
import { forThisFile } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import { storeAttempt, storeKey, storeTransaction } from '../../support/store/relayer.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

test('the keys that send are read, each with the tip that it offered last', async () => {
  const [fresh, used, paused, elsewhere] = [
    await storeKey(sql),
    await storeKey(sql),
    await storeKey(sql),
    await storeKey(sql, { networkId: OTHER_NETWORK }),
  ]
  await sql`update relayer_key set status = 'no_funds' where address = ${paused.address}`
  const [first, second] = [
    await storeTransaction(sql, used, { accountNonce: 3n }),
    await storeTransaction(sql, used, { accountNonce: 4n }),
  ]
  for (const [txId, seq, tip] of [
    [second, 1, 5n],
    [second, 2, 6n],
    [first, 1, 9n],
  ] as const) {
    const hash = await storeAttempt(sql, txId, { seq })
    await sql`update relayer_attempt set max_priority_fee_per_gas = ${tip} where hash = ${hash}`
  }
  const expected = [
    { address: fresh.address, tip: null },
    { address: used.address, tip: 6n },
  ].sort((a, b) => a.address.localeCompare(b.address))
  expect(await readSenders(sql, NETWORK)).toEqual(expected)
  expect(await readSenders(sql, OTHER_NETWORK)).toEqual([{ address: elsewhere.address, tip: null }])
})
