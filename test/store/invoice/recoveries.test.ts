import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Database } from '../../../store/database/database.ts'
import { saveHeldParts } from '../../../store/invoice/held.ts'
import { listRecoveries } from '../../../store/invoice/recoveries.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeSettlement,
  USDC,
} from '../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)

/** Counts again in how many places money is held, as is done whenever an invoice is derived again. */
async function derive() {
  const invoices = await sql<Invoice[]>`select * from invoice where merchant_id = ${merchantId}`
  await sql.begin(async (transaction) => {
    const before = { status: 'partial', settlementState: 'none' } as const
    const states = invoices.map((now) => ({ invoice: { id: now.id, ...before }, now }))
    await saveHeldParts(transaction, states)
  })
}

async function held(limit = 50, offset = 0n) {
  await derive()
  const page = await listRecoveries(sql, merchantId, { limit, offset }, NOW)
  return page.elements.map(({ reason, amount }) => `${reason} ${amount}`)
}

describe('money that counts for nothing', () => {
  test('is told by what is wrong with it, the newest first', async () => {
    const { id } = await newInvoice()
    const at = (minute: number) => ({ createdAt: minutes(minute) })
    await storePayment(sql, id, 1n, { kind: 'late', ...at(1) })
    await storePayment(sql, id, 2n, { kind: 'foreign', token: newAddress(), ...at(2) })
    await storePayment(sql, id, 3n, { kind: 'foreign', networkId: OTHER_NETWORK, ...at(3) })
    expect(await held()).toEqual(['wrong_chain 3', 'wrong_token 2', 'late 1'])
    expect(await held(1, 1n)).toEqual(['wrong_token 2'])
  })

  test('is left out while it is not confirmed, when it counts, and once refunds have it all', async () => {
    const { id } = await newInvoice()
    await storePayment(sql, id, 1n, { kind: 'late', status: 'pending' })
    await storePayment(sql, id, 2n)
    const given = { refunded: baseUnits(1n), refunding: baseUnits(3n) }
    await storePayment(sql, id, 4n, { kind: 'late', ...given })
    await storePayment(sql, id, 5n, { kind: 'late', ...given })
    expect(await held()).toEqual(['late 1'])
  })

  test('is its merchant’s alone', async () => {
    const { id } = await storeInvoice(sql, await storeMerchant(sql))
    await storePayment(sql, id, 1n, { kind: 'late' })
    expect(await held()).toEqual([])
  })
})

