import type { InvoiceId, MerchantId, X402PaymentId } from '../base/ids.ts'
import { iso, isoFrom } from '../base/instant.ts'
import { checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'
import { REFUND_WAITS_ABOUT } from './refundLimit.ts'
import type { Refund, Settlement } from './state.ts'

/** Refunds of all kinds, as the API and the events show them. */

export type RefundJson = ReturnType<typeof refundJson>

/** What is refunded: an invoice's money, or an x402 payment. */
export interface RefundSubject {
  readonly invoiceId: InvoiceId | null
  readonly invoiceRef: string | null
  readonly merchantId: MerchantId
  readonly x402PaymentId: X402PaymentId | null
}

/** A refund, in the shape of a transaction of type refund. */
export function refundJson(
  { invoiceId, invoiceRef, merchantId, x402PaymentId }: RefundSubject,
  refund: Omit<Refund, 'invoiceId'>,
  chains: readonly Chain[],
) {
  const { symbol, decimal } = foundToken(refund, chains)
  return {
    id: refund.id,
    invoiceId,
    invoiceRef,
    merchantId,
    x402PaymentId,
    transactionId: refund.paymentId,
    idempotencyKey: refund.idempotencyKey,
    txHash: refund.txHash,
    chain: refund.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(refund.token),
    address: checksumAddress(refund.recipient),
    amount: decimal(refund.amount),
    baseUnits: refund.amount.toString(),
    status: refund.status,
    type: 'refund',
    external: false,
    error: refund.error,
    waiting: presentWait(refund),
    ...whenOf(refund),
  }
}

/** Why a refund waits; the digest is for the operator, who has the hub's owner approve it. */
function presentWait({
  waitingFor: reason,
  waitingSince,
  offerDigest,
}: Pick<Refund, 'waitingFor' | 'waitingSince' | 'offerDigest'>) {
  if (reason === null) return null
  const approvalDigest = reason === 'owner_approval' ? offerDigest : null
  return { reason, about: REFUND_WAITS_ABOUT[reason], since: iso(waitingSince), approvalDigest }
}

/** When and where something happened on-chain; it was seen before it was confirmed. */
export function whenOf(row: Pick<Settlement, 'blockNumber' | 'confirmedAt' | 'createdAt'>) {
  return {
    blockNumber: row.blockNumber === null ? null : Number(row.blockNumber),
    confirmedAt: isoFrom(row.createdAt, row.confirmedAt),
    createdAt: row.createdAt.toISOString(),
  }
}
