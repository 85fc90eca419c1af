import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId } from '../../../core/base/ids.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { Invoice, Payment } from '../../../core/invoice/state.ts'
import { hasTransfer, indexerHeads, newTransfers } from '../../../store/chain/transfers.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storePayment,
  USDC,
} from '../../support/store/invoice.ts'

/** Tables in the place of the views that follow the indexer's deployment, with the same columns. */

const CHAIN = 84_532
const OTHER_CHAIN = 1

let sql: Database
let invoice: Invoice
beforeAll(async () => {
  sql = await freshDatabase()
  await sql`create schema indexed`
  await sql`
    create table indexed.transfer (chain_id integer, block_hash text, block_number bigint,
      block_timestamp bigint, tx_hash text, log_index integer, token text, "from" text, "to" text,
      amount numeric(78, 0))`
  await sql`create table indexed._ponder_checkpoint (chain_id bigint, latest_checkpoint text)`
  await sql`
    insert into indexed._ponder_checkpoint
    values (${CHAIN}, ${checkpoint(77n)}), (${OTHER_CHAIN}, ${checkpoint(11n)})`
})
beforeEach(async () => {
  await sql`truncate indexed.transfer`
  invoice = await storeInvoice(sql, await storeMerchant(sql))
})
afterAll(() => sql.end({ timeout: 1 }))

/** Ponder's: a timestamp of 10 digits, a chain id of 16, the block number of 16, and the rest. */
function checkpoint(block: bigint): string {
  return `${'1'.repeat(10)}${'2'.repeat(16)}${String(block).padStart(16, '0')}${'3'.repeat(33)}`
}

interface Log {
  readonly chainId: number
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly txHash: Hex
  readonly logIndex: number
  readonly to: Address
  readonly amount: bigint
}

async function index(change: Partial<Log> = {}): Promise<Log> {
  const log = {
    ...{ chainId: CHAIN, blockHash: newHash(), blockNumber: 20n, txHash: newHash(), logIndex: 3 },
    ...{ to: invoice.depositAddress, amount: 10n },
    ...change,
  }
  const { chainId, blockHash, blockNumber, txHash, logIndex, to, amount } = log
  await sql`
    insert into indexed.transfer
    values (${chainId}, ${blockHash}, ${blockNumber}, 1000, ${txHash}, ${logIndex}, ${USDC.address},
      ${newAddress()}, ${to}, ${amount})`
  return log
}

const hashes = (rows: readonly { readonly txHash: Hex }[]) => rows.map(({ txHash }) => txHash)

describe('the transfers that the ledger does not show', () => {
  async function fresh(change: { limit?: number; without?: InvoiceId[]; fromBlock?: bigint } = {}) {
    const { limit = 10, without = [], fromBlock = 20n } = change
    const range = { networkId: NETWORK, chainId: CHAIN, fromBlock, limit, without }
    return newTransfers(sql, range)
  }

  test('are those to deposits, of something, from a block on, on this chain, in its order', async () => {
    const third = await index({ blockNumber: 21n })
    const second = await index({ logIndex: 4 })
    const first = await index({ logIndex: 3 })
    await index({ blockNumber: 19n })
    await index({ amount: 0n })
    await index({ chainId: OTHER_CHAIN })
    const forwarder = newAddress()
    await sql`
      insert into watched (address, kind, merchant_id)
      values (${forwarder}, 'forwarder', ${invoice.merchantId})`
    await index({ to: forwarder })
    await index({ to: newAddress() })
    const { head, transfers } = await fresh()
    expect(head).toBe(77n)
    expect(hashes(transfers)).toEqual(hashes([first, second, third]))
    expect(transfers[0]).toMatchObject({ invoiceId: invoice.id, amount: 10n })
    expect(hashes((await fresh({ limit: 2 })).transfers)).toEqual(hashes([first, second]))
    expect(await fresh({ without: [invoice.id] })).toEqual({ head: 77n, transfers: [] })
  })

  test.each([
    ['is there', {}, false],
    ['was taken back', { status: 'reverted' }, true],
    ['is on another chain', { networkId: OTHER_NETWORK }, true],
    ['is another transaction’s', { txHash: newHash() }, true],
    ['is another log’s', { logIndex: 9 }, true],
    ['is in another block', { blockHash: newHash() }, true],
  ] as const)('are new when the payment %s', async (_name, change: Partial<Payment>, isNew) => {
    const { blockHash, txHash, logIndex } = await index()
    await storePayment(sql, invoice.id, 10n, { blockHash, txHash, logIndex, ...change })
    expect((await fresh()).transfers).toHaveLength(isNew ? 1 : 0)
  })
})

test('a transfer is there as this log of this block on this chain', async () => {
  const { blockHash, logIndex } = await index()
  const has = (change: Partial<Log> = {}) =>
    hasTransfer(sql, { chainId: CHAIN, blockHash, logIndex, ...change })
  expect(await has()).toBe(true)
  expect(await has({ chainId: OTHER_CHAIN })).toBe(false)
  expect(await has({ blockHash: newHash() })).toBe(false)
  expect(await has({ logIndex: logIndex + 1 })).toBe(false)
})

test('every chain has its own head', async () => {
  expect(await indexerHeads(sql)).toEqual(
    new Map([
      [CHAIN, 77n],
      [OTHER_CHAIN, 11n],
    ]),
  )
})

test('an indexer that was never ready has found nothing, and another fault is a fault', async () => {
  const empty = await freshDatabase()
  try {
    const range = { networkId: NETWORK, chainId: CHAIN, fromBlock: 0n, limit: 10, without: [] }
    expect(await newTransfers(empty, range)).toEqual({ head: null, transfers: [] })
    const log = { chainId: CHAIN, blockHash: newHash(), logIndex: 1 }
    expect(await hasTransfer(empty, log)).toBe(false)
    expect(await indexerHeads(empty)).toEqual(new Map())
    await empty`create schema indexed`
    await empty`create table indexed.transfer (nothing text)`
    expect(hasTransfer(empty, log)).rejects.toThrow('does not exist')
  } finally {
    await empty.end({ timeout: 1 })
  }
})
