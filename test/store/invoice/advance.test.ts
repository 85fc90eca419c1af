import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asInvoiceId, type InvoiceId, type MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Invoice, Settlement } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash, openTransaction } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeSettlement,
  USDC,
  USDC_ELSEWHERE,
} from '../../support/store/invoice.ts'

const CONFIG = storeConfig({
  SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA: '5',
  MIN_SWEEP_USDC_BASE_SEPOLIA: '0.1',
  RPC_URL_SEPOLIA: 'http://127.0.0.1:9',
  RELAYER_KEYS_SEPOLIA: `0x${'11'.repeat(32)}`,
})
const NOW = new Date()
const HEAD = 100n
/** The newest block with five confirmations at the head. */
const DEEP = 96n

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql, { recipient: newAddress(), configVersion: 1 })
  await storeChain(sql, { head: HEAD })
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)
const advance = (id: InvoiceId, now = NOW) =>
  sql.begin((transaction) => advanceInvoice(transaction, CONFIG, id, now))

async function sweepsOf(id: InvoiceId): Promise<Settlement[]> {
  return sql<Settlement[]>`select * from settlement where invoice_id = ${id} order by round`
}

async function itemOf({ id }: Settlement) {
  const [row] = await sql<{ waitsFor: bigint | null; notBefore: Date; networkId: string }[]>`
    select waits_for, not_before, network_id from work_item where payload->>'settlementId' = ${id}`
  if (!row) throw new Error('nothing was queued for the settlement')
  return row
}

async function stateOf(id: InvoiceId) {
  const [row] = await sql`
    select status, settlement_state, version, settlement_error from invoice where id = ${id}`
  return row
}

async function told(id: InvoiceId): Promise<string[]> {
  const rows = await sql<{ type: string; version: number }[]>`
    select type, version from outbox where object_id = ${id} order by version`
  return rows.map(({ type, version }) => `${version} ${type}`)
}

describe('a paid invoice is swept', () => {
  test('once its payment has the settlement confirmations, and not one block before', async () => {
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n, { blockNumber: DEEP + 1n })
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toEqual([])
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'paid', settlementState: 'due' })
    await storeChain(sql, { head: HEAD + 1n })
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toMatchObject([
      { amount: 1_000_000n, fee: 5_000n, registryVersion: 1, status: 'open', round: 1 },
    ])
    expect(await stateOf(invoice.id)).toMatchObject({ settlementState: 'none' })
  })

  test('not while no one follows its chain', async () => {
    await sql`delete from chain_state where network_id = ${NETWORK}`
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n, { blockNumber: 0n })
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toEqual([])
  })

  test('as soon as may be when its recipient is set while it is found to have none', async () => {
    const shop = await storeMerchant(sql)
    const invoice = await newInvoice({ merchantId: shop })
    await storePayment(sql, invoice.id, 1_000_000n)
    const setting = await openTransaction(sql, async (transaction) => {
      await transaction`update merchant set recipient = ${newAddress()} where id = ${shop}`
    })
    // It does not wait: with the locks of other invoices it could deadlock with what sets it.
    await advance(invoice.id)
    expect(await stateOf(invoice.id)).toMatchObject({ settlementState: 'due' })
    await setting.commit()
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toHaveLength(1)
  })

  test('not for less than a sweep is worth', async () => {
    const invoice = await newInvoice({ amountExpected: baseUnits(90_000n) })
    await storePayment(sql, invoice.id, 99_999n)
    await advance(invoice.id)
    expect(await stateOf(invoice.id)).toMatchObject({ settlementState: 'below_gas_threshold' })
    await storePayment(sql, invoice.id, 1n)
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toMatchObject([{ amount: 100_000n }])
  })

  test('in its own token on the chains that it lists only', async () => {
    await storeChain(sql, { networkId: OTHER_NETWORK, head: HEAD })
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n)
    await storePayment(sql, invoice.id, 500_000n, {
      ...{ networkId: OTHER_NETWORK, token: USDC_ELSEWHERE.address },
    })
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toMatchObject([{ networkId: NETWORK, token: USDC.address }])
    const both = await newInvoice({ chains: [NETWORK, OTHER_NETWORK] })
    for (const [networkId, token] of [
      [NETWORK, USDC.address],
      [OTHER_NETWORK, USDC_ELSEWHERE.address],
    ] as const) {
      await storePayment(sql, both.id, 600_000n, { networkId, token })
    }
    await advance(both.id)
    expect(await sweepsOf(both.id)).toHaveLength(2)
  })

  test('to the merchant’s recipient after its registry entry, to its own without one', async () => {
    const registered = await newInvoice()
    const own = await newInvoice({ recipient: newAddress() })
    for (const { id } of [registered, own]) {
      await storePayment(sql, id, 1_000_000n)
      await advance(id)
    }
    const [first] = await sweepsOf(registered.id)
    const [second] = await sweepsOf(own.id)
    if (!first || !second) throw new Error('a sweep is missing')
    expect((await itemOf(first)).waitsFor).not.toBeNull()
    expect(second).toMatchObject({ recipient: own.recipient, registryVersion: 0 })
    expect((await itemOf(second)).waitsFor).toBeNull()
  })

  test('once: looking at it again changes nothing and tells nothing', async () => {
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n)
    await advance(invoice.id)
    const events = await told(invoice.id)
    const before = await stateOf(invoice.id)
    await advance(invoice.id)
    expect(await sweepsOf(invoice.id)).toHaveLength(1)
    expect(await told(invoice.id)).toEqual(events)
    expect(await stateOf(invoice.id)).toEqual(before ?? {})
  })
})

