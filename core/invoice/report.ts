import { type Address, checksumAddress } from '../chain/evm.ts'
import { type Chain, tokenAt } from '../chain/registry.ts'
import { csvLine } from '../csv.ts'
import type { InvoiceId } from '../ids.ts'
import { iso } from '../instant.ts'
import { type BaseUnits, formatAmount } from '../money.ts'

/** Reports for bookkeeping. Amounts are decimal strings in the token's major unit. */

/** A payment, settlement or refund as a line of a report. Amounts in base units. */
export interface ReportedTransaction {
  readonly type:
    | 'payment'
    | 'late_payment'
    | 'other_deposit'
    | 'settlement'
    | 'refund'
    | 'external_refund'
  readonly status: string
  readonly id: string
  readonly invoiceId: InvoiceId
  readonly invoiceRef: string
  readonly externalRef: string | null
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** The merchant's part: nothing of a refund, since its payment's part is already without it. */
  readonly net: BaseUnits
  readonly txHash: string | null
  readonly blockNumber: bigint | null
  /** The other side: the sender of a payment, the receiver of a settlement or refund. */
  readonly account: Address
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

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
] as const

export const REPORT_HEADER = csvLine(REPORT_COLUMNS)

/** One line of the report. Amounts of a token that the registry lacks are left empty. */
export function reportLine(row: ReportedTransaction, chains: readonly Chain[]): string {
  const token = tokenAt(row, chains)
  const amount = (value: bigint) => (token ? formatAmount(value, token.decimals) : null)
  const cells = {
    type: row.type,
    status: row.status,
    invoiceReference: row.invoiceRef,
    externalRef: row.externalRef,
    invoiceId: row.invoiceId,
    transactionId: row.id,
    chain: row.networkId,
    asset: token?.symbol ?? null,
    tokenAddress: checksumAddress(row.token),
    amount: amount(row.amount),
    fee: amount(row.fee),
    net: amount(row.net),
    txHash: row.txHash,
    blockNumber: row.blockNumber?.toString() ?? null,
    account: checksumAddress(row.account),
    createdAt: row.createdAt.toISOString(),
    confirmedAt: iso(row.confirmedAt),
  } satisfies Record<(typeof REPORT_COLUMNS)[number], string | null>
  return csvLine(REPORT_COLUMNS.map((column) => cells[column]))
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
}

export type DayJson = ReturnType<typeof presentDay>

export function presentDay(day: ReportedDay, chains: readonly Chain[]) {
  const token = tokenAt(day, chains)
  const amount = (value: bigint) => (token ? formatAmount(value, token.decimals) : null)
  return {
    day: day.day,
    chain: day.networkId,
    asset: token?.symbol ?? null,
    tokenAddress: checksumAddress(day.token),
    payments: day.payments,
    receivedAmount: amount(day.received),
    lateAmount: amount(day.late),
    settlements: day.settlements,
    amountRemitted: amount(day.remitted),
    fees: amount(day.fees),
    refunds: day.refunds,
    refundedAmount: amount(day.refunded),
    externalRefunds: day.externalRefunds,
    externallyRefundedAmount: amount(day.externallyRefunded),
  }
}
