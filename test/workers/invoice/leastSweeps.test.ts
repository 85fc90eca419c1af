import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import pino from 'pino'
import { openChain } from '../../../chain/rpc/client.ts'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import type { Variables } from '../../../core/config/reader.ts'
import type { SettlementState } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { wakeHeldInvoices } from '../../../workers/invoice/leastSweeps.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { asWorker, freshDatabase } from '../../support/servers/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
} from '../../support/store/invoice.ts'

/** What is held for being too little, when the operator changes what is too little. */

const SILENT = pino({ level: 'silent' })

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate invoice, watched, payment, settlement, refund, refund_part, chain_state cascade`
  merchantId = await storeMerchant(sql)
  await storeChain(sql, { networkId: NETWORK })
})
afterAll(() => sql.end({ timeout: 1 }))

async function begin(variables: Variables): Promise<void> {
  const config = storeConfig(variables)
  const chain = config.chains.find(({ networkId }) => networkId === NETWORK)
  if (chain === undefined) throw new Error(`${NETWORK} is not switched on`)
  const client = openChain(chain)
  const context = { database: asWorker(sql), config, client, work: new LedgerWork(SILENT) }
  await wakeHeldInvoices(context, SILENT)
}

async function held(chains = [NETWORK]): Promise<InvoiceId> {
  const { id } = await storeInvoice(sql, merchantId, {
    status: 'paid',
    settlementState: 'below_gas_threshold',
    chains,
  })
  return id
}

async function stateOf(id: InvoiceId): Promise<SettlementState | undefined> {
  const [row] = await sql<{ settlementState: SettlementState }[]>`
    select settlement_state from invoice where id = ${id}`
  return row?.settlementState
}

test('it is due as soon as a leader begins with other least sweeps, and only then', async () => {
  await begin({ MIN_SWEEP_USDC_BASE_SEPOLIA: '5' })
  const [here, elsewhere] = [await held(), await held([OTHER_NETWORK])]
  await begin({ MIN_SWEEP_USDC_BASE_SEPOLIA: '5' })
  expect(await stateOf(here)).toBe('below_gas_threshold')
  await begin({ MIN_SWEEP_USDC_BASE_SEPOLIA: '1' })
  expect([await stateOf(here), await stateOf(elsewhere)]).toEqual(['due', 'below_gas_threshold'])
})

test('it is due when no leader has noted any least sweeps before', async () => {
  const id = await held()
  await begin({})
  expect(await stateOf(id)).toBe('due')
})
