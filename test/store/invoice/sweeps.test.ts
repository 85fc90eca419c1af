import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceId, SettlementId } from '../../../core/base/ids.ts'
import type { Invoice, SettlementStatus } from '../../../core/invoice/state.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import {
  bookedHashes,
  firstPaymentBlock,
  lockInvoicesOf,
  readSweeps,
  SWEEPS,
} from '../../../store/invoice/sweeps.ts'
import { advance, invoicesOf, type Step } from '../../../store/relayer/transition.ts'
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
} from '../../support/store/invoice.ts'
import {
  isLocked,
  storeAttempt,
  storeItem,
  storeKey,
  storeTransaction,
} from '../../support/store/relayer.ts'

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
afterAll(() => sql.end({ timeout: 1 }))

async function newInvoice(change: Partial<Invoice> = {}): Promise<Invoice> {
  return storeInvoice(sql, await storeMerchant(sql), change)
}

/** A settlement of an invoice of its own. */
async function newSweep(status: SettlementStatus) {
  const { id } = await newInvoice()
  const confirmedAt = status === 'confirmed' ? new Date() : null
  return storeSettlement(sql, id, 10n, { status, confirmedAt })
}

async function statusOf(id: SettlementId): Promise<string> {
  const [row] = await sql<{ status: string }[]>`select status from settlement where id = ${id}`
  return row?.status ?? 'missing'
}

/** Every status, and to which one a change may take it. */
async function outcomes(
  change: (id: SettlementId) => Promise<readonly InvoiceId[]>,
): Promise<Record<string, string>> {
  const ends: Record<string, string> = {}
  for (const status of ['open', 'mined', 'confirmed', 'failed'] as const) {
    const sweep = await newSweep(status)
    const changed = await change(sweep.id)
    ends[status] = await statusOf(sweep.id)
    expect(changed).toEqual(ends[status] === status ? [] : [sweep.invoiceId])
  }
  return ends
}

const AT = { txHash: newHash(), block: 12n, blockHash: newHash() }

async function take(to: Transaction, step: Step, id: SettlementId): Promise<InvoiceId[]> {
  return invoicesOf(await advance(to, SWEEPS, step, [{ id, reason: 'refused' }], AT))
}

describe('a sweep', () => {
  test('is mined when it was open, or had failed before a reorganisation', async () => {
    const ends = await outcomes((id) => sql.begin((transaction) => take(transaction, 'mined', id)))
    expect(ends).toEqual({
      ...{ open: 'mined', failed: 'mined' },
      ...{ mined: 'mined', confirmed: 'confirmed' },
    })
  })

  test('is confirmed only when it is mined', async () => {
    const ends = await outcomes((id) =>
      sql.begin((transaction) => take(transaction, 'confirmed', id)),
    )
    expect(ends).toEqual({
      ...{ open: 'open', failed: 'failed' },
      ...{ mined: 'confirmed', confirmed: 'confirmed' },
    })
  })

  test('is open again when a reorganisation took it away, confirmed or not', async () => {
    const ends = await outcomes((id) =>
      sql.begin((transaction) => take(transaction, 'reopened', id)),
    )
    expect(ends).toEqual({
      ...{ open: 'open', failed: 'failed' },
      ...{ mined: 'open', confirmed: 'open' },
    })
  })

  test('fails only while it is open: what was mined has moved money', async () => {
    const ends = await outcomes((id) => sql.begin((transaction) => take(transaction, 'failed', id)))
    expect(ends).toEqual({
      ...{ open: 'failed', failed: 'failed' },
      ...{ mined: 'mined', confirmed: 'confirmed' },
    })
  })

  test('changes without the sweeps that are not named', async () => {
    const [open, mined] = [await newSweep('open'), await newSweep('mined')]
    const other = await newSweep('open')
    const otherMined = await newSweep('mined')
    await sql.begin(async (transaction) => {
      await take(transaction, 'failed', open.id)
      await take(transaction, 'confirmed', mined.id)
    })
    expect(await statusOf(other.id)).toBe('open')
    expect(await statusOf(otherMined.id)).toBe('mined')
    await sql.begin(async (transaction) => {
      await take(transaction, 'mined', open.id)
      await take(transaction, 'reopened', mined.id)
    })
    expect(await statusOf(other.id)).toBe('open')
    expect(await statusOf(otherMined.id)).toBe('mined')
  })

  test('says where it was mined and what it owes, and forgets both when it is open again', async () => {
    const { id } = await newSweep('open')
    await sql.begin(async (transaction) => {
      await take(transaction, 'mined', id)
      await take(transaction, 'confirmed', id)
    })
    const read = () => sql`
      select tx_hash, block_number, block_hash, fee_owed, error from settlement where id = ${id}`
    const expected = { txHash: AT.txHash, blockNumber: 12n, blockHash: AT.blockHash }
    expect((await read())[0]).toEqual({ ...expected, feeOwed: 0n, error: null })
    await sql.begin((transaction) => take(transaction, 'reopened', id))
    const forgotten = { txHash: null, blockNumber: null, blockHash: null }
    expect((await read())[0]).toEqual({ ...forgotten, feeOwed: 0n, error: null })
  })
})