describe('money on time that goes nowhere', () => {
  test.each(['no_recipient', 'below_gas_threshold'] as const)(
    'is what sweeps and refunds have left of it: %s',
    async (settlementState) => {
      const { id } = await newInvoice({ status: 'paid', settlementState })
      await storePayment(sql, id, 60n, { refunded: baseUnits(5n), refunding: baseUnits(5n) })
      await storePayment(sql, id, 40n)
      await storePayment(sql, id, 7n, { status: 'pending' })
      await storePayment(sql, id, 7n, { status: 'reverted' })
      await storeSettlement(sql, id, 20n)
      await storeSettlement(sql, id, 20n, { status: 'failed', round: 2 })
      await storeSettlement(sql, id, 20n, { networkId: OTHER_NETWORK })
      await storeSettlement(sql, id, 20n, { token: newAddress() })
      await storeSettlement(sql, (await newInvoice()).id, 20n)
      expect(await held()).toEqual([`${settlementState} 70`])
    },
  )

  test('is told chain by chain', async () => {
    const { id } = await newInvoice({ status: 'paid', settlementState: 'no_recipient' })
    await storePayment(sql, id, 60n)
    await storePayment(sql, id, 40n, { networkId: OTHER_NETWORK })
    await storePayment(sql, id, 3n, { kind: 'late' })
    expect((await held()).toSorted()).toEqual(['late 3', 'no_recipient 40', 'no_recipient 60'])
  })

  test('is left out when the invoice is settled or waits for a block, and when all of it is swept', async () => {
    for (const settlementState of ['none', 'due'] as const) {
      const { id } = await newInvoice({ status: 'paid', settlementState })
      await storePayment(sql, id, 60n)
    }
    const swept = await newInvoice({ status: 'paid', settlementState: 'failed' })
    await storePayment(sql, swept.id, 60n)
    await storeSettlement(sql, swept.id, 60n)
    expect(await held()).toEqual([])
  })

  test('is underpaid when the invoice has ended, and partial before', async () => {
    const pay = async (change: Partial<Invoice>, amount: bigint) => {
      const { id } = await newInvoice({ status: 'partial', ...change })
      await storePayment(sql, id, amount)
    }
    await pay({ expiresAt: minutes(-1), createdAt: minutes(-2) }, 1n)
    await pay({ closedAt: minutes(-1), expiresAt: minutes(1), createdAt: minutes(-3) }, 2n)
    await pay({ expiresAt: NOW }, 3n)
    await pay({}, 4n)
    await pay({ expiresAt: minutes(-1), status: 'paid' }, 5n)
    // Those that came in the same moment have no order among them.
    expect((await held()).toSorted()).toEqual([
      ...['partial 3', 'partial 4', 'underpaid 1', 'underpaid 2'],
    ])
  })

  test('says when the invoice ends only where that matters', async () => {
    const partial = await newInvoice({
      ...{ status: 'partial', expiresAt: minutes(5), closedAt: minutes(1) },
      createdAt: minutes(-3),
    })
    await storePayment(sql, partial.id, 1n)
    const late = await storePayment(sql, partial.id, 2n, { kind: 'late' })
    const settlementState = 'no_recipient'
    const paid = await newInvoice({ status: 'paid', settlementState, expiresAt: minutes(5) })
    await storePayment(sql, paid.id, 3n)
    await derive()
    const page = await listRecoveries(sql, merchantId, { limit: 9, offset: 0n }, NOW)
    const ends = page.elements.map(({ amount, expiresAt }) => [amount, expiresAt])
    expect(late.kind).toBe('late')
    expect(new Map(ends.map(([amount, end]) => [String(amount), end]))).toEqual(
      new Map([
        ['1', minutes(1)],
        ['2', null],
        ['3', null],
      ]),
    )
  })

  test('is its merchant’s alone', async () => {
    const settlementState = 'no_recipient'
    const { id } = await storeInvoice(sql, await storeMerchant(sql), {
      ...{ status: 'paid', settlementState },
    })
    await storePayment(sql, id, 1n)
    expect(await held()).toEqual([])
  })
})

test('every page says how many there are, those past the end too', async () => {
  const { id } = await newInvoice()
  await storePayment(sql, id, 1n, { kind: 'late' })
  await storePayment(sql, id, 2n, { kind: 'late' })
  const page = (offset: bigint) =>
    listRecoveries(sql, merchantId, { limit: 1, offset }, NOW).then(({ elements, total }) => [
      elements.length,
      total,
    ])
  expect(await page(0n)).toEqual([1, 2])
  expect(await page(2n)).toEqual([0, 2])
})

test('what is held says of which payment it is, or why the settlement failed', async () => {
  const { id } = await newInvoice({
    ...{ status: 'paid', settlementState: 'failed', settlementError: 'RecipientBlocked' },
    recipient: newAddress(),
  })
  await storePayment(sql, id, 9n, { createdAt: minutes(-9) })
  const late = await storePayment(sql, id, 1n, { kind: 'late', createdAt: minutes(9) })
  await derive()
  const { elements: recoveries } = await listRecoveries(
    sql,
    merchantId,
    { limit: 2, offset: 0n },
    NOW,
  )
  const place = { invoiceId: id, networkId: NETWORK, token: USDC.address, hasOwnRecipient: true }
  const ofPayment = { paymentId: late.id, sender: late.sender, error: null }
  const ofInvoice = { paymentId: null, sender: null, error: 'RecipientBlocked' }
  expect(recoveries.toSorted((a, b) => Number(a.amount - b.amount))).toMatchObject([
    { ...place, ...ofPayment, amount: 1n },
    { ...place, ...ofInvoice, amount: 9n },
  ])
})
