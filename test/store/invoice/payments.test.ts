import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Payment } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  type ObservedTransfer,
  recordTransfer,
  revertFormerBlocks,
  setConfirmed,
  setReverted,
} from '../../../store/invoice/payments.ts'
import {
  displacedPayments,
  lostTransactions,
  pendingPayments,
} from '../../../store/invoice/undecided.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storePayment,
  USDC,
  USDC_ELSEWHERE,
} from '../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

async function newInvoice(): Promise<InvoiceId> {
  return (await storeInvoice(sql, await storeMerchant(sql))).id
}

function aTransfer(change: Partial<ObservedTransfer> = {}): ObservedTransfer {
  return {
    networkId: NETWORK,
    txHash: newHash(),
    logIndex: 3,
    token: USDC.address,
    sender: newAddress(),
    amount: baseUnits(10n),
    blockNumber: 7n,
    blockHash: newHash(),
    blockTime: NOW,
    ...change,
  }
}

async function paymentsOf(invoiceId: InvoiceId): Promise<Payment[]> {
  return sql<Payment[]>`
    select * from payment where invoice_id = ${invoiceId} order by detected_order`
}

async function only(invoiceId: InvoiceId): Promise<Payment> {
  const [payment, ...others] = await paymentsOf(invoiceId)
  if (!payment || others.length > 0) throw new Error('the invoice has not just one payment')
  return payment
}

describe('a transfer', () => {
  const record = (invoiceId: InvoiceId, transfer: ObservedTransfer) =>
    sql.begin((transaction) => recordTransfer(transaction, { ...transfer, invoiceId }, 'counted'))

  test('is pending when it is first seen, and nothing new when it is seen again', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    expect(await record(invoiceId, transfer)).toEqual([
      { payment: { kind: 'counted' }, from: null, to: 'pending' },
    ])
    expect(await record(invoiceId, transfer)).toEqual([])
    expect(await only(invoiceId)).toMatchObject({ status: 'pending', blockNumber: 7n })
  })

  test.each([
    ['network', { networkId: OTHER_NETWORK }],
    ['transaction', { txHash: newHash() }],
    ['log of the block', { logIndex: 4 }],
    ['token', { token: USDC_ELSEWHERE.address, logIndex: 4, blockHash: newHash() }],
    ['sender', { sender: newAddress(), blockHash: newHash() }],
    ['amount', { amount: baseUnits(11n), blockHash: newHash() }],
  ] as const)('of another %s is another payment', async (_name, change) => {
    const invoiceId = await newInvoice()
    const first = aTransfer()
    await record(invoiceId, first)
    await record(invoiceId, { ...first, ...change })
    expect(await paymentsOf(invoiceId)).toHaveLength(2)
  })

  test('to another invoice is another payment', async () => {
    const [one, two] = [await newInvoice(), await newInvoice()]
    const first = aTransfer()
    await record(one, first)
    const moved = { ...first, blockHash: newHash() }
    await record(two, moved)
    expect(await only(one)).toMatchObject({ blockHash: first.blockHash })
    expect(await only(two)).toMatchObject({ blockHash: moved.blockHash })
  })

  test('in another block takes its confirmation back', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    await record(invoiceId, transfer)
    await confirm(await only(invoiceId))
    const moved = { ...transfer, blockHash: newHash(), blockNumber: 8n, logIndex: 9 }
    expect(await record(invoiceId, moved)).toEqual([
      { payment: { kind: 'counted' }, from: 'confirmed', to: 'reverted' },
      { payment: { kind: 'counted' }, from: 'reverted', to: 'pending' },
    ])
    const { blockHash, blockNumber, logIndex } = moved
    const expected = { status: 'pending', confirmedAt: null, blockHash, blockNumber, logIndex }
    expect(await only(invoiceId)).toMatchObject(expected)
  })

  test('in another block before it is confirmed changes nothing that is told', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    await record(invoiceId, transfer)
    expect(await record(invoiceId, { ...transfer, blockHash: newHash() })).toEqual([])
    expect(await paymentsOf(invoiceId)).toHaveLength(1)
  })

  test('that was taken back comes back, in its old block too', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    await record(invoiceId, transfer)
    await revert(await only(invoiceId))
    expect(await record(invoiceId, transfer)).toEqual([
      { payment: { kind: 'counted' }, from: 'reverted', to: 'pending' },
    ])
    expect((await only(invoiceId)).status).toBe('pending')
  })

  test('stays accepted in whatever block it is', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    await record(invoiceId, transfer)
    await sql`update payment set accepted_at = now() where invoice_id = ${invoiceId}`
    await sql.begin((transaction) =>
      recordTransfer(transaction, { ...transfer, invoiceId, blockHash: newHash() }, 'late'),
    )
    expect((await only(invoiceId)).kind).toBe('counted')
  })

  test('that was not accepted is as late as its new block', async () => {
    const invoiceId = await newInvoice()
    const transfer = aTransfer()
    await record(invoiceId, transfer)
    await revert(await only(invoiceId))
    const changes = await sql.begin((transaction) =>
      recordTransfer(transaction, { ...transfer, invoiceId, blockHash: newHash() }, 'late'),
    )
    expect(changes).toEqual([{ payment: { kind: 'late' }, from: 'reverted', to: 'pending' }])
    expect((await only(invoiceId)).kind).toBe('late')
  })

  test('of two alike goes to the row that is in its block already', async () => {
    const invoiceId = await newInvoice()
    const one = aTransfer({ logIndex: 1 })
    const two = { ...one, logIndex: 2 }
    await record(invoiceId, one)
    await record(invoiceId, two)
    const moved = newHash()
    await record(invoiceId, { ...two, blockHash: moved })
    await record(invoiceId, { ...one, blockHash: moved })
    const rows = await paymentsOf(invoiceId)
    expect(rows.map(({ logIndex, blockHash }) => [logIndex, blockHash])).toEqual([
      [1, moved],
      [2, moved],
    ])
  })
})

