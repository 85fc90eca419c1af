import { type Address, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { isTokenSymbol } from '../../core/chain/registry.ts'
import type { InvoiceId, MerchantId, PaymentId, RefundId, SettlementId } from '../../core/ids.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import type {
  Invoice,
  InvoiceStatus,
  Payment,
  PaymentKind,
  PaymentStatus,
  Refund,
  RefundStatus,
  Settlement,
  SettlementState,
  SettlementStatus,
} from '../../core/invoice/state.ts'
import { baseUnitsFromSql } from '../../core/money.ts'
import type { Queryable } from '../database.ts'

/** Rows of the ledger as Postgres returns them, and how they become the core's types. */

export interface InvoiceRow {
  id: InvoiceId
  merchant_id: MerchantId
  external_ref: string | null
  reference: string
  token_symbol: string
  chains: string[]
  amount_expected: string
  accepted_amount: string | null
  fee_cap: string
  platform_fee: string
  recipient: string | null
  hub: string
  deposit_address: string
  metadata: Record<string, unknown>
  expires_at: Date | null
  closed_at: Date | null
  status: InvoiceStatus
  target_network: string | null
  pending_amount: string
  received_amount: string
  late_amount: string
  refunded_amount: string
  returned_amount: string
  amount_remitted: string
  completed_amount: string | null
  settlement_state: SettlementState
  settlement_error: string | null
  version: number
  created_at: Date
  paid_at: Date | null
  completed_at: Date | null
}

export interface PaymentRow {
  id: PaymentId
  invoice_id: InvoiceId
  network_id: string
  tx_hash: string
  log_index: number
  token: string
  sender: string
  amount: string
  kind: PaymentKind
  status: PaymentStatus
  block_number: bigint
  block_hash: string
  block_time: Date
  fee: string
  refunded: string
  refunding: string
  accepted_at: Date | null
  created_at: Date
  confirmed_at: Date | null
}

export interface RefundRow {
  id: RefundId
  invoice_id: InvoiceId
  idempotency_key: string
  network_id: string
  token: string
  amount: string
  recipient: string
  payment_id: PaymentId | null
  status: RefundStatus
  tx_hash: string | null
  block_number: bigint | null
  error: string | null
  version: number
  created_at: Date
  confirmed_at: Date | null
}

export interface SettlementRow {
  id: SettlementId
  invoice_id: InvoiceId
  network_id: string
  token: string
  round: number
  amount: string
  fee: string
  fee_owed: string
  recipient: string
  registry_version: number
  status: SettlementStatus
  tx_hash: string | null
  block_number: bigint | null
  error: string | null
  created_at: Date
  confirmed_at: Date | null
}

export function invoiceFromRow(row: InvoiceRow): Invoice {
  if (!isTokenSymbol(row.token_symbol)) throw new Error(`unknown token ${row.token_symbol}`)
  return {
    id: row.id,
    merchantId: row.merchant_id,
    externalRef: row.external_ref,
    reference: row.reference,
    tokenSymbol: row.token_symbol,
    chains: row.chains,
    amountExpected: baseUnitsFromSql(row.amount_expected),
    acceptedAmount: row.accepted_amount === null ? null : baseUnitsFromSql(row.accepted_amount),
    feeCap: baseUnitsFromSql(row.fee_cap),
    platformFee: baseUnitsFromSql(row.platform_fee),
    recipient: addressOrNull(row.recipient),
    hub: lowerCaseAddress(row.hub),
    depositAddress: lowerCaseAddress(row.deposit_address),
    metadata: row.metadata,
    expiresAt: row.expires_at,
    closedAt: row.closed_at,
    status: row.status,
    targetNetwork: row.target_network,
    pendingAmount: baseUnitsFromSql(row.pending_amount),
    receivedAmount: baseUnitsFromSql(row.received_amount),
    lateAmount: baseUnitsFromSql(row.late_amount),
    refundedAmount: baseUnitsFromSql(row.refunded_amount),
    returnedAmount: baseUnitsFromSql(row.returned_amount),
    amountRemitted: baseUnitsFromSql(row.amount_remitted),
    completedAmount: row.completed_amount === null ? null : baseUnitsFromSql(row.completed_amount),
    settlementState: row.settlement_state,
    settlementError: row.settlement_error,
    version: row.version,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    completedAt: row.completed_at,
  }
}

export function paymentFromRow(row: PaymentRow): Payment {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    networkId: row.network_id,
    txHash: hashFrom(row.tx_hash),
    logIndex: row.log_index,
    token: lowerCaseAddress(row.token),
    sender: lowerCaseAddress(row.sender),
    amount: baseUnitsFromSql(row.amount),
    kind: row.kind,
    status: row.status,
    blockNumber: row.block_number,
    blockHash: hashFrom(row.block_hash),
    blockTime: row.block_time,
    fee: baseUnitsFromSql(row.fee),
    refunded: baseUnitsFromSql(row.refunded),
    refunding: baseUnitsFromSql(row.refunding),
    acceptedAt: row.accepted_at,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
  }
}

export function refundFromRow(row: RefundRow): Refund {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    idempotencyKey: row.idempotency_key,
    networkId: row.network_id,
    token: lowerCaseAddress(row.token),
    amount: baseUnitsFromSql(row.amount),
    recipient: lowerCaseAddress(row.recipient),
    paymentId: row.payment_id,
    status: row.status,
    txHash: row.tx_hash === null ? null : hashFrom(row.tx_hash),
    blockNumber: row.block_number,
    error: row.error,
    version: row.version,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
  }
}

export function settlementFromRow(row: SettlementRow): Settlement {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    networkId: row.network_id,
    token: lowerCaseAddress(row.token),
    round: row.round,
    amount: baseUnitsFromSql(row.amount),
    fee: baseUnitsFromSql(row.fee),
    feeOwed: baseUnitsFromSql(row.fee_owed),
    recipient: lowerCaseAddress(row.recipient),
    registryVersion: row.registry_version,
    status: row.status,
    txHash: row.tx_hash === null ? null : hashFrom(row.tx_hash),
    blockNumber: row.block_number,
    error: row.error,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
  }
}

/** Adds to invoices everything that belongs to them, in three queries however many there are. */
export async function withTransactions(
  sql: Queryable,
  rows: readonly (InvoiceRow & { merchant_recipient: string | null })[],
): Promise<InvoiceRows[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [payments, settlements, refunds] = await Promise.all([
    sql<PaymentRow[]>`
      select * from payment where invoice_id = any(${ids}::uuid[]) order by detected_order`,
    sql<SettlementRow[]>`
      select * from settlement where invoice_id = any(${ids}::uuid[]) order by created_at, id`,
    sql<RefundRow[]>`
      select * from refund where invoice_id = any(${ids}::uuid[]) order by created_at, id`,
  ])
  const paymentsOf = Map.groupBy(payments, (row) => row.invoice_id)
  const settlementsOf = Map.groupBy(settlements, (row) => row.invoice_id)
  const refundsOf = Map.groupBy(refunds, (row) => row.invoice_id)
  return rows.map((row) => ({
    invoice: invoiceFromRow(row),
    merchantRecipient: addressOrNull(row.merchant_recipient),
    payments: (paymentsOf.get(row.id) ?? []).map(paymentFromRow),
    settlements: (settlementsOf.get(row.id) ?? []).map(settlementFromRow),
    refunds: (refundsOf.get(row.id) ?? []).map(refundFromRow),
  }))
}

export function addressOrNull(text: string | null): Address | null {
  return text === null ? null : lowerCaseAddress(text)
}
