import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../../core/base/ids.ts'
import type { Database } from '../../../../store/database/database.ts'
import {
  type ReportPlace,
  type ReportRange,
  reportTransactions,
} from '../../../../store/invoice/list/reports.ts'
import { freshDatabase } from '../../../support/servers/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../../support/store/invoice.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const ALWAYS: ReportRange = { from: null, to: null }

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  merchantId = await storeMerchant(sql)
})
afterAll(() => sql.end({ timeout: 1 }))

const newInvoice = (minute: number, who = merchantId) =>
  storeInvoice(sql, who, { createdAt: minutes(minute) })

describe('the transactions of a merchant', () => {
  async function report(range: ReportRange = ALWAYS, limit = 100) {
    const told: string[] = []
    let after: ReportPlace | null = null
    do {
      const page = await reportTransactions(sql, merchantId, range, after, limit)
      expect(page.transactions.length).toBeLessThanOrEqual(limit)
      told.push(...page.transactions.map(({ type, amount }) => `${type} ${amount}`))
      after = page.next
    } while (after !== null)
    return told
  }

  /** Two invoices with five transactions, and one of another merchant. */
  async function ledger() {
    const [older, newer] = [await newInvoice(-10), await newInvoice(-5)]
    const strangers = await newInvoice(-7, await storeMerchant(sql))
    await storePayment(sql, newer.id, 1n, { createdAt: minutes(1) })
    await storePayment(sql, older.id, 2n, { createdAt: minutes(3), kind: 'late' })
    await storePayment(sql, older.id, 3n, { createdAt: minutes(2), kind: 'foreign' })
    await storeSettlement(sql, older.id, 4n, { createdAt: minutes(4) })
    await storeRefund(sql, newer.id, 5n, { createdAt: minutes(5) })
    await storePayment(sql, strangers.id, 6n)
    await storeSettlement(sql, strangers.id, 6n)
    await storeRefund(sql, strangers.id, 6n)
  }
  const ALL = ['payment 1', 'other_deposit 3', 'late_payment 2', 'settlement 4', 'refund 5']

  test('are told in the order in which they were seen, regardless of what invoice they belong to', async () => {
    await ledger()
    expect(await report()).toEqual(ALL)
  })

  test.each([1, 2, 3, 5])('are told whole and once in pages of %d', async (limit) => {
    await ledger()
    expect(await report(ALWAYS, limit)).toEqual(ALL)
  })

  test('of one moment are told whole and once in pages', async () => {
    const [one, two] = [await newInvoice(0), await newInvoice(0)]
    for (const { id } of [one, two, one, two]) await storePayment(sql, id, 1n)
    expect(await report(ALWAYS, 1)).toHaveLength(4)
  })

  test('are chosen by when they were seen: from the first moment on, up to the last one', async () => {
    await ledger()
    const from = minutes(2)
    const to = minutes(4)
    expect(await report({ from, to: null })).toEqual(ALL.slice(1))
    expect(await report({ from: null, to })).toEqual(ALL.slice(0, 3))
    expect(await report({ from, to })).toEqual(ALL.slice(1, 3))
    expect(await report({ from: null, to: minutes(-10) })).toEqual([])
  })
})