describe('a sweep that failed', () => {
  const failed = { status: 'failed', error: 'RecipientBlocked', recipient: newAddress() } as const

  test.each([
    [0, 0],
    [1, 15_000],
    [2, 60_000],
    [5, 60_000],
  ])('%d times before waits for %d ms', async (failures, pauseMs) => {
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n)
    for (let round = 1; round <= failures; round += 1) {
      await storeSettlement(sql, invoice.id, 1_000_000n, { ...failed, round })
    }
    await advance(invoice.id)
    const sweep = (await sweepsOf(invoice.id)).at(-1)
    expect(sweep).toMatchObject({ status: 'open', round: failures + 1 })
    const { notBefore } = sweep ? await itemOf(sweep) : { notBefore: null }
    expect(notBefore).toEqual(new Date(NOW.getTime() + pauseMs))
  })

  test('elsewhere, or that did not fail, lets none wait', async () => {
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 2_000_000n)
    await storeSettlement(sql, invoice.id, 500_000n)
    await storeSettlement(sql, invoice.id, 1n, { ...failed, networkId: OTHER_NETWORK })
    await advance(invoice.id)
    const sweep = (await sweepsOf(invoice.id)).find(({ status }) => status === 'open')
    const { notBefore } = sweep ? await itemOf(sweep) : { notBefore: null }
    expect(notBefore).toEqual(NOW)
  })

  test('too often is told once, with the newest reason', async () => {
    const [merchant] = await sql`select recipient from merchant where id = ${merchantId}`
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 1_000_000n)
    await storeSettlement(sql, invoice.id, 1n, { status: 'open', round: 9 })
    for (let round = 1; round <= 3; round += 1) {
      await storeSettlement(sql, invoice.id, 1_000_000n, {
        ...{ ...failed, round, error: `reason ${round}`, createdAt: NOW },
        recipient: merchant?.recipient,
      })
    }
    await sql`delete from settlement where round = 9`
    const failures = async () =>
      (await told(invoice.id)).filter((event) => event.endsWith('settlement.failed'))
    await advance(invoice.id)
    expect(await failures()).toHaveLength(1)
    await advance(invoice.id)
    expect(await failures()).toHaveLength(1)
    const expected = { settlementState: 'failed', settlementError: 'reason 3' }
    expect(await stateOf(invoice.id)).toMatchObject(expected)
  })
})

describe('the versions of an invoice', () => {
  test('grow by one with each event', async () => {
    const invoice = await newInvoice()
    const transfer = {
      ...{ invoiceId: invoice.id, networkId: NETWORK, token: USDC.address, txHash: newHash() },
      ...{ logIndex: 1, sender: newAddress(), amount: baseUnits(1_000_000n) },
      ...{ blockNumber: 50n, blockHash: newHash(), blockTime: NOW },
    }
    await recordTransfers({ database: sql, config: CONFIG }, [transfer], NOW)
    expect(await told(invoice.id)).toEqual(['2 invoice.payment_detected'])
    expect(await stateOf(invoice.id)).toMatchObject({ version: 2 })
    await sql`update payment set status = 'confirmed', confirmed_at = now()`
    await advance(invoice.id)
    expect(await told(invoice.id)).toEqual(['2 invoice.payment_detected', '3 invoice.paid'])
    expect(await stateOf(invoice.id)).toMatchObject({ version: 3 })
  })

  test.each([
    ['pending', { status: 'pending' }],
    ['late', { kind: 'late' }],
    ['refunded', { kind: 'late', refunded: baseUnits(1n) }],
  ] as const)('grow without an event when there is something %s', async (_name, change) => {
    const invoice = await newInvoice()
    await storePayment(sql, invoice.id, 10n, change)
    await advance(invoice.id)
    expect(await told(invoice.id)).toEqual([])
    expect(await stateOf(invoice.id)).toMatchObject({ version: 2 })
    await advance(invoice.id)
    expect(await stateOf(invoice.id)).toMatchObject({ version: 2 })
  })
})

test('each payment bears its share of the fee, and none once it is taken back', async () => {
  const invoice = await newInvoice()
  const kept = await storePayment(sql, invoice.id, 500_000n)
  const lost = await storePayment(sql, invoice.id, 500_000n)
  const feesOf = async () => {
    const rows = await sql<{ id: string; fee: bigint }[]>`
      select id, fee from payment where invoice_id = ${invoice.id}`
    return [kept, lost].map(({ id }) => rows.find((row) => row.id === id)?.fee)
  }
  await advance(invoice.id)
  expect(await feesOf()).toEqual([2_500n, 2_500n])
  await sql`update payment set status = 'reverted', confirmed_at = null where id = ${lost.id}`
  await advance(invoice.id)
  expect((await feesOf())[1]).toBe(0n)
  // A wrong share is put right, though nothing else has changed.
  await sql`update payment set fee = 0 where id = ${kept.id}`
  await advance(invoice.id)
  expect((await feesOf())[0]).toBe(2_500n)
})

test('an invoice advances alone', async () => {
  const [invoice, other] = [await newInvoice(), await newInvoice()]
  const payment = await storePayment(sql, other.id, 500_000n)
  await storePayment(sql, invoice.id, 1_000_000n)
  await advance(invoice.id)
  expect(await stateOf(other.id)).toMatchObject({ status: 'pending', version: 1 })
  const [row] = await sql`select fee from payment where id = ${payment.id}`
  expect(row?.fee).toBe(0n)
})

test('an invoice that is not there can’t advance', () => {
  const id = asInvoiceId(Bun.randomUUIDv7())
  expect(advance(id)).rejects.toThrow(`there is no invoice ${id}`)
})