describe('the sweeps behind work items', () => {
  test('are read in the order of the items, without what is no sweep', async () => {
    const invoice = await newInvoice({ recipient: newAddress() })
    const itemOf = async (round: number, kind: string) => {
      const sweep = await storeSettlement(sql, invoice.id, 10n, { status: 'open', round })
      return { sweep, item: await storeItem(sql, kind, { settlementId: sweep.id }) }
    }
    const { sweep, item: first } = await itemOf(1, 'sweep')
    const { item: second } = await itemOf(2, 'sweep')
    const { item: refund } = await itemOf(3, 'refund')
    await itemOf(4, 'sweep')
    const rows = await readSweeps(sql, [second, refund, first])
    expect(rows.map(({ itemId }) => itemId)).toEqual([first, second])
    expect(rows[0]).toMatchObject({
      ...{ settlementId: sweep.id, invoiceId: invoice.id, merchantId: invoice.merchantId },
      ...{ recipient: invoice.recipient, hub: invoice.hub, deposit: invoice.depositAddress },
      ...{ amount: 10n, status: 'open' },
    })
  })

  test('lock the invoices that they and those who wait for them can change, and no others', async () => {
    const invoices = [
      await newInvoice(),
      await newInvoice(),
      await newInvoice(),
      await newInvoice(),
    ]
    const [swept, waiting, refunded, free] = invoices.map(({ id }) => id)
    if (!swept || !waiting || !refunded || !free) throw new Error('an invoice is missing')
    const item = async (invoiceId: InvoiceId, waitsFor?: bigint) => {
      const { id } = await storeSettlement(sql, invoiceId, 10n, { status: 'open' })
      return storeItem(sql, 'sweep', { settlementId: id }, { waitsFor: waitsFor ?? null })
    }
    const sweep = await item(swept)
    await item(waiting, sweep)
    await item(free)
    const refund = await storeRefund(sql, refunded, 5n)
    const refundItem = await storeItem(sql, 'refund', { refundId: refund.id })
    const freeRefund = await storeRefund(sql, free, 5n)
    await storeItem(sql, 'refund', { refundId: freeRefund.id })
    await sql.begin(async (transaction) => {
      await lockInvoicesOf(transaction, [sweep, refundItem])
      const locked = await Promise.all(invoices.map(({ id }) => isLocked(sql, 'invoice', id)))
      expect(locked).toEqual([true, true, true, false])
    })
  })
})

describe('what may have been swept', () => {
  test('begins with the first payment to the deposit on the chain that stands', async () => {
    const { id } = await newInvoice()
    expect(await firstPaymentBlock(sql, id, NETWORK)).toBeNull()
    await storePayment(sql, id, 1n, { blockNumber: 20n })
    await storePayment(sql, id, 1n, { blockNumber: 15n })
    await storePayment(sql, id, 1n, { blockNumber: 10n, status: 'reverted' })
    await storePayment(sql, id, 1n, { blockNumber: 5n, networkId: OTHER_NETWORK })
    await storePayment(sql, (await newInvoice()).id, 1n, { blockNumber: 1n })
    expect(await firstPaymentBlock(sql, id, NETWORK)).toBe(15n)
  })

  test('is booked by its transaction, or will be by an attempt of ours', async () => {
    const { id } = await newInvoice()
    const booked = newHash()
    await storeSettlement(sql, id, 10n, { txHash: booked })
    const open = await storeSettlement(sql, id, 10n, { status: 'open', txHash: null, round: 2 })
    const attempt = await attemptFor(open, 'signed')
    const lost = await storeSettlement(sql, id, 10n, { status: 'open', txHash: null, round: 3 })
    await attemptFor(lost, 'nonce_taken')
    expect(await bookedHashes(sql, id, NETWORK)).toEqual(new Set([booked, attempt]))
    expect(await bookedHashes(sql, id, OTHER_NETWORK)).toEqual(new Set())
    expect(await bookedHashes(sql, (await newInvoice()).id, NETWORK)).toEqual(new Set())
  })

  async function attemptFor(sweep: { readonly id: SettlementId }, state: 'signed' | 'nonce_taken') {
    const tx = await storeTransaction(sql, await storeKey(sql), { state })
    await storeItem(sql, 'sweep', { settlementId: sweep.id }, { txId: tx, state: 'assigned' })
    return storeAttempt(sql, tx)
  }
})
