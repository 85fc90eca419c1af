import { csvLine } from '../base/csv.ts'
import type { InvoiceId } from '../base/ids.ts'
import { isoFrom } from '../base/instant.ts'
import { type BaseUnits, formatAmount } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'
import { TOKENS } from '../chain/tokens.ts'
import { type KeptAmounts, type RequestedAmounts, toleratedAmount } from './amounts.ts'
import type { Invoice, PaymentMethod } from './state.ts'

/** Reports for bookkeeping. Amounts are decimal strings in the token's major unit. */

/** The price and the underpayment tolerance of a line's invoice. */
export type ReportedInvoice = Pick<Invoice, 'tokenSymbol' | 'fiat'> & RequestedAmounts & KeptAmounts

/** A payment, settlement, refund or payout as a line of a report. Amounts in base units. */
export interface ReportedTransaction {
  readonly type:
    | 'payment'
    | 'late_payment'
    | 'other_deposit'
    | 'settlement'
    | 'refund'
    | 'external_refund'
    | 'x402_payment'
    | 'x402_direct'
    | 'x402_payout'
    | 'x402_refund'
  readonly status: string
  readonly id: string
  /** Null for what belongs to no invoice: pay-per-request. */
  readonly invoiceId: InvoiceId | null
  readonly invoiceRef: string | null
  readonly externalRef: string | null
  readonly invoice: ReportedInvoice | null
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** The merchant's part: nothing of a refund, since its payment's part is already without it. */
  readonly net: BaseUnits
  /**
   * By how much this changes what is owed of the platform's fees: above zero what the token refused to pay
   * out, which stays behind; below zero what was owed and is charged now.
   */
  readonly owed: bigint
  readonly txHash: string | null
  readonly blockNumber: bigint | null
  /** The other side: the sender of a payment, the receiver of a settlement, refund or payout. */
  readonly account: Address
  /** How the payment of an invoice was sent; null for everything else. */
  readonly method: PaymentMethod | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

/** Columns of the invoice, which are the same on each of its lines. */
const INVOICE_COLUMNS = [
  'currency',
  'fiatAmount',
  'rate',
  'rateAt',
  'rateSource',
  'underpaymentTolerance',
  'toleratedAmount',
] as const

/** New columns go at the end: importers rely on the positions of those that they know. */
export const REPORT_COLUMNS = [
  'type',
  'status',
  'invoiceReference',
  'externalRef',
  'invoiceId',
  'transactionId',
  'chain',
  'asset',
  'tokenAddress',
  'amount',
  'fee',
  'net',
  'txHash',
  'blockNumber',
  'account',
  'createdAt',
  'confirmedAt',
  ...INVOICE_COLUMNS,
  'method',
] as const

export const REPORT_HEADER = csvLine(REPORT_COLUMNS)

/** One line of the report. Amounts of a token that the registry lacks are left empty. */
export function reportLine(row: ReportedTransaction, chains: readonly Chain[]): string {
  const { symbol, decimal } = foundToken(row, chains)
  const cells = {
    type: row.type,
    status: row.status,
    invoiceReference: row.invoiceRef,
    externalRef: row.externalRef,
    invoiceId: row.invoiceId,
    transactionId: row.id,
    chain: row.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(row.token),
    amount: decimal(row.amount),
    fee: decimal(row.fee),
    net: decimal(row.net),
    txHash: row.txHash,
    blockNumber: row.blockNumber?.toString() ?? null,
    account: checksumAddress(row.account),
    createdAt: row.createdAt.toISOString(),
    confirmedAt: isoFrom(row.createdAt, row.confirmedAt),
    ...invoiceCells(row.invoice),
    method: row.method,
  } satisfies Record<(typeof REPORT_COLUMNS)[number], string | null>
  return csvLine(REPORT_COLUMNS.map((column) => cells[column]))
}

type InvoiceCells = Readonly<Record<(typeof INVOICE_COLUMNS)[number], string | null>>

/** Amounts of the invoice are in its own token, which is not always that of the line. */
function invoiceCells(invoice: ReportedInvoice | null): InvoiceCells {
  const fiat = invoice?.fiat
  const amount = (read: (of: ReportedInvoice) => bigint) =>
    invoice && formatAmount(read(invoice), TOKENS[invoice.tokenSymbol].decimals)
  return {
    currency: fiat?.currency ?? null,
    fiatAmount: fiat?.amount ?? null,
    rate: fiat?.rate ?? null,
    rateAt: fiat?.at ?? null,
    rateSource: fiat?.source ?? null,
    underpaymentTolerance: amount((of) => of.underpaymentTolerance),
    toleratedAmount: amount(toleratedAmount),
  }
}

/** The sums of one day (UTC), chain and token, by the time of confirmation. In base units. */
export interface ReportedDay {
  /** As YYYY-MM-DD. */
  readonly day: string
  readonly networkId: string
  readonly token: Address
  readonly payments: number
  readonly received: BaseUnits
  readonly late: BaseUnits
  readonly settlements: number
  /** What reached recipients. */
  readonly remitted: BaseUnits
  readonly fees: BaseUnits
  readonly refunds: number
  readonly refunded: BaseUnits
  readonly externalRefunds: number
  /** What the merchant has sent back itself, out of what was remitted. */
  readonly externallyRefunded: BaseUnits
  /** Pay-per-request: what was paid, and what payouts of the forwarder brought to the treasury. */
  readonly x402Payments: number
  readonly x402Received: BaseUnits
  readonly x402Direct: BaseUnits
  readonly x402FeesOwed: BaseUnits
  readonly x402Refunds: number
  readonly x402Refunded: BaseUnits
  readonly x402Payouts: number
  readonly x402Remitted: BaseUnits
  readonly x402Fees: BaseUnits
}

export type DayJson = ReturnType<typeof presentDay>

export function presentDay(day: ReportedDay, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(day, chains)
  return {
    day: day.day,
    chain: day.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(day.token),
    payments: day.payments,
    receivedAmount: decimal(day.received),
    lateAmount: decimal(day.late),
    settlements: day.settlements,
    amountRemitted: decimal(day.remitted),
    fees: decimal(day.fees),
    refunds: day.refunds,
    refundedAmount: decimal(day.refunded),
    externalRefunds: day.externalRefunds,
    externallyRefundedAmount: decimal(day.externallyRefunded),
    x402Payments: day.x402Payments,
    x402ReceivedAmount: decimal(day.x402Received),
    x402DirectAmount: decimal(day.x402Direct),
    x402FeesOwed: decimal(day.x402FeesOwed),
    x402Refunds: day.x402Refunds,
    x402RefundedAmount: decimal(day.x402Refunded),
    x402Payouts: day.x402Payouts,
    x402AmountRemitted: decimal(day.x402Remitted),
    x402Fees: decimal(day.x402Fees),
  }
}
