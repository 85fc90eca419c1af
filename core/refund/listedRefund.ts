import type { InvoiceId, RefundId, X402PaymentId } from '../base/ids.ts'
import { isoFrom } from '../base/instant.ts'
import type { BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'
import type { Refund } from '../invoice/state.ts'

/** What was refunded: an invoice by the service, one by the merchant's own wallet, or an x402 payment. */
export const REFUND_KINDS = ['invoice', 'wallet', 'x402'] as const
export type RefundKind = (typeof REFUND_KINDS)[number]

/** A refund of any kind as a list of all of a merchant's shows it. */
export interface ListedRefund
  extends Pick<Refund, 'networkId' | 'token' | 'amount' | 'recipient' | 'status' | 'waitingFor'> {
  readonly id: RefundId
  readonly kind: RefundKind
  readonly invoiceId: InvoiceId | null
  readonly invoiceRef: string | null
  readonly externalRef: string | null
  readonly x402PaymentId: X402PaymentId | null
  readonly amount: BaseUnits
  readonly recipient: Address
  readonly txHash: string | null
  /** Why it failed. */
  readonly error: string | null
  readonly createdAt: Date
  readonly confirmedAt: Date | null
}

export type ListedRefundJson = ReturnType<typeof presentListedRefund>

export function presentListedRefund(refund: ListedRefund, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(refund, chains)
  return {
    id: refund.id,
    kind: refund.kind,
    invoiceId: refund.invoiceId,
    invoiceRef: refund.invoiceRef,
    externalRef: refund.externalRef,
    x402PaymentId: refund.x402PaymentId,
    chain: refund.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(refund.token),
    address: checksumAddress(refund.recipient),
    amount: decimal(refund.amount),
    status: refund.status,
    waitingFor: refund.waitingFor,
    txHash: refund.txHash,
    error: refund.error,
    createdAt: refund.createdAt.toISOString(),
    confirmedAt: isoFrom(refund.createdAt, refund.confirmedAt),
  }
}
