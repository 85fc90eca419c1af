import { sharePlatformFee } from '../base/fee.ts'
import type { InvoiceId, MerchantId, PaymentId, RefundId, SettlementId } from '../base/ids.ts'
import { atLeastZero, type BaseUnits, baseUnits, sum } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { TokenSymbol } from '../chain/tokens.ts'
import type { InvoiceFiat } from '../fiat/quote.ts'
import { amountDue, amountEnough } from './amounts.ts'
import type { RefundWait } from './refundLimit.ts'

/**
 * An invoice's figures are recalculated from all its payments and settlements, so that any order in which they
 * were observed ends in the same state.
 */

export type InvoiceStatus = 'pending' | 'partial' | 'paid' | 'completed'
export type PaymentKind = 'counted' | 'late' | 'foreign'
/** The payer's own transaction; or a signature that a relayer submits, from the page or from an x402 client. */
export const PAYMENT_METHODS = ['transfer', 'signature', 'x402'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
export type PaymentStatus = 'pending' | 'confirmed' | 'reverted'
export type SettlementStatus = 'open' | 'mined' | 'confirmed' | 'failed'
export type RefundStatus = SettlementStatus
export type SettlementState =
  | 'none'
  | 'due'
  | 'screening'
  | 'no_recipient'
  | 'below_gas_threshold'
  | 'failed'

/** Instead of a log's index, for native coin: no log shows that it moved. */
export const NO_LOG = -1

/**
 * Instead of a log's index, for money that only the balance shows: a number below NO_LOG that
 * distinguishes it from other money of the same transaction, to this deposit or another one. The same in every
 * block.
 */
export function indexByBalance(deposit: Address, token: Address): number {
  const tail = (address: Address) => Number.parseInt(address.slice(-7), 16)
  return NO_LOG - 1 - (tail(deposit) ^ tail(token))
}

/** Whether only the balance before and after its block shows this money: its sender is not known then. */
export function isByBalance({ logIndex }: { readonly logIndex: number }): boolean {
  return logIndex < NO_LOG
}

/** A transfer to a deposit address. */
export interface Payment {
  readonly id: PaymentId
  readonly invoiceId: InvoiceId
  readonly networkId: string
  readonly txHash: Hex
  /** Which log of its block it is; NO_LOG for native coin, and below that for what only the balance shows. */
  readonly logIndex: number
  readonly token: Address
  readonly sender: Address
  readonly amount: BaseUnits
  readonly kind: PaymentKind
  readonly status: PaymentStatus
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly blockTime: Date
  /** This payment's share of the platform fee. */
  readonly fee: BaseUnits
  /** The part that refunds have returned. */
  readonly refunded: BaseUnits
  /** The part that refunds in progress reserve. */
  readonly refunding: BaseUnits
  /** When the merchant accepted it although it was late. */
  readonly acceptedAt: Date | null
  /** Read where an invoice is shown; a transfer elsewhere. */
  readonly method?: PaymentMethod
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

/** One payment out of a deposit address to a recipient that the merchant named. */
export interface Refund {
  readonly id: RefundId
  readonly invoiceId: InvoiceId
  readonly idempotencyKey: string
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
  readonly recipient: Address
  /** The payment that the merchant named; null for on-time money as a whole. */
  readonly paymentId: PaymentId | null
  readonly status: RefundStatus
  /** Under which number the hub spends it; null before its order was decided. */
  readonly orderNumber: bigint | null
  /** What may still be charged on the deposit if this refund deploys it; null like the number. */
  readonly feeLeft: BaseUnits | null
  /** Why it is not on its way yet, and since when; null while nothing is in its way. */
  readonly waitingFor: RefundWait | null
  readonly waitingSince: Date | null
  /** The digest of the order that the hub's owner has to approve. */
  readonly offerDigest: Hex | null
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly error: string | null
  readonly version: number
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

/** One sweep of a deposit address. */
export interface Settlement {
  readonly id: SettlementId
  readonly invoiceId: InvoiceId
  readonly networkId: string
  readonly token: Address
  readonly round: number
  /** What leaves the deposit: the fee and the merchant's part. */
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  /** The part of the fee that the token refused to pay out; it stays in the deposit. */
  readonly feeOwed: BaseUnits
  readonly recipient: Address
  readonly registryVersion: number
  /** What must be left in the deposit, in the same token; the hub refuses the sweep otherwise. */
  readonly leave: BaseUnits
  /** Whether this sweep is the one that creates the deposit's contract. */
  readonly deploys: boolean
  readonly status: SettlementStatus
  /** It has ended because the deposit had changed since it was planned: a later round does its work. */
  readonly replanned: boolean
  /** What a confirmed block showed of the deposit when the round had ended without moving anything. */
  readonly foundBlock: bigint | null
  readonly foundDeployed: boolean | null
  /** What could still be charged on it. */
  readonly foundFeeLeft: BaseUnits | null
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly error: string | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

export interface Invoice {
  readonly id: InvoiceId
  readonly merchantId: MerchantId
  readonly externalRef: string | null
  readonly reference: string
  readonly tokenSymbol: TokenSymbol
  readonly chains: readonly string[]
  readonly amountExpected: BaseUnits
  /** What amountExpected was converted from at creation; null where the amount was given in the token. */
  readonly fiat: InvoiceFiat | null
  /** What the merchant accepted as enough; null while amountExpected is due. */
  readonly acceptedAmount: BaseUnits | null
  /** The underpayment tolerance of amountExpected, as given at creation. */
  readonly underpaymentTolerance: BaseUnits
  readonly feeCap: BaseUnits
  readonly platformFee: BaseUnits
  /** The recipient named at creation, or null for the merchant's own. */
  readonly recipient: Address | null
  readonly hub: Address
  readonly depositAddress: Address
  readonly metadata: Readonly<Record<string, unknown>>
  readonly expiresAt: Date | null
  readonly closedAt: Date | null
  /** Where its payer wants money back, as left on the page; nothing is sent there automatically. */
  readonly payerRefundAddress: Address | null
  readonly status: InvoiceStatus
  readonly targetNetwork: string | null
  readonly pendingAmount: BaseUnits
  readonly receivedAmount: BaseUnits
  readonly lateAmount: BaseUnits
  /** What refunds have returned of the invoice's own token, late payments included. */
  readonly refundedAmount: BaseUnits
  /** What of the on-time money refunds have returned or reserve. */
  readonly returnedAmount: BaseUnits
  readonly amountRemitted: BaseUnits
  readonly completedAmount: BaseUnits | null
  readonly settlementState: SettlementState
  readonly settlementError: string | null
  readonly version: number
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly completedAt: Date | null
}

/** The part of an invoice that follows from its payments and settlements. */
export type InvoiceFigures = Pick<
  Invoice,
  | 'status'
  | 'targetNetwork'
  | 'pendingAmount'
  | 'receivedAmount'
  | 'lateAmount'
  | 'refundedAmount'
  | 'returnedAmount'
  | 'amountRemitted'
  | 'completedAmount'
  | 'paidAt'
  | 'completedAt'
>

/** The moment after which a payment's block is late, or null when there is none. */
export function deadline(invoice: Pick<Invoice, 'expiresAt' | 'closedAt'>): Date | null {
  const { expiresAt, closedAt } = invoice
  if (!expiresAt || !closedAt) return expiresAt ?? closedAt
  return expiresAt < closedAt ? expiresAt : closedAt
}

/** True when the deadline is past by the given clock and the invoice was not paid. */
export function isExpired(
  invoice: Pick<Invoice, 'expiresAt' | 'closedAt' | 'status'>,
  now: Date,
): boolean {
  const end = deadline(invoice)
  return end !== null && end < now && (invoice.status === 'pending' || invoice.status === 'partial')
}

/** How a transfer to the deposit address counts for its invoice. On time: block time <= deadline. */
export function classifyPayment(
  invoice: Pick<Invoice, 'chains' | 'expiresAt' | 'closedAt'>,
  invoiceToken: Address | undefined,
  transfer: { readonly networkId: string; readonly token: Address; readonly blockTime: Date },
): PaymentKind {
  if (!invoice.chains.includes(transfer.networkId)) return 'foreign'
  if (transfer.token !== invoiceToken) return 'foreign'
  const end = deadline(invoice)
  return end !== null && transfer.blockTime > end ? 'late' : 'counted'
}

/** The part of a payment that no refund has returned or reserves. */
export function keptOf(payment: Pick<Payment, 'amount' | 'refunded' | 'refunding'>): BaseUnits {
  return atLeastZero(payment.amount - payment.refunded - payment.refunding)
}

/**
 * Derives the figures from everything that was observed. `payments` are in the order detected.
 * Reverted payments and failed settlements count for nothing.
 */
export function deriveFigures(
  invoice: Invoice,
  payments: readonly Payment[],
  settlements: readonly Settlement[],
  now: Date,
): InvoiceFigures {
  const counted = payments.filter((p) => p.kind === 'counted' && p.status !== 'reverted')
  const late = payments.filter((p) => p.kind === 'late' && p.status !== 'reverted')
  const confirmed = settlements.filter((s) => s.status === 'confirmed')
  const receivedAmount = total(counted.filter((p) => p.status === 'confirmed'))
  const returnedAmount = returned(payments.filter((p) => p.kind === 'counted'))
  const swept = total(confirmed)
  const status = deriveStatus(invoice, atLeastZero(receivedAmount - returnedAmount), swept)
  const settled = status === 'completed'
  const paid = settled || status === 'paid'
  return {
    status,
    targetNetwork: counted[0]?.networkId ?? null,
    pendingAmount: total(counted.filter((p) => p.status === 'pending')),
    receivedAmount,
    lateAmount: total(late),
    refundedAmount: sum(payments.filter((p) => p.kind !== 'foreign').map((p) => p.refunded)),
    returnedAmount,
    amountRemitted: sum(confirmed.map((s) => s.amount - s.fee)),
    completedAmount: settled ? (invoice.completedAmount ?? swept) : null,
    paidAt: paid ? (invoice.paidAt ?? now) : null,
    completedAt: settled ? (invoice.completedAt ?? now) : null,
  }
}

/** Each payment's share of the platform fee, by payment id. What went back bears none. */
export function deriveFees(
  invoice: Invoice,
  payments: readonly Payment[],
): ReadonlyMap<PaymentId, BaseUnits> {
  const counted = payments.filter((p) => p.kind === 'counted' && p.status !== 'reverted')
  const [due, enough] = [amountDue(invoice), amountEnough(invoice)]
  const shares = sharePlatformFee(counted.map(keptOf), due, invoice.platformFee, enough)
  const byId = new Map(payments.map((p) => [p.id, baseUnits(0n)]))
  counted.forEach((p, i) => {
    byId.set(p.id, shares[i] ?? baseUnits(0n))
  })
  return byId
}

/**
 * `kept` is what was received on time and not refunded. A completed invoice stays completed when
 * more money is received, and returns to paid when a reorganisation reverts a sweep that had
 * completed it.
 */
function deriveStatus(invoice: Invoice, kept: BaseUnits, swept: BaseUnits): InvoiceStatus {
  if (kept === 0n) return 'pending'
  if (kept < amountEnough(invoice)) return 'partial'
  return swept >= (invoice.completedAmount ?? kept) ? 'completed' : 'paid'
}

/** What refunds have returned or reserve of these payments. */
export function returned(payments: readonly Pick<Payment, 'refunded' | 'refunding'>[]): BaseUnits {
  return sum(payments.map((p) => p.refunded + p.refunding))
}

function total(rows: readonly { readonly amount: BaseUnits }[]): BaseUnits {
  return sum(rows.map((row) => row.amount))
}
