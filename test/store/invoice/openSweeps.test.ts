import { beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Settlement } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { SWEEPS } from '../../../store/invoice/sweeps.ts'
import { advance as take } from '../../../store/relayer/transition.ts'
import { forThisFile, newAddress, newHash } from '../../support/store/database.ts'
import {
  storeChain,
  storeConfig,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
} from '../../support/store/invoice.ts'
import { storeKey, storeTransaction } from '../../support/store/relayer.ts'

/** What sweeps are planned with besides whom they pay, and how that follows what happens meanwhile. */

const CONFIG = storeConfig()
let sql: Database
let merchantId: MerchantId
forThisFile((database) => {
  sql = database
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql, { recipient: newAddress(), configVersion: 1 })
  await storeChain(sql, { head: 100n })
})

const advance = (id: InvoiceId) =>
  sql.begin((transaction) => advanceInvoice(transaction, CONFIG, id, new Date()))

async function roundsOf(id: InvoiceId): Promise<Settlement[]> {
  return sql<Settlement[]>`select * from settlement where invoice_id = ${id} order by round`
}

/** An invoice whose sweep of 1,000,000 waits to be sent, beside 70 that came late. */
async function planned(): Promise<{ id: InvoiceId; sweep: Settlement }> {
  const { id } = await storeInvoice(sql, merchantId)
  await storePayment(sql, id, 1_000_000n)
  await storePayment(sql, id, 70n, { kind: 'late' })
  await advance(id)
  const [sweep] = await roundsOf(id)
  if (!sweep) throw new Error('nothing was planned')
  return { id, sweep }
}

/** A refund of late money that has been mined, and by its order left this much to charge. */
async function refunded(id: InvoiceId, feeLeft: bigint): Promise<void> {
  const order = {
    orderNumber: BigInt(Math.ceil(Math.random() * 1e15)),
    feeLeft: baseUnits(feeLeft),
  }
  const change = { status: 'mined', txHash: newHash(), blockNumber: 99n, ...order } as const
  await storeRefund(sql, id, 70n, change)
}

describe('a sweep that waits to be sent', () => {
  test('leaves what is known to stay, and deploys the deposit that nothing has left', async () => {
    const { sweep } = await planned()
    expect(sweep).toMatchObject({ amount: 1_000_000n, leave: 70n, deploys: true, replanned: false })
  })

  test('leaves less after a refund was mined, and deploys nothing any more', async () => {
    const { id, sweep } = await planned()
    await refunded(id, 5_000n)
    await advance(id)
    expect(await roundsOf(id)).toEqual([{ ...sweep, leave: baseUnits(0n), deploys: false }])
  })

  test('leaves more when more has come', async () => {
    const { id, sweep } = await planned()
    await storePayment(sql, id, 30n, { status: 'pending', confirmedAt: null })
    await advance(id)
    expect(await roundsOf(id)).toEqual([{ ...sweep, leave: baseUnits(100n) }])
  })

  test('stays as it is when its fee can not be charged any more: another one is planned later', async () => {
    const { id, sweep } = await planned()
    await refunded(id, 4_999n)
    await advance(id)
    expect(await roundsOf(id)).toEqual([sweep])
  })

  test('stays as it was signed once a transaction carries it', async () => {
    const { id, sweep } = await planned()
    const txId = await storeTransaction(sql, await storeKey(sql))
    await sql`
      update work_item set state = 'assigned', tx_id = ${txId}
      where payload->>'settlementId' = ${sweep.id}`
    await refunded(id, 5_000n)
    await advance(id)
    expect(await roundsOf(id)).toEqual([sweep])
  })
})

describe('a sweep that moved nothing', () => {
  async function end(sweep: Settlement, replanned: boolean): Promise<void> {
    await sql`update work_item set state = 'failed' where payload->>'settlementId' = ${sweep.id}`
    const details = { replanned, block: '98', deployed: true, feeLeft: '2000' }
    const failure = { id: sweep.id, reason: 'refused', details }
    await sql.begin((transaction) => take(transaction, SWEEPS, 'failed', [failure]))
  }

  test('is planned again by what the chain showed, which is no failure', async () => {
    const { id, sweep } = await planned()
    await end(sweep, true)
    const { settlements, invoice } = await advance(id)
    expect(invoice).toMatchObject({ settlementState: 'none', settlementError: null })
    expect(settlements).toMatchObject([
      { round: 1, status: 'failed', replanned: true, foundBlock: 98n, foundFeeLeft: 2_000n },
      { round: 2, status: 'open', deploys: false, fee: 2_000n, leave: 70n },
    ])
  })

  test('is shown again when a reorganisation lets it succeed after all', async () => {
    const { id, sweep } = await planned()
    await end(sweep, true)
    const at = { txHash: newHash(), block: 99n, blockHash: newHash() }
    await sql.begin((transaction) => take(transaction, SWEEPS, 'mined', [sweep], at))
    expect(await roundsOf(id)).toMatchObject([{ status: 'mined', replanned: false }])
  })
})

test('an invoice that is settled for less than its fee costs what its sweeps have charged', async () => {
  const { id } = await storeInvoice(sql, merchantId)
  await storePayment(sql, id, 1_000_000n)
  await refunded(id, 1_000n)
  await advance(id)
  expect(await roundsOf(id)).toMatchObject([{ fee: 1_000n, deploys: false }])
  await sql`
    update settlement set status = 'confirmed', tx_hash = ${newHash()}, block_number = 100,
      confirmed_at = now() where invoice_id = ${id}`
  const { invoice, payments } = await advance(id)
  expect(invoice).toMatchObject({ status: 'completed', platformFee: 1_000n })
  expect(payments).toMatchObject([{ fee: 1_000n }])
  const [row] = await sql`select platform_fee from invoice where id = ${id}`
  expect(row?.platformFee).toBe(1_000n)
})
