import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import {
  bookedTransfers,
  chainsWithMoney,
  depositBooks,
  depositsAfter,
  expectedBalance,
  hubsInUse,
  minedSweepsAfter,
  sweepsOf,
} from '../../../store/books/reconciliation.ts'
import { minedRefundsAfter, refundsOf } from '../../../store/books/refundAudit.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
  USDC,
} from '../../support/store/invoice.ts'

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
})
beforeEach(async () => {
  await sql`truncate invoice, watched, payment, settlement, refund, refund_part, forwarder cascade`
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = () => storeInvoice(sql, merchantId)
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

describe('the books of a deposit at a block', () => {
  const books = async (id: InvoiceId) => {
    const rows = await depositBooks(sql, NETWORK, [id], 20n)
    expect(rows.length).toBeLessThanOrEqual(1)
    return rows[0]
  }
  const AT = { blockNumber: 20n }
  const LATER = { blockNumber: 21n }

  test('tell what came in, kind by kind', async () => {
    const { id } = await newInvoice()
    await storePayment(sql, id, 1n, AT)
    await storePayment(sql, id, 2n, { ...AT, kind: 'late', status: 'pending' })
    await storePayment(sql, id, 4n, { ...AT, kind: 'foreign' })
    await storePayment(sql, id, 8n, LATER)
    await storePayment(sql, id, 16n, { ...AT, status: 'reverted' })
    await storePayment(sql, id, 32n, { ...AT, networkId: OTHER_NETWORK })
    await storePayment(sql, (await newInvoice()).id, 64n, AT)
    expect(await books(id)).toMatchObject({ received: 1n, late: 2n, foreign: 4n, remitted: 0n })
  })

  test('tell what sweeps took, and what is owed', async () => {
    const { id } = await newInvoice()
    const fees = { fee: baseUnits(3n), feeOwed: baseUnits(1n) }
    await storeSettlement(sql, id, 10n, { ...AT, ...fees })
    await storeSettlement(sql, id, 20n, { ...AT, status: 'mined', round: 2 })
    await storeSettlement(sql, id, 40n, { ...LATER, round: 3 })
    await storeSettlement(sql, id, 40n, { ...AT, status: 'open', round: 4 })
    await storeSettlement(sql, id, 40n, { ...AT, networkId: OTHER_NETWORK })
    await storeSettlement(sql, (await newInvoice()).id, 40n, AT)
    expect(await books(id)).toMatchObject({ remitted: 27n, fees: 2n, feesOwed: 1n, refunded: 0n })
  })

  test('tell what refunds took', async () => {
    const { id } = await newInvoice()
    const mined = { txHash: newHash() }
    await storeRefund(sql, id, 1n, { ...AT, ...mined, status: 'confirmed' })
    await storeRefund(sql, id, 2n, { ...AT, ...mined, status: 'mined' })
    await storeRefund(sql, id, 4n, { ...LATER, ...mined, status: 'mined' })
    await storeRefund(sql, id, 8n, { ...AT, status: 'open' })
    const elsewhere = { networkId: OTHER_NETWORK, status: 'mined' } as const
    await storeRefund(sql, id, 16n, { ...AT, ...mined, ...elsewhere })
    await storeRefund(sql, (await newInvoice()).id, 32n, { ...AT, ...mined, status: 'mined' })
    expect(await books(id)).toMatchObject({ refunded: 3n, received: 0n })
  })

  test('add up to what it should hold', async () => {
    const { id } = await newInvoice()
    await storePayment(sql, id, 100n)
    await storePayment(sql, id, 10n, { kind: 'late' })
    await storePayment(sql, id, 5n, { kind: 'foreign' })
    await storeSettlement(sql, id, 50n, { fee: baseUnits(4n), feeOwed: baseUnits(1n) })
    await storeRefund(sql, id, 7n, { blockNumber: 20n, status: 'mined', txHash: newHash() })
    const row = await books(id)
    expect(row && expectedBalance(row)).toBe(100n + 10n + 5n - 46n - 3n - 7n)
  })

  test('name the transfers in them', async () => {
    const { id } = await newInvoice()
    const second = await storePayment(sql, id, 1n, { blockNumber: 20n })
    const first = await storePayment(sql, id, 2n, { blockNumber: 19n, status: 'pending' })
    await storePayment(sql, id, 3n, { blockNumber: 21n })
    await storePayment(sql, id, 4n, { status: 'reverted' })
    await storePayment(sql, id, 5n, { networkId: OTHER_NETWORK })
    await storePayment(sql, id, 6n, { token: newAddress() })
    await storePayment(sql, (await newInvoice()).id, 7n)
    const rows = await bookedTransfers(sql, NETWORK, id, USDC.address, 20n)
    expect(rows.map(({ txHash }) => txHash)).toEqual([first.txHash, second.txHash])
  })
})

test('deposits are walked through in the order of their addresses, and forwarders are none', async () => {
  const deposits = [await newInvoice(), await newInvoice(), await newInvoice()]
    .map(({ depositAddress }) => depositAddress)
    .sort()
  await sql`
    insert into watched (address, kind, merchant_id)
    values (${newAddress()}, 'forwarder', ${merchantId})`
  const read = async (after: (typeof deposits)[number] | null, limit: number) =>
    (await depositsAfter(sql, after, limit)).map(({ address }) => address)
  expect(await read(null, 10)).toEqual(deposits)
  expect(await read(null, 2)).toEqual(deposits.slice(0, 2))
  expect(await read(deposits[0] ?? null, 10)).toEqual(deposits.slice(1))
})

describe('the sweeps', () => {
  test('of some deposits on a chain are read, regardless of their status', async () => {
    const [invoice, other] = [await newInvoice(), await newInvoice()]
    const one = await storeSettlement(sql, invoice.id, 1n)
    const two = await storeSettlement(sql, invoice.id, 1n, { status: 'failed', round: 2 })
    await storeSettlement(sql, invoice.id, 1n, { networkId: OTHER_NETWORK })
    await storeSettlement(sql, other.id, 1n)
    const rows = await sweepsOf(sql, NETWORK, [invoice.depositAddress])
    expect(idsOf(rows).toSorted()).toEqual([one.id, two.id].toSorted())
    expect(rows[0]?.deposit).toBe(invoice.depositAddress)
  })

  test('that say they were mined up to a block are walked through in the order of their ids', async () => {
    const sweep = async (change: Parameters<typeof storeSettlement>[3]) =>
      storeSettlement(sql, (await newInvoice()).id, 1n, { blockNumber: 20n, ...change })
    const confirmed = await sweep({})
    const mined = await sweep({ status: 'mined' })
    const nowhere = await sweep({ blockNumber: null })
    await sweep({ blockNumber: 21n })
    await sweep({ status: 'open' })
    await sweep({ networkId: OTHER_NETWORK })
    const read = async (after: string | null, limit = 10) =>
      idsOf(await minedSweepsAfter(sql, NETWORK, 20n, after, limit))
    expect(await read(null)).toEqual([confirmed.id, mined.id, nowhere.id])
    expect(await read(null, 1)).toEqual([confirmed.id])
    expect(await read(confirmed.id)).toEqual([mined.id, nowhere.id])
  })
})

describe('the refunds', () => {
  test('that say they were mined up to a block are walked through in the order of their ids', async () => {
    const { id, depositAddress } = await newInvoice()
    const refund = (change: Parameters<typeof storeRefund>[3]) =>
      storeRefund(sql, id, 1n, {
        ...{ blockNumber: 20n, status: 'mined', txHash: newHash() },
        ...change,
      })
    const mined = await refund({})
    const confirmed = await refund({ status: 'confirmed' })
    const nowhere = await refund({ blockNumber: null })
    await refund({ blockNumber: 21n })
    const open = await refund({ status: 'open', txHash: null })
    await refund({ networkId: OTHER_NETWORK })
    const read = async (after: string | null, limit = 10) =>
      idsOf(await minedRefundsAfter(sql, NETWORK, 20n, after, limit))
    expect(await read(null)).toEqual([mined.id, confirmed.id, nowhere.id])
    expect(await read(null, 1)).toEqual([mined.id])
    expect(await read(mined.id)).toEqual([confirmed.id, nowhere.id])
    const all = await refundsOf(sql, NETWORK, [depositAddress])
    expect(all).toContainEqual(
      expect.objectContaining({ id: open.id, status: 'open', source: depositAddress }),
    )
    expect(await refundsOf(sql, NETWORK, [newAddress()])).toEqual([])
    expect(await refundsOf(sql, 'polygon', [depositAddress])).toEqual([])
  })
})

test('every hub that money was sent to is in use', async () => {
  const { hub } = await newInvoice()
  const forwarders = newAddress()
  await sql`
    insert into forwarder (merchant_id, address, hub)
    values (${merchantId}, ${newAddress()}, ${forwarders})`
  expect(await hubsInUse(sql)).toEqual([hub, forwarders].toSorted())
})

test('a chain has money when something stands on it', async () => {
  const { id } = await newInvoice()
  await storePayment(sql, id, 1n, { networkId: 'polygon' })
  await storePayment(sql, id, 1n, { networkId: 'optimism', status: 'reverted' })
  await storeSettlement(sql, id, 1n, { networkId: 'arbitrum', status: 'open' })
  await storeSettlement(sql, id, 1n, { networkId: 'avalanche', status: 'failed' })
  expect(await chainsWithMoney(sql)).toEqual(
    new Map([
      ['polygon', 1],
      ['arbitrum', 1],
    ]),
  )
})
