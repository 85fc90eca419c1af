import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type InvoiceId, NIL_UUID } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  expectedHoldings,
  lastOpenDeposits,
  type OpenDeposit,
  openDeposits,
} from '../../../store/invoice/holdings.ts'
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
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

async function newInvoice(change: Partial<Invoice> = {}): Promise<Invoice> {
  return storeInvoice(sql, await storeMerchant(sql), change)
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000)
}

describe('the deposits that are looked at again and again', () => {
  test('are those that may still be paid, in the order of their ids, slice by slice', async () => {
    const young = await newInvoice()
    const partial = await newInvoice({ status: 'partial', createdAt: daysAgo(91) })
    await newInvoice({ status: 'completed' })
    const paid = await newInvoice({ status: 'paid', createdAt: daysAgo(91) })
    const ids = (deposits: readonly OpenDeposit[]) => deposits.map(({ invoiceId }) => invoiceId)
    const read = async (above: string, limit = 10, below: string | null = null) =>
      ids(await openDeposits(sql, { above, below }, limit))
    expect(await read(NIL_UUID)).toEqual([young.id, partial.id, paid.id])
    expect(await read(NIL_UUID, 2)).toEqual([young.id, partial.id])
    expect(await read(partial.id)).toEqual([paid.id])
    expect(await read(NIL_UUID, 10, paid.id)).toEqual([young.id, partial.id])
    const last = async (below: string | null, limit = 10, above: string = NIL_UUID) =>
      ids(await lastOpenDeposits(sql, { above, below }, limit))
    expect(await last(null)).toEqual([paid.id, partial.id, young.id])
    expect(await last(paid.id, 1)).toEqual([partial.id])
    expect(await last(null, 10, young.id)).toEqual([paid.id, partial.id])
    expect(await openDeposits(sql, { above: NIL_UUID, below: null }, 1)).toEqual([
      { invoiceId: young.id, address: young.depositAddress, createdAt: young.createdAt },
    ])
  })
})

describe('what a deposit should hold at a block', () => {
  const holdings = async (invoiceId: InvoiceId, block = 20n) => {
    const rows = await expectedHoldings(sql, NETWORK, [invoiceId], block)
    return Object.fromEntries(rows.map(({ token, amount }) => [token, amount]))
  }

  test('is what was paid in up to it, whether it counts or not, token by token', async () => {
    const { id } = await newInvoice()
    const token = newAddress()
    await storePayment(sql, id, 1n, { blockNumber: 20n })
    await storePayment(sql, id, 2n, { blockNumber: 19n, status: 'pending', kind: 'late' })
    await storePayment(sql, id, 4n, { token, kind: 'foreign' })
    await storePayment(sql, id, 8n, { blockNumber: 21n })
    await storePayment(sql, id, 16n, { status: 'reverted' })
    await storePayment(sql, id, 32n, { networkId: OTHER_NETWORK })
    await storePayment(sql, (await newInvoice()).id, 64n)
    expect(await holdings(id)).toEqual({ [USDC.address]: 3n, [token]: 4n })
  })

  test('lacks what sweeps took up to it, and keeps the fees that are owed', async () => {
    const { id } = await newInvoice()
    await storePayment(sql, id, 100n)
    const fee = { fee: baseUnits(3n), feeOwed: baseUnits(3n) }
    await storeSettlement(sql, id, 20n, { status: 'mined', blockNumber: 20n })
    await storeSettlement(sql, id, 10n, { round: 2, ...fee })
    await storeSettlement(sql, id, 40n, { round: 3, blockNumber: 21n })
    await storeSettlement(sql, id, 40n, { round: 4, status: 'open' })
    await storeSettlement(sql, id, 40n, { round: 5, status: 'failed' })
    await storeSettlement(sql, id, 40n, { networkId: OTHER_NETWORK })
    await storeSettlement(sql, (await newInvoice()).id, 40n)
    expect(await holdings(id)).toEqual({ [USDC.address]: 73n })
  })

  test('lacks what refunds took up to it', async () => {
    const { id } = await newInvoice()
    await storePayment(sql, id, 100n)
    const mined = { txHash: newHash() }
    await storeRefund(sql, id, 1n, { status: 'mined', blockNumber: 20n, ...mined })
    await storeRefund(sql, id, 2n, { status: 'confirmed', blockNumber: 19n, ...mined })
    await storeRefund(sql, id, 4n, { status: 'confirmed', blockNumber: 21n, ...mined })
    await storeRefund(sql, id, 8n, { status: 'open', blockNumber: 20n })
    await storeRefund(sql, id, 16n, { status: 'failed', blockNumber: 20n })
    const elsewhere = { status: 'confirmed', networkId: OTHER_NETWORK, blockNumber: 20n } as const
    await storeRefund(sql, id, 32n, { ...elsewhere, ...mined })
    const others = { status: 'confirmed', blockNumber: 20n, ...mined } as const
    await storeRefund(sql, (await newInvoice()).id, 32n, others)
    expect(await holdings(id)).toEqual({ [USDC.address]: 97n })
  })
})
