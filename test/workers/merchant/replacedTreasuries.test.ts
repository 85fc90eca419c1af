import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import pino from 'pino'
import { generatePrivateKey } from 'viem/accounts'
import { openChain } from '../../../chain/rpc/client.ts'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Address } from '../../../core/chain/evm.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import { announceReplaced } from '../../../workers/merchant/registry.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { asWorker, freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK, storeConfig, storeMerchant } from '../../support/store/invoice.ts'

/**
 * Merchants who have replaced their treasury: on a chain whose hub has no entry of theirs, anyone could
 * have it take the one that was replaced.
 */

const SILENT = pino({ level: 'silent' })
const CONFIG = storeConfig({
  RPC_URL_SEPOLIA: 'http://127.0.0.1:9',
  RELAYER_KEYS_SEPOLIA: generatePrivateKey(),
  CONFIRMATIONS_SEPOLIA: '2',
})

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate merchant, work_item cascade`
  merchantId = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

async function replaceBy(treasury: Address): Promise<void> {
  expect(await setRecipient(sql, CONFIG, merchantId, treasury)).toMatchObject({ ok: true })
}

/** What a leader does first on a chain. */
async function begin(networkId: string): Promise<void> {
  const chain = CONFIG.chains.find((one) => one.networkId === networkId)
  if (chain === undefined) throw new Error(`${networkId} is not switched on`)
  const work = new LedgerWork(SILENT)
  const context = { database: asWorker(sql), config: CONFIG, client: openChain(chain), work }
  await announceReplaced(context, SILENT)
}

const queued = () => sql`
  select network_id, payload->>'hub' as hub, payload->>'merchantId' as merchant_id,
    payload->>'treasury' as treasury, payload->>'version' as version
  from work_item where kind = 'configure' and state = 'queued' order by id`

const entry = (networkId: string, treasury: Address, version: number) => ({
  ...{ networkId, hub: CONFIG.hub, merchantId, treasury, version: String(version) },
})

test('the hubs of all chains hear of another treasury, and of the first one when they pay by it', async () => {
  const [first, second, third] = [newAddress(), newAddress(), newAddress()]
  await replaceBy(first)
  expect([...(await queued())]).toEqual([])
  await replaceBy(second)
  const both = [entry(NETWORK, second, 2), entry(OTHER_NETWORK, second, 2)]
  expect([...(await queued())]).toEqual(both)
  await replaceBy(third)
  expect([...(await queued())]).toEqual([
    ...both,
    entry(NETWORK, third, 3),
    entry(OTHER_NETWORK, third, 3),
  ])
})

test('a chain that is added hears of those who had another treasury before, once', async () => {
  const treasury = newAddress()
  await sql`update merchant set recipient = ${treasury}, config_version = 7 where id = ${merchantId}`
  await storeMerchant(sql, { recipient: newAddress(), configVersion: 1 })
  await storeMerchant(sql)
  await begin(OTHER_NETWORK)
  expect([...(await queued())]).toEqual([entry(OTHER_NETWORK, treasury, 7)])
  // Whatever has become of it since.
  await sql`update work_item set state = 'settled'`
  await begin(OTHER_NETWORK)
  expect([...(await queued())]).toEqual([])
  await begin(NETWORK)
  expect([...(await queued())]).toEqual([entry(NETWORK, treasury, 7)])
})
