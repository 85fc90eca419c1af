import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asX402PaymentId, type X402PaymentId } from '../../../core/base/ids.ts'
import { openHealth } from '../../../store/books/health.ts'
import {
  findOperatorPayment,
  listOperatorPayments,
  type OperatorFilter,
  retryPayment,
} from '../../../store/books/operatorPayments.ts'
import type { Database } from '../../../store/database/database.ts'
import type { WorkState } from '../../../store/relayer/workItems.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import { storeAttempt, storeKey, storeTransaction } from '../../support/store/relayer.ts'
import { aClaim, newShop, pending, type Shop } from '../../support/store/x402.ts'

let sql: Database
let shop: Shop
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate x402_payment, work_item, relayer_key, relayer_tx, relayer_attempt, outbox cascade`
  shop = await newShop(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

async function newPayment(networkId = NETWORK, of = shop): Promise<X402PaymentId> {
  return pending(sql, aClaim(of, { networkId }))
}

async function setWork(id: X402PaymentId, state: WorkState, txId: bigint | null = null) {
  await sql`
    update work_item set state = ${state}, tx_id = ${txId}, tries = 3,
      result = ${sql.json({ error: 'why' })}
    where payload->>'paymentId' = ${id}`
}

describe('the payments that an operator sees', () => {
  const page = { limit: 10, offset: 0n }
  const list = async (filter: OperatorFilter, { limit, offset } = page) => {
    const { payments, total } = await listOperatorPayments(sql, filter, { limit, offset })
    return { ids: payments.map(({ payment }) => payment.id), total }
  }

  test('are listed from the newest on, and chosen by status, merchant and network', async () => {
    const first = await newPayment()
    const second = await newPayment(OTHER_NETWORK)
    const third = await newPayment(NETWORK, await newShop(sql))
    await setWork(first, 'review')
    await sql`update x402_payment set status = 'failed', reason = 'payment_expired' where id = ${third}`
    expect(await list({})).toEqual({ ids: [third, second, first], total: 3 })
    expect(await list({}, { limit: 1, offset: 1n })).toEqual({ ids: [second], total: 3 })
    expect(await list({ status: 'pending' })).toEqual({ ids: [second, first], total: 2 })
    expect(await list({ status: 'review' })).toEqual({ ids: [first], total: 1 })
    expect(await list({ merchantId: shop.id })).toEqual({ ids: [second, first], total: 2 })
    expect(await list({ networkId: OTHER_NETWORK })).toEqual({ ids: [second], total: 1 })
  })

  test('show the newest attempt that was to carry them out', async () => {
    const id = await newPayment()
    await newPayment()
    const txId = await storeTransaction(sql, await storeKey(sql))
    await setWork(id, 'assigned', txId)
    await storeAttempt(sql, txId, { seq: 1 })
    const attempt = await storeAttempt(sql, txId, { seq: 2 })
    await storeAttempt(sql, txId, { seq: 3, isCancel: true })
    await storeAttempt(sql, await storeTransaction(sql, await storeKey(sql)), { seq: 9 })
    const found = await findOperatorPayment(sql, id)
    expect(found?.payment.id).toBe(id)
    expect(found?.work).toEqual({ state: 'assigned', tries: 3, error: 'why', attempt })
    expect(await findOperatorPayment(sql, asX402PaymentId(Bun.randomUUIDv7()))).toBeNull()
  })
})

describe('a payment that waits for a person', () => {
  const stateOf = async (id: X402PaymentId) => {
    const [row] = await sql`
      select state, tries from work_item where payload->>'paymentId' = ${id}`
    return row
  }

  test('is sent again when one says so, alone', async () => {
    const [id, other] = [await newPayment(), await newPayment()]
    await setWork(id, 'review')
    await setWork(other, 'review')
    expect(await retryPayment(sql, id)).toBe(true)
    expect(await stateOf(id)).toEqual({ state: 'queued', tries: 0 })
    expect(await stateOf(other)).toEqual({ state: 'review', tries: 3 })
    expect(await retryPayment(sql, id)).toBe(false)
  })

  test('is not sent again when it is over, or on its way', async () => {
    const [over, onItsWay] = [await newPayment(), await newPayment()]
    await setWork(over, 'review')
    await sql`update x402_payment set status = 'failed', reason = 'payment_expired' where id = ${over}`
    expect(await retryPayment(sql, over)).toBe(false)
    const txId = await storeTransaction(sql, await storeKey(sql))
    await setWork(onItsWay, 'assigned', txId)
    expect(await retryPayment(sql, onItsWay)).toBe(false)
    expect(await stateOf(onItsWay)).toEqual({ state: 'assigned', tries: 3 })
  })
})

describe('the health of the system', () => {
  test('counts what is pending and what waits for a person, and since when events wait', async () => {
    const [first, second] = [await newPayment(), await newPayment()]
    await setWork(first, 'review')
    await sql`update x402_payment set status = 'failed', reason = 'payment_expired' where id = ${second}`
    const told = async (position: number | null, createdAt: string) => {
      await sql`
        insert into outbox (id, merchant_id, type, object_id, version, data, position, created_at)
        values (${Bun.randomUUIDv7()}, ${shop.id}, 'invoice.paid', ${Bun.randomUUIDv7()}, 1, '{}',
          ${position}, ${createdAt})`
    }
    await told(1, '2026-06-01T10:00:00Z')
    await told(null, '2026-06-01T11:00:00Z')
    await told(null, '2026-06-01T12:00:00Z')
    const health = await openHealth(sql)()
    expect(health).toMatchObject({
      pendingMigrations: [],
      pendingPayments: [{ networkId: NETWORK, count: 1 }],
      reviews: [{ networkId: NETWORK, kind: 'x402', count: 1 }],
      waitingSince: new Date('2026-06-01T11:00:00Z'),
    })
  })

  test('is read once for all who ask within its time, and again afterwards', async () => {
    let now = 0
    const read = openHealth(sql, 1_000, () => now)
    const first = read()
    now = 4_999
    expect(read()).toBe(first)
    await first
    await Bun.sleep(0)
    now = 5_998
    expect(read()).toBe(first)
    now = 5_999
    expect(read()).not.toBe(first)
  })

  test('that is not read in time is read again', async () => {
    let now = 0
    const read = openHealth(sql, 1_000, () => now)
    const first = read()
    now = 5_000
    const second = read()
    expect(second).not.toBe(first)
    await first
    await Bun.sleep(0)
    now = 5_001
    expect(read()).toBe(second)
    await second
  })
})
