import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import type { ObservedTransfer } from '../../../store/invoice/payments.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash, storeBlock, storeChain } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeConfig,
  storeInvoice,
  storeMerchant,
  USDC,
  USDC_ELSEWHERE,
} from '../../support/store/invoice.ts'

const CONFIG = storeConfig()
const END = new Date('2026-06-01T12:00:00Z')

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

function aTransfer(change: Partial<ObservedTransfer> = {}): ObservedTransfer {
  return {
    ...{ networkId: NETWORK, token: USDC.address, txHash: newHash(), logIndex: 1 },
    ...{ sender: newAddress(), amount: baseUnits(10n) },
    ...{ blockNumber: 50n, blockHash: newHash(), blockTime: END },
    ...change,
  }
}

const record = (id: InvoiceId, ...transfers: ObservedTransfer[]) =>
  recordTransfers(
    { database: sql, config: CONFIG },
    transfers.map((transfer) => ({ ...transfer, invoiceId: id })),
    new Date(),
  )

describe('a transfer that was seen', () => {
  test.each([
    ['counts', {}, 'counted'],
    ['is late after the end', { blockTime: new Date(END.getTime() + 1) }, 'late'],
    ['is foreign in another token', { token: newAddress() }, 'foreign'],
    [
      'is foreign on a chain that is not listed',
      { networkId: OTHER_NETWORK, token: USDC_ELSEWHERE.address },
      'foreign',
    ],
  ] as const)('%s', async (_name, change, kind) => {
    const { id } = await storeInvoice(sql, await storeMerchant(sql), { expiresAt: END })
    await record(id, aTransfer(change))
    const [row] = await sql`select kind, status from payment where invoice_id = ${id}`
    expect(row).toEqual({ kind, status: 'pending' })
  })

  test('takes the place of what its transaction did in another block', async () => {
    const { id } = await storeInvoice(sql, await storeMerchant(sql))
    const [first, second] = [aTransfer({ logIndex: 1 }), aTransfer({ logIndex: 2 })]
    const txHash = first.txHash
    await record(id, first, { ...second, txHash, blockHash: first.blockHash })
    await record(id, { ...first, blockHash: newHash() })
    const rows = await sql`select status from payment where invoice_id = ${id} order by log_index`
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'reverted'])
    const [invoice] = await sql`select pending_amount from invoice where id = ${id}`
    expect(invoice?.pendingAmount).toBe(10n)
  })

  test('stays where the chain has it, whatever was read of a block that is gone', async () => {
    const { id } = await storeInvoice(sql, await storeMerchant(sql))
    await storeChain(sql, NETWORK)
    const blockHash = await storeBlock(sql, NETWORK, 51n)
    const here = aTransfer({ blockNumber: 51n, blockHash })
    await record(id, here)
    await sql`update payment set status = 'confirmed', confirmed_at = now() where invoice_id = ${id}`
    const before = { ...here, blockNumber: 50n, blockHash: newHash() }
    await storeBlock(sql, NETWORK, before.blockNumber)
    await record(id, before)
    const place = () => sql`select status, block_number from payment where invoice_id = ${id}`
    expect([...(await place())]).toEqual([{ status: 'confirmed', blockNumber: 51n }])
    // The indexer may be ahead of the blocks that are stored.
    await sql`create schema indexed`
    await sql`create table indexed.transfer (chain_id integer, block_hash text, log_index integer)`
    await sql`insert into indexed.transfer values (84532, ${before.blockHash}, ${before.logIndex})`
    await record(id, before)
    expect([...(await place())]).toEqual([{ status: 'pending', blockNumber: 50n }])
  })

  test('is one of many, which are recorded in the order in which they are given', async () => {
    const { id } = await storeInvoice(sql, await storeMerchant(sql))
    const amounts = Array.from({ length: 12 }, (_, i) => baseUnits(BigInt(i + 1)))
    const blockHash = newHash()
    await record(
      id,
      ...amounts.map((amount, logIndex) =>
        aTransfer({ amount, logIndex, blockHash, txHash: newHash() }),
      ),
    )
    const rows = await sql<{ amount: bigint }[]>`
      select amount from payment where invoice_id = ${id} order by detected_order`
    expect(rows.map(({ amount }) => amount)).toEqual(amounts)
  })

  test('to an invoice that is not there is a fault', () => {
    const id = asInvoiceId(Bun.randomUUIDv7())
    expect(record(id, aTransfer())).rejects.toThrow(`there is no invoice ${id}`)
  })
})
