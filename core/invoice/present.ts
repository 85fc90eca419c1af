import { iso } from '../base/instant.ts'
import { type BaseUnits, formatAmount } from '../base/money.ts'
import { checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import { type Chain, chainNamed, tokenNamed } from '../chain/registry.ts'
import { TOKENS, type TokenOnChain } from '../chain/tokens.ts'
import type { InvoiceFiat } from '../fiat/quote.ts'
import { overpaidAmount, toleratedAmount } from './amounts.ts'
import { type ExternalRefund, refundedOutside } from './externalRefund.ts'
import { type RefundJson, refundJson, whenOf } from './refundJson.ts'
import { retriedFailure } from './retries.ts'
import { settledOverpayment, settledText } from './settledMoney.ts'
import {
  type Invoice,
  isExpired,
  keptOf,
  type Payment,
  type Refund,
  type Settlement,
} from './state.ts'

/** Invoices and transactions as the API and the events show them. */

export interface InvoiceRows {
  readonly invoice: Invoice
  /** In the order detected. */
  readonly payments: readonly Payment[]
  readonly settlements: readonly Settlement[]
  /** In the requested order. */
  readonly refunds: readonly Refund[]
  /** What the merchant has sent back itself, in the order recorded. */
  readonly externalRefunds: readonly ExternalRefund[]
  /** The merchant's own recipient, shown while the invoice names none. */
  readonly merchantRecipient: Invoice['recipient']
}

export type InvoiceJson = ReturnType<typeof presentInvoice>
export type TransactionJson = ReturnType<typeof presentPayment>
export type SettlementJson = ReturnType<typeof presentSettlement>

/** How a settlement is shown that failed and is retried; only its rows record that. */
const RETRYING = 'retrying'

/** The Invoice object. `chains` are all chains of the environment, active or not. */
export function presentInvoice(rows: InvoiceRows, chains: readonly Chain[], now: Date) {
  const { invoice, payments, settlements, externalRefunds } = rows
  const outside = refundedOutside(externalRefunds)
  const recipient = invoice.recipient ?? rows.merchantRecipient
  const amount = amountIn(invoice)
  const accepted = acceptedToken(invoice, chains)
  const retried = retriedFailure(invoice, settlements)
  return {
    id: invoice.id,
    merchantId: invoice.merchantId,
    externalRef: invoice.externalRef,
    reference: invoice.reference,
    addresses: invoice.chains.map((networkId) => presentAddress(invoice, networkId, chains)),
    recipient: recipient && { chainType: 'evm', address: checksumAddress(recipient) },
    tokenAddress: checksumAddress(accepted.address),
    tokenSymbol: invoice.tokenSymbol,
    targetNetwork: invoice.targetNetwork,
    amountExpected: amount(invoice.amountExpected),
    fiat: presentFiat(invoice),
    acceptedAmount: invoice.acceptedAmount === null ? null : amount(invoice.acceptedAmount),
    pendingAmount: invoice.pendingAmount === 0n ? null : amount(invoice.pendingAmount),
    receivedAmount: amount(invoice.receivedAmount),
    lateAmount: amount(invoice.lateAmount),
    refundedAmount: amount(invoice.refundedAmount + outside),
    platformFee: amount(invoice.platformFee),
    amountRemitted: amount(invoice.amountRemitted),
    overpaidAmount: amount(overpaidAmount(invoice)),
    settledOverpayment: presentSettled(invoice, settlements, outside),
    underpaymentTolerance: amount(invoice.underpaymentTolerance),
    toleratedAmount: amount(toleratedAmount(invoice)),
    status: invoice.status,
    expired: isExpired(invoice, now),
    settlementState: retried === null ? invoice.settlementState : RETRYING,
    settlementError: retried === null ? invoice.settlementError : retried.error,
    expiresAt: iso(invoice.expiresAt),
    closedAt: iso(invoice.closedAt),
    payerRefundAddress: invoice.payerRefundAddress && checksumAddress(invoice.payerRefundAddress),
    createdAt: invoice.createdAt.toISOString(),
    paidAt: iso(invoice.paidAt),
    completedAt: iso(invoice.completedAt),
    metadata: invoice.metadata,
    transactions: payments
      .filter((payment) => payment.kind !== 'foreign')
      .map((payment) => presentPayment(invoice, payment)),
    // A round that was planned again moved nothing and is no failure: the round that replaced it is shown.
    settlements: settlements
      .filter((settlement) => !settlement.replanned)
      .map((settlement) => presentSettlement(invoice, settlement)),
    refunds: presentRefunds(rows, chains),
    otherDeposits: payments
      .filter((payment) => payment.kind === 'foreign')
      .map((payment) => presentOtherDeposit(payment, chains)),
  }
}

/** The part of an overpayment that only the merchant can refund; null when there is none. */
function presentSettled(invoice: Invoice, settlements: readonly Settlement[], outside: BaseUnits) {
  const settled = settledOverpayment(invoice, settlements, outside)
  if (settled === null) return null
  return {
    amount: amountIn(invoice)(settled.amount),
    addresses: settled.recipients.map(checksumAddress),
    about: `${settledText(invoice, settled)}.`,
  }
}

/** The Transaction object of a payment. */
export function presentPayment(invoice: Invoice, payment: Payment) {
  const amount = amountIn(invoice)
  return {
    ...headOf(invoice, payment),
    txHash: payment.txHash,
    logIndex: payment.logIndex,
    chain: payment.networkId,
    asset: invoice.tokenSymbol,
    tokenAddress: checksumAddress(payment.token),
    from: checksumAddress(payment.sender),
    amount: amount(payment.amount),
    fee: amount(payment.fee),
    merchantAmount: amount(keptOf(payment) - payment.fee),
    refundedAmount: amount(payment.refunded),
    refundingAmount: amount(payment.refunding),
    status: payment.status,
    type: payment.kind === 'late' ? 'late_payment' : 'payment',
    method: payment.method ?? 'transfer',
    acceptedAt: iso(payment.acceptedAt),
    ...whenOf(payment),
  }
}

/** A sweep, in the shape of a transaction of type settlement. */
export function presentSettlement(invoice: Invoice, settlement: Settlement) {
  const amount = amountIn(invoice)
  return {
    ...headOf(invoice, settlement),
    txHash: settlement.txHash,
    chain: settlement.networkId,
    asset: invoice.tokenSymbol,
    tokenAddress: checksumAddress(settlement.token),
    recipient: checksumAddress(settlement.recipient),
    amount: amount(settlement.amount),
    fee: amount(settlement.fee),
    merchantAmount: amount(settlement.amount - settlement.fee),
    status: settlement.status,
    type: 'settlement',
    ...whenOf(settlement),
  }
}

/** A refund, in the shape of a transaction of type refund. */
export function presentRefund(
  invoice: Invoice,
  refund: Refund,
  chains: readonly Chain[],
): RefundJson {
  const { id: invoiceId, reference: invoiceRef, merchantId } = invoice
  return refundJson({ invoiceId, invoiceRef, merchantId, x402PaymentId: null }, refund, chains)
}

/** A refund that the merchant has sent itself. Its key is its transfer. */
export function presentExternalRefund(
  invoice: Invoice,
  refund: ExternalRefund,
  chains: readonly Chain[],
): RefundJson {
  return {
    ...presentRefund(invoice, { ...refund, ...NOT_OURS }, chains),
    idempotencyKey: `${refund.txHash}:${refund.id}`,
    external: true,
  }
}

/** What only refunds of the service's own have. */
const NOT_OURS = {
  idempotencyKey: '',
  paymentId: null,
  orderNumber: null,
  feeLeft: null,
  waitingFor: null,
  waitingSince: null,
  offerDigest: null,
} as const

/** All refunds of an invoice, in the order in which they were requested or recorded. */
export function presentRefunds(
  { invoice, refunds, externalRefunds }: InvoiceRows,
  chains: readonly Chain[],
): RefundJson[] {
  const own = refunds.map((refund) => presentRefund(invoice, refund, chains))
  const sent = externalRefunds.map((refund) => presentExternalRefund(invoice, refund, chains))
  return [...own, ...sent].sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function headOf<Id>(invoice: Invoice, { id }: { readonly id: Id }) {
  const { id: invoiceId, reference: invoiceRef, merchantId } = invoice
  return { id, invoiceId, invoiceRef, merchantId }
}

/** A chain as `GET /v1/utils/chains` returns it. */
export function presentChain(chain: Chain) {
  return {
    id: chain.networkId,
    name: chain.name,
    chainId: chain.chainId,
    isTestnet: chain.environment === 'sandbox',
  }
}

/** A deposit that doesn't count: another token, or a chain that the invoice doesn't list. */
function presentOtherDeposit(payment: Payment, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(payment, chains)
  return {
    id: payment.id,
    txHash: payment.txHash,
    chain: payment.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(payment.token),
    from: checksumAddress(payment.sender),
    amount: decimal(payment.amount),
    baseUnits: payment.amount.toString(),
    refundedBaseUnits: payment.refunded.toString(),
    refundingBaseUnits: payment.refunding.toString(),
    status: payment.status,
    blockNumber: Number(payment.blockNumber),
    createdAt: payment.createdAt.toISOString(),
  }
}

function presentAddress(invoice: Invoice, networkId: string, chains: readonly Chain[]) {
  const chain = chainNamed(networkId, chains)
  return {
    networkId,
    network: chain.name,
    networkName: chain.name,
    networkSymbol: chain.symbol,
    address: checksumAddress(invoice.depositAddress),
    tokenAddress: checksumAddress(tokenNamed(chain, invoice.tokenSymbol).address),
  }
}

/** The token on targetNetwork once that is known, until then on the first of the invoice's chains. */
function acceptedToken(invoice: Invoice, chains: readonly Chain[]): TokenOnChain {
  const networkId = invoice.targetNetwork ?? invoice.chains[0]
  if (networkId === undefined) throw new Error(`invoice ${invoice.id} has no chain`)
  return tokenNamed(chainNamed(networkId, chains), invoice.tokenSymbol)
}

/** The amount in fiat currency. The database keeps the fields of an object in an order of its own. */
function presentFiat({ fiat }: Invoice): InvoiceFiat | null {
  if (fiat === null) return null
  const { currency, amount, rate, at, source } = fiat
  return { currency, amount, rate, at, source }
}

/** Formats base units of the invoice's token. */
function amountIn({ tokenSymbol }: Invoice) {
  return (value: bigint) => formatAmount(value, TOKENS[tokenSymbol].decimals)
}
