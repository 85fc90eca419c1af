import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { asInvoiceId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { LedgerText, ledgerHead } from '../../../core/books/beancount.ts'
import { type Entry, entryOf } from '../../../core/books/entry.ts'
import { ENTRY_HEADER, entryLines } from '../../../core/books/entryCsv.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import type { ReportedTransaction } from '../../../core/invoice/report.ts'
import { checkLedger, scaled } from '../../support/books/beancount.ts'
import { csvRows } from '../../support/books/csv.ts'

/** Books in double entry: they balance, regardless of what happened, and programs read them. */

const TYPES: readonly ReportedTransaction['type'][] = [
  'payment',
  'late_payment',
  'other_deposit',
  'settlement',
  'refund',
  'external_refund',
  'x402_payment',
  'x402_payout',
]
const CHAIN = ALL_CHAINS.find(({ networkId }) => networkId === 'base-sepolia')
const TOKENS = [
  CHAIN?.tokens[0]?.address ?? '',
  `0x${'00'.repeat(20)}`,
  `0x${'ab'.repeat(20)}`,
].map(lowerCaseAddress)

const transactions = fc.array(
  fc
    .record({
      type: fc.constantFrom(...TYPES),
      token: fc.constantFrom(...TOKENS),
      amount: fc.bigInt({ min: 0n, max: 10n ** 30n }),
      share: fc.bigInt({ min: 0n, max: 100n }),
      owedShare: fc.bigInt({ min: -100n, max: 100n }),
      externalRef: fc.option(
        fc.oneof(fc.constant('a\r\n"b",'), fc.string({ unit: 'binary', maxLength: 30 })),
        { nil: null },
      ),
      status: fc.constantFrom('confirmed', 'failed', 'pending'),
    })
    .map(({ amount, share, status, ...rest }) => rowOf({ ...rest, status, amount, share })),
  { maxLength: 30 },
)

function rowOf(row: {
  type: ReportedTransaction['type']
  token: ReportedTransaction['token']
  amount: bigint
  share: bigint
  /** Of the fee, in hundredths; below zero what was owed before and is charged now. */
  owedShare?: bigint
  externalRef: string | null
  status: string
}): ReportedTransaction {
  const at = new Date('2026-06-01T12:00:00Z')
  const { owedShare = 0n, ...given } = row
  const fee = (row.amount * row.share) / 100n
  return {
    ...given,
    id: '0198c5b4-7f1e-7000-8000-5d5d1c1f0a11',
    invoiceId: asInvoiceId('0198c5b4-7f1e-7000-8000-5d5d1c1f0a12'),
    invoiceRef: 'ABCDEFGHIJ',
    invoice: null,
    networkId: 'base-sepolia',
    amount: baseUnits(row.amount),
    fee: baseUnits(fee),
    net: baseUnits(0n),
    owed: (fee * owedShare) / 100n,
    txHash: `0x${'1'.repeat(64)}`,
    blockNumber: 1n,
    account: row.token,
    createdAt: at,
    method: null,
    confirmedAt: row.status === 'pending' ? null : at,
  }
}

function entriesOf(rows: readonly ReportedTransaction[]): Entry[] {
  return rows
    .flatMap((row) => entryOf(row, ALL_CHAINS) ?? [])
    .filter(({ postings }) => postings.length > 0)
}

describe('entries', () => {
  test('balance, and are read by the rules of bean-check, regardless of what merchants wrote', () => {
    fc.assert(
      fc.property(transactions, fc.string({ unit: 'binary' }), (rows, title) => {
        const entries = entriesOf(rows)
        const ledger = new LedgerText()
        const text = ledgerHead(title) + entries.map((entry) => ledger.of(entry)).join('')
        const checked = checkLedger(text)
        expect(checked.errors).toEqual([])
        expect(checked.transactions).toBe(entries.length)
      }),
    )
  })

  test('say the same as lines of values, which add up to zero', () => {
    fc.assert(
      fc.property(transactions, (rows) => {
        for (const entry of entriesOf(rows)) {
          const sum = entry.postings.reduce((total, { amount }) => total + amount, 0n)
          expect(sum).toBe(0n)
          // What a merchant wrote may hold a line break, within its quotes.
          const lines = entryLines(entry)
            .replace(/"(?:[^"]|"")*"/g, 'quoted')
            .split('\r\n')
          expect(lines.length - 1).toBe(entry.postings.length)
          const cells = csvRows(entryLines(entry))
          const read = cells.reduce((total, [, , , , amount = '']) => total + scaled(amount), 0n)
          expect(read).toBe(0n)
        }
      }),
    )
    expect(ENTRY_HEADER).toStartWith('date,entry,type,account,amount,commodity')
  })

  test.each(['-1001234567890', '+4917012345', '-10', '12.50'])(
    'have the externalRef %p as the shop has it',
    (externalRef) => {
      const row = { externalRef, status: 'confirmed', share: 0n, type: 'payment' as const }
      const [entry] = entriesOf([
        rowOf({ ...row, token: TOKENS[0] ?? lowerCaseAddress(''), amount: 5n }),
      ])
      const cells = csvRows(entry ? entryLines(entry) : '')
      expect(cells.map((line) => line[7])).toEqual([externalRef, externalRef])
    },
  )

  test('take the fee out of what a settlement moves, and keep what is unknown apart', () => {
    const usdc = TOKENS[0] ?? lowerCaseAddress('')
    const row = { token: usdc, externalRef: null, status: 'confirmed', share: 10n }
    const ledger = new LedgerText()
    const text = [
      rowOf({ ...row, type: 'payment', amount: 25_000_000n }),
      rowOf({ ...row, type: 'settlement', amount: 20_000_000n }),
      rowOf({ ...row, type: 'refund', amount: 1_000_000n }),
      rowOf({ ...row, type: 'other_deposit', token: TOKENS[2] ?? usdc, amount: 7n }),
    ]
      .flatMap((one) => entryOf(one, ALL_CHAINS) ?? [])
      .map((entry) => ledger.of(entry))
      .join('')
    const { balances, errors } = checkLedger(text)
    expect(errors).toEqual([])
    const held = (account: string, commodity = 'USDC') =>
      balances.get(`${account}:Base-Sepolia ${commodity}`)
    expect(held('Assets:Remit:Deposits')).toBe(scaled('4'))
    expect(held('Assets:Remit:Treasury')).toBe(scaled('18'))
    expect(held('Expenses:Remit:Fees')).toBe(scaled('2'))
    expect(held('Income:Remit:Sales')).toBe(scaled('-25'))
    expect(held('Assets:Remit:Deposits', `T${'AB'.repeat(10)}`)).toBe(scaled('7'))
  })

  test('book a fee that the token refused as owed, until it is charged', () => {
    const usdc = TOKENS[0] ?? lowerCaseAddress('')
    const row = { token: usdc, externalRef: null, status: 'confirmed' }
    const held = (...rows: Parameters<typeof rowOf>[0][]) => {
      const entries = rows.flatMap((one) => entryOf(rowOf(one), ALL_CHAINS) ?? [])
      const ledger = new LedgerText()
      const { balances, errors } = checkLedger(entries.map((one) => ledger.of(one)).join(''))
      expect(errors).toEqual([])
      return (account: string) => balances.get(`${account}:Base-Sepolia USDC`)
    }
    const received = { ...row, amount: 100_000_000n, share: 0n }
    const swept = held(
      { ...received, type: 'payment' },
      { ...row, type: 'settlement', amount: 100_000_000n, share: 3n, owedShare: 100n },
    )
    expect(swept('Assets:Remit:Treasury')).toBe(scaled('97'))
    // The fee lies in the deposit, and is not the merchant's.
    expect(swept('Assets:Remit:Deposits')).toBe(scaled('3'))
    expect(swept('Liabilities:Remit:FeesOwed')).toBe(scaled('-3'))
    expect(swept('Expenses:Remit:Fees')).toBe(scaled('3'))
    const charged = held(
      { ...received, type: 'x402_payment' },
      // What was owed of earlier payouts is two thirds of what the collector gets now.
      { ...row, type: 'x402_payout', amount: 100_000_000n, share: 3n, owedShare: -66n },
    )
    expect(charged('Assets:Remit:Treasury')).toBe(scaled('97'))
    expect(charged('Liabilities:Remit:FeesOwed')).toBe(scaled('1.98'))
    expect(charged('Expenses:Remit:Fees')).toBe(scaled('1.02'))
  })

  test('are refused by the rules when one is changed', () => {
    const row = { token: TOKENS[0] ?? lowerCaseAddress(''), externalRef: null, status: 'confirmed' }
    const entry = entryOf(rowOf({ ...row, type: 'payment', amount: 5n, share: 0n }), ALL_CHAINS)
    if (entry === null) throw new Error('there is no entry')
    const text = new LedgerText().of(entry)
    expect(checkLedger(text.replace('-0.000005', '-0.000004')).errors).toHaveLength(1)
    expect(checkLedger(text.replace(/1970-01-01 open Assets.*\n/, '')).errors).toHaveLength(1)
    expect(checkLedger(text.replace('Income:', 'Revenue:')).errors.length).toBeGreaterThan(0)
  })
})
