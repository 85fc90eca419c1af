import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Invoice, SettlementStatus } from '../../../core/invoice/state.ts'
import {
  openCalls,
  ownAttempts,
  relayerBooks,
  transactionViolations,
  wrongFigures,
} from '../../../store/books/audit.ts'
import { openTransactions } from '../../../store/books/operators.ts'
import { refundViolations } from '../../../store/books/refundAudit.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'
import { storeAttempt, storeKey, storeTransaction } from '../../support/store/relayer.ts'

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
})
beforeEach(async () => {
  await sql`
    truncate invoice, watched, payment, settlement, refund, refund_part, work_item, relayer_key,
      relayer_tx, relayer_attempt cascade`
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (change: Partial<Invoice> = {}) => storeInvoice(sql, merchantId, change)
const units = baseUnits

describe('the figures of an invoice', () => {
  const wrong = async () =>
    (await wrongFigures(sql, 10)).map(
      ({ figure, stored, derived }) => `${figure} ${stored} for ${derived}`,
    )

  /** An invoice that has seen everything, whose figures are right. */
  async function rightInvoice(change: Partial<Invoice> = {}): Promise<InvoiceId> {
    const { id } = await newInvoice({
      ...{ receivedAmount: units(100n), pendingAmount: units(7n), lateAmount: units(30n) },
      ...{ refundedAmount: units(3n), returnedAmount: units(6n), amountRemitted: units(36n) },
      ...{ platformFee: units(10n), feeCap: units(10n) },
      ...change,
    })
    const back = { refunded: units(2n), refunding: units(4n) }
    await storePayment(sql, id, 100n, back)
    await storePayment(sql, id, 7n, { status: 'pending' })
    await storePayment(sql, id, 13n, { status: 'reverted' })
    await storePayment(sql, id, 20n, { kind: 'late', refunded: units(1n), refunding: units(1n) })
    await storePayment(sql, id, 10n, { kind: 'late', status: 'pending' })
    await storePayment(sql, id, 40n, { kind: 'late', status: 'reverted' })
    await storePayment(sql, id, 50n, { kind: 'foreign', refunded: units(9n) })
    await storeSettlement(sql, id, 40n, { fee: units(4n) })
    await storeSettlement(sql, id, 30n, { round: 2, status: 'mined', fee: units(6n) })
    await storeSettlement(sql, id, 30n, { round: 3, status: 'failed', fee: units(9n) })
    return id
  }

  test('are right when they are what its rows add up to', async () => {
    await rightInvoice()
    await newInvoice()
    expect(await wrong()).toEqual([])
  })

  test.each([
    ['receivedAmount', 100n],
    ['pendingAmount', 7n],
    ['lateAmount', 30n],
    ['refundedAmount', 3n],
    ['returnedAmount', 6n],
    ['amountRemitted', 36n],
  ] as const)('are wrong in %s alone', async (figure, derived) => {
    await rightInvoice({ [figure]: units(derived + 1n) })
    await rightInvoice()
    expect(await wrong()).toEqual([`${figure} ${derived + 1n} for ${derived}`])
    expect(await wrongFigures(sql, 0)).toEqual([])
  })

  test('allow sweeps no more than the platform fee', async () => {
    await rightInvoice({ platformFee: units(9n) })
    expect(await wrong()).toEqual(['platformFee 9 for 10'])
  })

  test('have had the whole platform fee when the invoice is completed', async () => {
    await rightInvoice({ status: 'completed' })
    expect(await wrong()).toEqual(['platformFee 10 for 4'])
  })
})

describe('a transaction', () => {
  const violations = async () =>
    (await transactionViolations(sql, 10)).map(({ subject, message }) => `${subject}: ${message}`)

  test('must have signed bytes', async () => {
    const key = await storeKey(sql)
    await storeAttempt(sql, await storeTransaction(sql, key))
    expect(await violations()).toEqual([])
    const id = await storeTransaction(sql, key, { accountNonce: 1n })
    expect(await violations()).toEqual([
      `transaction ${id}: account nonce 1 of ${key.address} has no signed bytes`,
    ])
    expect(await transactionViolations(sql, 0)).toEqual([])
  })

  test('must have been mined by its own bytes, on its own chain', async () => {
    const key = await storeKey(sql)
    const mined = async (accountNonce: bigint) => {
      const minedHash = newHash()
      const id = await storeTransaction(sql, key, { accountNonce, state: 'mined', minedHash })
      return { id, minedHash }
    }
    const right = await mined(0n)
    await storeAttempt(sql, right.id, { hash: right.minedHash })
    expect(await violations()).toEqual([])
    const elsewhere = await mined(1n)
    await storeAttempt(sql, elsewhere.id, { hash: elsewhere.minedHash, networkId: OTHER_NETWORK })
    const others = await mined(2n)
    await storeAttempt(sql, right.id, { hash: others.minedHash, seq: 2 })
    await storeAttempt(sql, others.id, { hash: newHash() })
    const text = 'is said to be mined and is none of its stored attempts'
    expect((await violations()).toSorted()).toEqual(
      [elsewhere, others].map(({ id, minedHash }) => `transaction ${id}: ${minedHash} ${text}`),
    )
  })
})

describe('the books of a relayer', () => {
  test('count what is open, and what was mined up to a block', async () => {
    const key = await storeKey(sql, { nextNonce: 4n })
    const idle = await storeKey(sql)
    const twin = await storeKey(sql, { networkId: OTHER_NETWORK, address: key.address })
    await storeTransaction(sql, twin, { accountNonce: 9n })
    const mined = { state: 'mined' } as const
    await storeTransaction(sql, key, { accountNonce: 0n, ...mined, minedBlock: 10n })
    await storeTransaction(sql, key, { accountNonce: 1n, ...mined, minedBlock: 11n })
    await storeTransaction(sql, key, { accountNonce: 2n })
    await storeTransaction(sql, key, { accountNonce: 3n })
    const books = await relayerBooks(sql, NETWORK, 10n)
    expect(books).toHaveLength(2)
    expect(books.find(({ address }) => address === key.address)).toMatchObject({
      ...{ nextNonce: 4n, transactions: 4n, lowestNonce: 0n, highestNonce: 3n },
      ...{ open: 2n, lowestOpen: 2n, highestMined: 0n },
    })
    expect(books.find(({ address }) => address === idle.address)).toMatchObject({
      ...{ transactions: 0n, lowestNonce: null, open: 0n, highestMined: null },
    })
    expect(await openTransactions(sql)).toEqual(
      new Map([
        [`${NETWORK} ${key.address}`, 2],
        [`${OTHER_NETWORK} ${key.address}`, 1],
      ]),
    )
  })

  test('hold the calls that may still be mined, on its own chain', async () => {
    const key = await storeKey(sql)
    const open = await storeTransaction(sql, key, { accountNonce: 1n })
    await storeTransaction(sql, key, { state: 'mined' })
    await storeTransaction(sql, await storeKey(sql, { networkId: OTHER_NETWORK }))
    await sql`update relayer_tx set cancel_requested = true where id = ${open}`
    expect(await openCalls(sql, NETWORK)).toMatchObject([{ id: open, isGivenUp: true }])
  })

  test('know our own attempts from others’, chain by chain', async () => {
    const id = await storeTransaction(sql, await storeKey(sql))
    const own = await storeAttempt(sql, id)
    await storeAttempt(sql, id, { seq: 2 })
    const elsewhere = await storeAttempt(sql, id, { seq: 3, networkId: OTHER_NETWORK })
    const asked = [own, elsewhere, newHash()]
    expect(await ownAttempts(sql, NETWORK, asked)).toEqual(new Set([own]))
  })
})

describe('refunds and payments', () => {
  const violations = async () => (await refundViolations(sql, 10)).map(({ subject }) => subject)

  test('are right when each unit is where its refunds say', async () => {
    const { id } = await newInvoice()
    const txHash = newHash()
    const back = { refunded: units(4n), refunding: units(3n) }
    const payment = await storePayment(sql, id, 100n, back)
    const refund = (amount: bigint, status: SettlementStatus) =>
      storeRefund(
        sql,
        id,
        amount,
        {
          ...{ status, txHash: status === 'mined' || status === 'confirmed' ? txHash : null },
        },
        new Map([[payment.id, amount]]),
      )
    await refund(1n, 'open')
    await refund(2n, 'mined')
    await refund(4n, 'confirmed')
    await refund(8n, 'failed')
    expect(await violations()).toEqual([])
    await sql`update payment set refunding = 2`
    expect(await violations()).toEqual([`payment ${payment.id}`])
    await sql`update payment set refunding = 3, refunded = 5`
    expect(await violations()).toEqual([`payment ${payment.id}`])
    expect(await refundViolations(sql, 0)).toEqual([])
  })

  test('are wrong when the parts are not the whole, or none', async () => {
    const { id } = await newInvoice()
    const payment = await storePayment(sql, id, 10n, { refunding: units(3n) })
    const partial = await storeRefund(sql, id, 4n, {}, new Map([[payment.id, 3n]]))
    const none = await storeRefund(sql, id, 4n)
    expect((await violations()).toSorted()).toEqual(
      [`refund ${partial.id}`, `refund ${none.id}`].toSorted(),
    )
  })

  test('are wrong when more is given back than was paid', async () => {
    const { id } = await newInvoice()
    const [full, over] = [
      await storePayment(sql, id, 10n, { refunding: units(10n) }),
      await storePayment(sql, id, 10n, { refunding: units(11n) }),
    ]
    await storeRefund(sql, id, 10n, {}, new Map([[full.id, 10n]]))
    await storeRefund(sql, id, 11n, {}, new Map([[over.id, 11n]]))
    expect(await violations()).toEqual([`payment ${over.id}`])
  })
})
