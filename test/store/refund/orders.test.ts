import { beforeEach, describe, expect, test } from 'bun:test'
import type { RefundId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Refund } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  firstInTurn,
  lastOrderNumber,
  lockOrderNumbers,
  promisedIn,
  refundsWait,
  requeueForSigning,
  saveOrders,
  useOrderNumbers,
} from '../../../store/refund/orders.ts'
import { forThisFile, isWaiting, newHash, openTransaction } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storeRefund,
  USDC,
} from '../../support/store/invoice.ts'
import { storeItem } from '../../support/store/relayer.ts'

let sql: Database
let hub: Address
forThisFile((database) => {
  sql = database
})
beforeEach(async () => {
  await sql`truncate refund, refund_part, refund_sequence cascade`
})

async function newRefund(
  amount: bigint,
  change: Parameters<typeof storeRefund>[3] = {},
): Promise<Refund> {
  const invoice = await storeInvoice(sql, await storeMerchant(sql))
  hub = invoice.hub
  return storeRefund(sql, invoice.id, amount, change)
}

const place = () => ({ networkId: NETWORK, hub, token: USDC.address })
const row = async (id: RefundId) => (await sql`select * from refund where id = ${id}`)[0]

describe('the numbers of a chain', () => {
  test('are given to one process after the other', async () => {
    expect(await lastOrderNumber(sql, NETWORK)).toBe(0n)
    const first = await openTransaction(sql, async (transaction) => {
      expect(await lockOrderNumbers(transaction, NETWORK)).toBe(0n)
      await useOrderNumbers(transaction, NETWORK, 2n)
    })
    const second = sql.begin((transaction) => lockOrderNumbers(transaction, NETWORK))
    expect(await isWaiting(sql, second)).toBe(true)
    await first.commit()
    expect(await second).toBe(2n)
    expect(await lastOrderNumber(sql, OTHER_NETWORK)).toBe(0n)
  })

  test('never go back', async () => {
    await sql.begin(async (transaction) => {
      await lockOrderNumbers(transaction, NETWORK)
      await useOrderNumbers(transaction, NETWORK, 5n)
      await useOrderNumbers(transaction, NETWORK, 3n)
    })
    expect(await lastOrderNumber(sql, NETWORK)).toBe(5n)
  })

  test('are used once', async () => {
    const order = { orderNumber: 7n, feeLeft: baseUnits(0n) }
    await newRefund(1n, order)
    expect(newRefund(1n, order)).rejects.toThrow('refund_order')
  })
})

describe('what is promised of the room', () => {
  test('is what signed orders may take that the hub has not booked yet', async () => {
    const at = (blockNumber: bigint) => ({ txHash: newHash(), blockNumber, deadline: 9n })
    await newRefund(1n)
    await newRefund(2n, { deadline: 9n })
    await newRefund(4n, { ...at(50n), status: 'mined' })
    await newRefund(8n, { ...at(51n), status: 'mined' })
    await newRefund(16n, { ...at(51n), status: 'confirmed' })
    await newRefund(32n, { deadline: 9n, status: 'failed' })
    await newRefund(64n, { deadline: 9n, networkId: OTHER_NETWORK })
    const { id } = await newRefund(128n, { deadline: 9n })
    expect(await promisedIn(sql, place(), 50n, [id])).toBe(baseUnits(10n))
    expect(await promisedIn(sql, place(), 50n, [])).toBe(baseUnits(138n))
  })
})

describe('an order', () => {
  const terms = (refundId: RefundId, n: bigint) => {
    return { refundId, orderNumber: n, feeLeft: baseUnits(n), deadline: n }
  }

  test('is written down once, and what waited waits no more', async () => {
    const { id } = await newRefund(1n)
    await sql.begin((t) => refundsWait(t, [{ refundId: id, wait: 'stopped' }]))
    await sql.begin((t) => saveOrders(t, [terms(id, 4n)]))
    await sql.begin((t) => saveOrders(t, [terms(id, 5n)]))
    expect(await row(id)).toMatchObject({
      ...{ orderNumber: 4n, feeLeft: 4n, deadline: 4n, waitingFor: null, waitingSince: null },
    })
  })

  test('is forgotten for a new one, unless a transaction carries it', async () => {
    const { id } = await newRefund(1n)
    await sql.begin((t) => saveOrders(t, [terms(id, 4n)]))
    const ended = await storeItem(sql, 'refund', { refundId: id }, { state: 'review' })
    expect(await sql.begin((t) => requeueForSigning(t, id, ended))).toBe(false)
    expect(await row(id)).toMatchObject({ orderNumber: 4n })
    await sql`update work_item set state = 'queued' where id = ${ended}`
    expect(await sql.begin((t) => requeueForSigning(t, id, ended))).toBe(true)
    expect(await row(id)).toMatchObject({ orderNumber: null, feeLeft: null, deadline: null })
  })
})

describe('a refund that waits', () => {
  test('says since when, regardless of what it waits for next', async () => {
    const { id } = await newRefund(1n)
    const wait = (what: 'stopped' | 'refund_limit') =>
      sql.begin((t) => refundsWait(t, [{ refundId: id, wait: what }]))
    await wait('stopped')
    const { waitingSince } = (await row(id)) ?? {}
    await wait('refund_limit')
    expect(await row(id)).toMatchObject({ waitingFor: 'refund_limit', waitingSince })
  })

  test('is first in turn after a day, the oldest before all others', async () => {
    const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000)
    const wait = { waitingFor: 'refund_limit' } as const
    await newRefund(1n, { ...wait, waitingSince: hours(23) })
    expect(await firstInTurn(sql, place())).toBeNull()
    const { id } = await newRefund(1n, { ...wait, waitingSince: hours(25) })
    await newRefund(1n, { ...wait, waitingSince: hours(30) })
    expect(await firstInTurn(sql, place())).toBe(id)
  })
})
