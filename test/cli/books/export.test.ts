import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Database } from '../../../store/database/database.ts'
import { readBalances } from '../../../store/invoice/balances.ts'
import { checkLedger, scaled } from '../../support/books/beancount.ts'
import { csvRows } from '../../support/books/csv.ts'
import { remit } from '../../support/cli/run.ts'
import { databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { newHash } from '../../support/store/database.ts'
import {
  storeInvoice,
  storeMerchant,
  storePayment,
  storeRefund,
  storeSettlement,
  USDC,
} from '../../support/store/invoice.ts'
import { newShop, storeDistribution } from '../../support/store/x402.ts'

/** `remit export`: the same money as the ledger's own sums, in books that balance. */

let sql: Database
let merchantId: MerchantId
const confirmedAt = new Date('2026-06-01T12:00:00Z')

beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
  const { id } = await storeInvoice(sql, merchantId)
  await storePayment(sql, id, 25_000_000n, { confirmedAt })
  await storePayment(sql, id, 3_000_000n, { kind: 'late', confirmedAt })
  await storePayment(sql, id, 9_000_000n, { status: 'pending', confirmedAt: null })
  await storeSettlement(sql, id, 20_000_000n, { fee: baseUnits(100_000n), confirmedAt })
  await storeRefund(sql, id, 3_000_000n, { status: 'confirmed', txHash: newHash(), confirmedAt })
})
afterAll(() => sql?.end({ timeout: 1 }))

const exported = (...args: string[]) =>
  remit({ DATABASE_URL: databaseUrlOf(sql) }, 'export', '--merchant', merchantId, ...args)

test('the books of a merchant balance, and say what the balances say', async () => {
  const { out, code } = await exported('--format', 'beancount')
  expect(code).toBe(0)
  const { errors, balances, transactions } = checkLedger(out)
  expect(errors).toEqual([])
  expect(transactions).toBe(4)
  const [balance] = await readBalances(sql, merchantId)
  if (!balance) throw new Error('there is no balance')
  const held = balance.received - balance.settled - balance.fees - balance.refunded
  const of = (account: string) => balances.get(`${account}:Base-Sepolia USDC`)
  const units = (amount: bigint) => amount * 10n ** 30n
  expect(of('Assets:Remit:Deposits')).toBe(units(held))
  expect(of('Assets:Remit:Treasury')).toBe(units(balance.settled))
  expect(of('Expenses:Remit:Fees')).toBe(units(balance.fees))
  expect(of('Income:Remit:LatePayments')).toBe(scaled('-3'))
})

test('the same as values, in a file of its own', async () => {
  const file = `${process.env.TMPDIR ?? '/tmp'}/export-${process.pid}.csv`
  const { code, err } = await exported('--format', 'csv', '--out', file)
  expect(`${code} ${err}`).toBe('0 ')
  const lines = (await Bun.file(file).text()).trimEnd().split('\r\n')
  // Two postings each, and three of the settlement.
  expect(lines).toHaveLength(1 + 4 * 2 + 1)
  const [, ...postings] = csvRows(await Bun.file(file).text())
  const entries = Map.groupBy(postings, ([, entry]) => entry)
  expect(entries.size).toBe(4)
  for (const lines of entries.values()) {
    expect(lines.some(([, , , , amount = '']) => amount.startsWith('-'))).toBe(true)
    expect(lines.reduce((sum, [, , , , amount = '']) => sum + scaled(amount), 0n)).toBe(0n)
  }
  await Bun.file(file).delete()
})

test('a fee that stayed behind is owed until the collector is paid', async () => {
  const shop = await newShop(sql)
  const { id } = await storeInvoice(sql, shop.id)
  await storePayment(sql, id, 25_000_000n, { confirmedAt })
  const [fee, feeOwed] = [baseUnits(100_000n), baseUnits(100_000n)]
  await storeSettlement(sql, id, 20_000_000n, { fee, feeOwed, confirmedAt })
  const token = USDC.address
  await storeDistribution(sql, shop, 10n, { token, remitted: 900_000n, feeHeld: 4_000n })
  const books = async () => {
    const { out } = await remit(
      { DATABASE_URL: databaseUrlOf(sql) },
      ...['export', '--merchant', shop.id, '--format', 'beancount'],
    )
    const { errors, balances } = checkLedger(out)
    expect(errors).toEqual([])
    return (account: string) => balances.get(`${account}:Base-Sepolia USDC`)
  }
  const held = await books()
  expect(held('Liabilities:Remit:FeesOwed')).toBe(scaled('-0.104'))
  expect(held('Expenses:Remit:Fees')).toBe(scaled('0.104'))
  // 5.1 is what the chain has: what was not swept, and the fee that the token refused.
  expect(held('Assets:Remit:Deposits')).toBe(scaled('5.1'))
  await storeDistribution(sql, shop, 11n, { token, remitted: 100_000n, fee: 5_000n })
  const paid = await books()
  expect(paid('Liabilities:Remit:FeesOwed')).toBe(scaled('-0.1'))
  expect(paid('Expenses:Remit:Fees')).toBe(scaled('0.105'))
  expect(paid('Assets:Remit:Treasury')).toBe(scaled('20.9'))
  expect(paid('Assets:Remit:Forwarder')).toBe(scaled('-1.005'))
})

test('what is asked for wrongly is said', async () => {
  expect((await exported('--format', 'excel')).err).toContain('beancount or csv')
  expect((await exported('--format', 'csv', '--from', 'today')).err).toContain('--from must be')
})
