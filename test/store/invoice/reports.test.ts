import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/ids.ts'
import { baseUnits } from '../../../core/money.ts'
import type { Database } from '../../../store/database.ts'
import {
  type ReportPlace,
  type ReportRange,
  reportDays,
  reportTransactions,
} from '../../../store/invoice/reports.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
} from '../../support/store/invoice.ts'

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
  const ALL = ['other_deposit 3', 'late_payment 2', 'settlement 4', 'payment 1', 'refund 5']

  test('are told invoice by invoice, each in the order in which they were seen', async () => {
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
    expect(await report({ from, to: null })).toEqual([...ALL.slice(0, 3), 'refund 5'])
    expect(await report({ from: null, to })).toEqual([...ALL.slice(0, 2), 'payment 1'])
    expect(await report({ from, to })).toEqual(ALL.slice(0, 2))
    expect(await report({ from: null, to: minutes(-10) })).toEqual([])
  })
})

describe('the sums of days', () => {
  const [from, to] = [new Date('2026-06-01T00:00:00Z'), new Date('2026-06-03T00:00:00Z')]
  const [first, second] = [from, new Date('2026-06-02T23:59:59Z')]
  const days = () => reportDays(sql, merchantId, { from, to })

  test('are those of what was confirmed on them, and of nothing else', async () => {
    const { id } = await newInvoice(0)
    const at = (confirmedAt: Date) => ({ confirmedAt })
    const mined = { txHash: newHash() }
    await storePayment(sql, id, 10n, { fee: baseUnits(1n), ...at(first) })
    await storePayment(sql, id, 20n, { kind: 'late', ...at(first) })
    await storePayment(sql, id, 40n, { kind: 'foreign', ...at(first) })
    await storePayment(sql, id, 80n, { status: 'reverted', ...at(first) })
    await storePayment(sql, id, 160n, at(second))
    await storeSettlement(sql, id, 9n, { fee: baseUnits(2n), ...at(first) })
    await storeSettlement(sql, id, 90n, { status: 'mined', round: 2, ...at(first) })
    await storeRefund(sql, id, 3n, { status: 'confirmed', ...mined, ...at(first) })
    await storeRefund(sql, id, 30n, { status: 'mined', ...mined, ...at(first) })
    const nothing = { payments: 0, received: 0n, late: 0n, refunds: 0, refunded: 0n }
    expect(await days()).toMatchObject([
      {
        ...{ day: '2026-06-01', payments: 2, received: 10n, late: 20n },
        ...{ settlements: 1, remitted: 7n, fees: 2n, refunds: 1, refunded: 3n },
      },
      {
        ...nothing,
        ...{
          day: '2026-06-02',
          payments: 1,
          received: 160n,
          settlements: 0,
          remitted: 0n,
          fees: 0n,
        },
      },
    ])
  })

  test('begin with the first moment and end before the last one', async () => {
    const { id } = await newInvoice(0)
    for (const confirmedAt of [new Date(from.getTime() - 1), to]) {
      await storePayment(sql, id, 1n, { confirmedAt })
      await storeSettlement(sql, id, 1n, { confirmedAt, round: confirmedAt === to ? 2 : 1 })
      await storeRefund(sql, id, 1n, { confirmedAt, status: 'confirmed', txHash: newHash() })
    }
    expect(await days()).toEqual([])
    await storeSettlement(sql, id, 1n, { confirmedAt: first, round: 3 })
    await storeRefund(sql, id, 1n, {
      ...{ confirmedAt: first, status: 'confirmed', txHash: newHash() },
    })
    expect(await days()).toMatchObject([{ settlements: 1, refunds: 1 }])
  })

  test('are the merchant’s alone', async () => {
    const { id } = await newInvoice(0, await storeMerchant(sql))
    const confirmedAt = first
    await storePayment(sql, id, 1n, { confirmedAt })
    await storeSettlement(sql, id, 1n, { confirmedAt })
    await storeRefund(sql, id, 1n, { confirmedAt, status: 'confirmed', txHash: newHash() })
    expect(await days()).toEqual([])
  })
})
