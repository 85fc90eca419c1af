import { expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import {
  REPORT_COLUMNS,
  type ReportedInvoice,
  type ReportedTransaction,
  reportLine,
} from '../../../core/invoice/report.ts'
import { anInvoice, NOW, RECIPIENT } from '../../support/core/invoiceRows.ts'

/** Lines of the CSV of all transactions. */

const USDC = lowerCaseAddress('0x036cbd53842c5426634e7929541ec2318f3dcf7e')
const FIAT = {
  ...{ currency: 'EUR', amount: '25.00', rate: '1.0834' },
  ...{ at: '2026-06-01T11:59:30.000Z', source: 'desk' },
}

/** The cells from the currency on. */
function invoiceCells(invoice: ReportedInvoice | null, change: Partial<ReportedTransaction> = {}) {
  const row: ReportedTransaction = {
    ...{ type: 'payment', status: 'confirmed', id: 'a', invoiceId: null, invoiceRef: null },
    ...{ externalRef: null, invoice, networkId: 'base-sepolia', token: USDC },
    ...{ amount: baseUnits(1n), fee: baseUnits(0n), net: baseUnits(1n), owed: 0n, txHash: null },
    ...{ blockNumber: null, account: RECIPIENT, createdAt: NOW, confirmedAt: null, method: null },
    ...change,
  }
  const cells = reportLine(row, ALL_CHAINS).trimEnd().split(',')
  expect(cells).toHaveLength(REPORT_COLUMNS.length)
  return cells.slice(REPORT_COLUMNS.indexOf('currency'), REPORT_COLUMNS.indexOf('method'))
}

test('the columns that importers know keep their places', () => {
  const known =
    'type,status,invoiceReference,externalRef,invoiceId,transactionId,chain,asset,tokenAddress,' +
    'amount,fee,net,txHash,blockNumber,account,createdAt,confirmedAt,' +
    'currency,fiatAmount,rate,rateAt,rateSource,underpaymentTolerance,toleratedAmount,method'
  expect(REPORT_COLUMNS.join(',')).toStartWith(known)
})

test('a line says by which rate its invoice was priced', () => {
  const priced = invoiceCells(anInvoice({ fiat: FIAT }))
  expect(priced).toEqual(['EUR', '25.00', '1.0834', FIAT.at, 'desk', '0', '0'])
  expect(invoiceCells(anInvoice())).toEqual(['', '', '', '', '', '0', '0'])
  expect(invoiceCells(null)).toEqual(['', '', '', '', '', '', ''])
})

test('a line says what its invoice tolerates, and what of that was made use of', () => {
  const tolerant = { underpaymentTolerance: baseUnits(10_000n) }
  const paid = anInvoice({ ...tolerant, receivedAmount: baseUnits(995_000n) })
  expect(invoiceCells(paid).slice(-2)).toEqual(['0.01', '0.005'])
  const partial = anInvoice({ ...tolerant, receivedAmount: baseUnits(500_000n) })
  expect(invoiceCells(partial).slice(-2)).toEqual(['0.01', '0'])
})

test('amounts of an invoice are in its own token, whatever was sent', () => {
  const invoice = anInvoice({ underpaymentTolerance: baseUnits(10_000n) })
  const token = lowerCaseAddress(`0x${'12'.repeat(20)}`)
  expect(invoiceCells(invoice, { token }).slice(-2)).toEqual(['0.01', '0'])
})

test.each(['=HYPERLINK("http://x")', '+1+1', '-A1', '@SUM(A1)', '\tx', '＝1'])(
  'a source of rates called %p is text and no formula',
  (source) => {
    const [cell] = invoiceCells(anInvoice({ fiat: { ...FIAT, source } })).slice(4)
    expect(cell?.replace(/^"/, '')).toStartWith("'")
  },
)
