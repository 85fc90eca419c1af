import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { saveProjectedBlock } from '../../../store/chain/state.ts'
import { settleAccess } from '../../../store/database/access.ts'
import type { Database } from '../../../store/database/database.ts'
import { findInvoice } from '../../../store/invoice/invoices.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { confirmPayments, revertPayments } from '../../../workers/invoice/projector.ts'
import { type LedgerRig, ledgerRig } from '../../support/invoice/ledger.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import { play } from '../../support/servers/provider.ts'
import { newHash } from '../../support/store/database.ts'

/** What it takes for a payment to count, and to be taken back. */

let shared: RelayerRig
let database: Database
let rig: LedgerRig
let invoice: Invoice
/** The block of the invoice's one payment. */
let block: bigint

beforeAll(async () => {
  shared = await openRelayerRig({ relayers: 1 })
}, 120_000)
afterAll(() => shared?.close())

/** A payment that is recorded, and deep enough. */
beforeEach(async () => {
  const { chain, node } = shared
  const { client, usdc, networkId } = chain
  node.rule()
  database = await shared.ownDatabase()
  await database`create schema indexed`
  await database`
    create table indexed.transfer (chain_id integer, block_hash text, log_index integer)`
  await settleAccess(database)
  rig = await ledgerRig(database, chain, node.url)
  invoice = await rig.invoice()
  await chain.mint([{ to: invoice.depositAddress, amount: 5n }])
  const { number, timestamp } = await client.getBlock()
  block = number
  const logs = await transfersTo(client, [usdc.address], [invoice.depositAddress], number, number)
  const blockTime = new Date(Number(timestamp) * 1000)
  const at = { networkId, blockTime, invoiceId: invoice.id }
  const seen = logs.map(({ from: sender, ...log }) => ({ ...log, ...at, sender }))
  await recordTransfers(rig.projection, seen, new Date())
  await rig.follow()
  await chain.mine()
  await saveProjectedBlock(database, networkId, number)
}, 120_000)

async function statuses(): Promise<string[]> {
  const found = await findInvoice(database, rig.merchantId, invoice.id)
  return (found?.payments ?? []).map(({ status }) => status)
}

/** The ledger has another block at the payment's height than it had. */
async function displaceBlock(): Promise<void> {
  await database`update chain_block set hash = ${newHash()} where number = ${block}`
}

/** The payment was seen in a block that is nowhere any more. */
async function displacePayment(): Promise<void> {
  await database`update payment set block_hash = ${newHash()}`
}

async function revert(): Promise<string[]> {
  await revertPayments(rig.projection, new Date())
  return statuses()
}

describe('a payment in a block that was displaced', () => {
  beforeEach(async () => {
    await rig.follow()
    expect(await statuses()).toEqual(['confirmed'])
  })

  test('is taken back when indexer and node agree that it is gone', async () => {
    await displacePayment()
    expect(await revert()).toEqual(['reverted'])
  })

  test('stays until the indexer has passed its height again', async () => {
    const { networkId } = shared.chain
    await displacePayment()
    await saveProjectedBlock(database, networkId, block - 1n)
    expect(await revert()).toEqual(['confirmed'])
    await saveProjectedBlock(database, networkId, block)
    expect(await revert()).toEqual(['reverted'])
  })

  test('stays as long as the indexer has it', async () => {
    await displacePayment()
    await database`
      insert into indexed.transfer
      select ${rig.projection.client.chain.chainId}, block_hash, log_index from payment`
    expect(await revert()).toEqual(['confirmed'])
    await database`delete from indexed.transfer`
    expect(await revert()).toEqual(['reverted'])
  })

  test('stays as long as the node has it there', async () => {
    await displaceBlock()
    expect(await revert()).toEqual(['confirmed'])
  })

  test('stays while a node merely lacks its receipt', async () => {
    await displaceBlock()
    shared.node.rule(({ method }) =>
      method === 'eth_getTransactionReceipt' ? { type: 'result', result: null } : undefined,
    )
    expect(await revert()).toEqual(['confirmed'])
    await displacePayment()
    expect(await revert()).toEqual(['reverted'])
  })
})

describe('a payment that is deep enough', () => {
  async function resetStack(): Promise<void> {
    await database`update payment set status = 'pending', confirmed_at = null`
  }

  async function confirm(): Promise<string[]> {
    await confirmPayments(rig.projection, new Date())
    return statuses()
  }

  test('does not count until the node shows it in its block', async () => {
    play(shared.node, { nullReceipts: true })
    await rig.follow()
    expect(await confirm()).toEqual(['pending'])
    play(shared.node)
    expect(await confirm()).toEqual(['confirmed'])
  })

  test('is taken back instead when its block was displaced', async () => {
    await displacePayment()
    await rig.follow()
    expect(await statuses()).toEqual(['reverted'])
  })

  test('does not count when the ledger has another block at its height', async () => {
    await rig.follow()
    await resetStack()
    await displaceBlock()
    expect(await confirm()).toEqual(['pending'])
  })

  test('is checked with the node when the ledger has no block at its height', async () => {
    await rig.follow()
    await resetStack()
    await database`delete from chain_block where number = ${block}`
    // A node that lags behind: it has neither.
    const unknown = ['eth_getBlockByNumber', 'eth_getTransactionReceipt']
    shared.node.rule(({ method }) =>
      unknown.includes(method) ? { type: 'result', result: null } : undefined,
    )
    expect(await confirm()).toEqual(['pending'])
    shared.node.rule()
    expect(await confirm()).toEqual(['confirmed'])
  })
})
