import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { asMerchantId, type MerchantId } from '../../../core/ids.ts'
import { baseUnits } from '../../../core/money.ts'
import type { Database } from '../../../store/database.ts'
import { ensureConfigured } from '../../../store/relayer/registryEntries.ts'
import { freshDatabase } from '../../support/servers/database.ts'

/** Registry entries that were queued before entries named their hub. */

const NETWORK = 'base-sepolia'
const MIGRATION = join(import.meta.dir, '../../../store/migrations/0010_registry_entries.sql')

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

test('an entry belongs to the hub that its transaction called, or that its forwarder has', async () => {
  const [called, own] = [randomAddress(), randomAddress()]
  const sent = await newMerchant(own)
  const waiting = await newMerchant(own)
  await oldEntry(sent, 'settled', await newTransaction(called))
  await oldEntry(waiting, 'queued', null)
  await sql.file(MIGRATION)
  expect(await isStored(sent, called)).toBe(true)
  expect(await isStored(waiting, own)).toBe(true)
  expect(await isStored(sent, own)).toBe(false)
})

/** Whether nothing new is queued for this hub, because an entry was there. */
async function isStored(merchantId: MerchantId, hub: Address): Promise<boolean> {
  const count = async () => (await sql`select from work_item`).length
  const before = await count()
  const terms = {
    recipient: hub,
    configVersion: 1,
    x402FeeBps: 50,
    x402FeeCap: baseUnits(5_000_000n),
  }
  const registry = { networkId: NETWORK, hub }
  await sql.begin((transaction) => ensureConfigured(transaction, registry, merchantId, hub, terms))
  return (await count()) === before
}

async function newMerchant(hub: Address): Promise<MerchantId> {
  const id = asMerchantId(Bun.randomUUIDv7())
  await sql`
    insert into merchant (id, name, recipient, config_version)
    values (${id}, 'Shop', ${randomAddress()}, 1)`
  await sql`
    insert into forwarder (merchant_id, address, hub) values (${id}, ${randomAddress()}, ${hub})`
  return id
}

async function newTransaction(target: Address): Promise<bigint> {
  const address = randomAddress()
  await sql`
    insert into relayer_key (network_id, address, next_nonce) values (${NETWORK}, ${address}, 1)`
  const [row] = await sql<{ id: bigint }[]>`
    insert into relayer_tx (network_id, address, account_nonce, kind, target, calldata, gas_limit)
    values (${NETWORK}, ${address}, 0, 'configure', ${target}, '0x', 21000) returning id`
  if (!row) throw new Error('the transaction was not stored')
  return row.id
}

async function oldEntry(merchantId: MerchantId, state: string, txId: bigint | null): Promise<void> {
  const payload = { merchantId, treasury: randomAddress(), feeBps: 50, feeCap: '0', version: 1 }
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload, state, tx_id)
    values (${NETWORK}, 'configure', ${`configure:${NETWORK}:${merchantId}:1`},
      ${sql.json(payload)}, ${state}, ${txId})`
}

function randomAddress(): Address {
  return lowerCaseAddress(`0x${crypto.getRandomValues(new Uint8Array(20)).toHex()}`)
}