describe('what a transaction had done in its former block', () => {
  const revertFormer = (invoiceId: InvoiceId, transfer: ObservedTransfer) =>
    sql.begin((transaction) => revertFormerBlocks(transaction, [{ ...transfer, invoiceId }], NOW))

  test('is taken back', async () => {
    const invoiceId = await newInvoice()
    const { txHash } = await storePayment(sql, invoiceId, 10n)
    expect(await revertFormer(invoiceId, aTransfer({ txHash }))).toMatchObject([
      { from: 'confirmed', to: 'reverted' },
    ])
    const expected = { status: 'reverted', revertedAt: NOW, confirmedAt: null }
    expect(await only(invoiceId)).toMatchObject(expected)
  })

  test.each([
    ['in this very block', { blockHash: newHash() }],
    ['on another chain', { networkId: OTHER_NETWORK }],
    ['taken back before', { status: 'reverted' }],
  ] as const)('stays as it is when it is %s', async (_name, change) => {
    const invoiceId = await newInvoice()
    const stored = await storePayment(sql, invoiceId, 10n, change)
    const { txHash } = stored
    const blockHash = 'blockHash' in change ? change.blockHash : newHash()
    expect(await revertFormer(invoiceId, aTransfer({ txHash, blockHash }))).toEqual([])
    expect((await only(invoiceId)).status).toBe(stored.status)
  })

  test('stays as it is when another transaction did it, or it is another invoice’s', async () => {
    const [one, two] = [await newInvoice(), await newInvoice()]
    const { txHash } = await storePayment(sql, one, 10n)
    expect(await revertFormer(one, aTransfer())).toEqual([])
    expect(await revertFormer(two, aTransfer({ txHash }))).toEqual([])
    expect((await only(one)).status).toBe('confirmed')
  })
})

async function confirm(payment: Payment) {
  return sql.begin((transaction) => setConfirmed(transaction, [payment], NOW))
}

async function revert(payment: Payment) {
  return sql.begin((transaction) => setReverted(transaction, [payment], NOW))
}

describe('a payment is confirmed', () => {
  test('once, and others are not', async () => {
    const invoiceId = await newInvoice()
    const other = await storePayment(sql, await newInvoice(), 1n, { status: 'pending' })
    const payment = await storePayment(sql, invoiceId, 10n, { status: 'pending' })
    expect(await confirm(payment)).toMatchObject([{ from: 'pending', to: 'confirmed' }])
    expect(await confirm(payment)).toEqual([])
    expect(await only(invoiceId)).toMatchObject({ status: 'confirmed', confirmedAt: NOW })
    expect((await only(other.invoiceId)).status).toBe('pending')
  })

  test('in the block for which that was found out, and in no other', async () => {
    const invoiceId = await newInvoice()
    const payment = await storePayment(sql, invoiceId, 10n, { status: 'pending' })
    expect(await confirm({ ...payment, blockHash: newHash() })).toEqual([])
    expect((await only(invoiceId)).status).toBe('pending')
  })

  test('only while it is pending', async () => {
    const invoiceId = await newInvoice()
    const payment = await storePayment(sql, invoiceId, 10n, { status: 'reverted' })
    expect(await confirm(payment)).toEqual([])
    expect((await only(invoiceId)).status).toBe('reverted')
  })
})

describe('a payment is taken back', () => {
  test('once, and others are not', async () => {
    const payment = await storePayment(sql, await newInvoice(), 10n)
    const other = await storePayment(sql, await newInvoice(), 10n, { blockHash: payment.blockHash })
    expect(await revert(payment)).toMatchObject([{ from: 'confirmed', to: 'reverted' }])
    expect(await revert(payment)).toEqual([])
    expect((await only(other.invoiceId)).status).toBe('confirmed')
  })

  test('not when it has moved to another block, or changed, since that was found out', async () => {
    const invoiceId = await newInvoice()
    const payment = await storePayment(sql, invoiceId, 10n)
    expect(await revert({ ...payment, blockHash: newHash() })).toEqual([])
    expect(await revert({ ...payment, status: 'pending' })).toEqual([])
    expect((await only(invoiceId)).status).toBe('confirmed')
  })
})

describe('the payments that may be deep enough', () => {
  const pending = (networkId: string, block: bigint, without: InvoiceId[] = [], limit = 100) =>
    pendingPayments(sql, networkId, block, without, limit)

  test('are the pending ones up to the block, on this chain, in the order of blocks', async () => {
    const networkId = 'polygon'
    const invoiceId = await newInvoice()
    const store = (blockNumber: bigint, status: Payment['status'], network = networkId) =>
      storePayment(sql, invoiceId, 1n, { blockNumber, status, networkId: network })
    const upper = await store(20n, 'pending')
    const lower = await store(19n, 'pending')
    await store(21n, 'pending')
    await store(18n, 'confirmed')
    await store(18n, 'pending', 'arbitrum')
    const idsOf = (payments: readonly Payment[]) => payments.map(({ id }) => id)
    expect(idsOf(await pending(networkId, 20n))).toEqual([lower.id, upper.id])
    expect(idsOf(await pending(networkId, 20n, [], 1))).toEqual([lower.id])
    expect(await pending(networkId, 20n, [invoiceId])).toEqual([])
  })
})

describe('the payments whose block was displaced', () => {
  test('are those that stand in a block which is not the one at that height', async () => {
    const networkId = 'optimism'
    const invoiceId = await newInvoice()
    const [canonical, former] = [newHash(), newHash()]
    await sql`
      insert into chain_block (network_id, number, hash, parent_hash, time)
      values (${networkId}, 20, ${canonical}, ${newHash()}, now()),
        ('arbitrum', 20, ${newHash()}, ${newHash()}, now())`
    const store = (change: Partial<Payment>) =>
      storePayment(sql, invoiceId, 1n, {
        networkId,
        blockNumber: 20n,
        blockHash: former,
        ...change,
      })
    const displaced = await store({})
    const second = await store({ status: 'pending' })
    await store({ blockHash: canonical })
    await store({ status: 'reverted' })
    await store({ blockNumber: 21n })
    await store({ networkId: 'arbitrum' })
    const read = async (without: InvoiceId[] = [], limit = 100) =>
      (await displacedPayments(sql, networkId, without, limit)).map(({ id }) => id)
    expect(await read()).toEqual([displaced.id, second.id])
    expect(await read([], 1)).toEqual([displaced.id])
    expect(await read([invoiceId])).toEqual([])
  })
})

describe('the transactions that were taken back', () => {
  test('are those of these tokens since the moment, the newest first, each of them once', async () => {
    const networkId = 'avalanche'
    const invoice = await storeInvoice(sql, await storeMerchant(sql))
    const token = newAddress()
    const since = new Date('2026-06-01T11:00:00Z')
    const store = async (minute: number, change: Partial<Payment> = {}) => {
      const payment = await storePayment(sql, invoice.id, 1n, {
        ...{ networkId, token, status: 'reverted' },
        ...change,
      })
      const at = new Date(since.getTime() + minute * 60_000)
      await sql`update payment set reverted_at = ${at} where id = ${payment.id}`
      return payment
    }
    const older = await store(1)
    const newer = await store(2)
    await store(2, { txHash: newer.txHash })
    await store(0)
    await store(3, { status: 'pending' })
    await store(3, { token: newAddress() })
    await store(3, { networkId: 'arbitrum' })
    const lost = (without: InvoiceId[] = [], limit = 100) =>
      lostTransactions(sql, networkId, [token], since, without, limit)
    const expected = [newer, older].map(({ txHash }) => ({
      invoiceId: invoice.id,
      deposit: invoice.depositAddress,
      txHash,
    }))
    expect(await lost()).toEqual(expected)
    expect(await lost([], 1)).toEqual(expected.slice(0, 1))
    expect(await lost([invoice.id])).toEqual([])
  })
})
