import { type Refusal, reasonOf, refuse } from '../base/errors.ts'
import type { MerchantId, X402PaymentId } from '../base/ids.ts'
import { type BaseUnits, baseUnits, formatAmount, parseAmount } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import { parseRecipient, WATCHED_RECIPIENT } from '../invoice/recipient.ts'
import { type RefundJson, refundJson } from '../invoice/refundJson.ts'
import type { Refund } from '../invoice/state.ts'
import {
  formatPrice,
  payableTokenAt,
  type X402Payment,
  type X402PaymentJson,
} from '../x402/presentPayment.ts'

/**
 * Refunds of x402 payments, by the merchant and out of the merchant's forwarder: what it holds of a payment
 * can go back until a payout has taken it. By EIP-3009 and by Permit2 alike, money is received there just the
 * same.
 */

export interface X402Refund extends Omit<Refund, 'invoiceId' | 'paymentId'> {
  readonly merchantId: MerchantId
  readonly x402PaymentId: X402PaymentId
}

/** A merchant's request, with the types checked and nothing else. */
export interface X402RefundRequest {
  /** In the token's major unit. */
  readonly amount: number | string
  /** Null for the payer. */
  readonly address: string | null
}

/** What is known of the payment, read under its lock. */
export interface X402RefundScene {
  readonly payment: X402Payment
  /** It came out of payment channels, for many requests of many payers. */
  readonly isFromChannels: boolean
  /** A payout that lies behind it is booked, even if it is yet to be bound to it. */
  readonly isPaidOut: boolean
  /** It lies in another forwarder than the merchant's present one. */
  readonly isElsewhere?: boolean
  /** The payer is an address on which this service receives payments. */
  readonly isPayerWatched?: boolean
  readonly hub: Address
  /** Whether the operator lets this merchant's refunds go to others than the payer. */
  readonly refundsAny: boolean
  /** The chains on which this deployment can send anything. */
  readonly chains: readonly Chain[]
}

export interface PlannedX402Refund {
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
  readonly recipient: Address
}

export type X402RefundDecision = { readonly ok: true; readonly refund: PlannedX402Refund } | Refusal

/** What of a payment no refund has brought back or was promised, in base units. */
function refundableOf({
  amount,
  refunded,
  refunding,
}: Pick<X402Payment, 'amount' | 'refunded' | 'refunding'>): BaseUnits {
  return baseUnits(amount - refunded - refunding)
}

/** Decides whether a refund is possible: of a confirmed payment that the forwarder still holds, and no more of it. */
export function planX402Refund(
  scene: X402RefundScene,
  request: X402RefundRequest,
): X402RefundDecision {
  const { payment, chains, hub } = scene
  const chain = chains.find(({ networkId }) => networkId === payment.networkId)
  if (chain === undefined) {
    return impossible('', `nothing can be sent on ${payment.networkId} at present`)
  }
  const verdict = parseRecipient(request.address ?? payment.payer, hub, chains)
  if (!verdict.ok) {
    return refuse('invalid_recipient', [{ path: 'address', message: verdict.message }])
  }
  const refusal = notHeld(scene)
  if (refusal !== null) return refusal
  const { address: recipient } = verdict
  if (recipient !== payment.payer && !scene.refundsAny) {
    const message = 'must be the payer; the operator can allow others'
    return refuse('refund_address_not_allowed', [{ path: 'address', message }])
  }
  const amount = amountOf(payment, chain, request)
  if (typeof amount !== 'bigint') return amount
  const { networkId, asset: token } = payment
  return { ok: true, refund: { networkId, token, amount, recipient } }
}

/** What can go back of a payment as things are: the most, or why nothing can. In base units. */
export type X402RefundOffer =
  | { readonly most: BaseUnits; readonly refusal: null }
  | { readonly most: null; readonly refusal: Refusal }

/** A placeholder for an address that the merchant names, where the operator allows any. */
const ANY_ADDRESS = '0x000000000000000000000000000000000000dead'

/** Decides by the rules that carry a refund out what can be offered of a payment. */
export function offerX402Refund(scene: X402RefundScene): X402RefundOffer {
  const { payment, chains, refundsAny } = scene
  const most = refundableOf(payment)
  const chain = chains.find(({ networkId }) => networkId === payment.networkId)
  // Where nothing is left, the rules refuse the smallest amount.
  const least = most === 0n ? baseUnits(1n) : most
  const amount =
    chain === undefined ? '0' : formatAmount(least, payableTokenAt(chain, payment.asset).decimals)
  const plan = planX402Refund(scene, { amount, address: null })
  if (plan.ok && scene.isPayerWatched !== true) return { most, refusal: null }
  const refusal = plan.ok
    ? refuse('invalid_recipient', [{ path: 'address', message: WATCHED_RECIPIENT }])
    : plan
  if (refusal.code !== 'invalid_recipient' || !refundsAny) return { most: null, refusal }
  const elsewhere = planX402Refund(scene, { amount, address: ANY_ADDRESS })
  return elsewhere.ok ? { most, refusal: null } : { most: null, refusal: elsewhere }
}

/** The refund fields of the payment object. `chain` is the payment's own. */
export type OfferedX402PaymentJson = X402PaymentJson & ReturnType<typeof presentX402Offer>

export function presentX402Offer(
  { most, refusal }: X402RefundOffer,
  { asset }: X402Payment,
  chain: Chain,
) {
  if (refusal === null) {
    const { decimals } = payableTokenAt(chain, asset)
    return { refundableAmount: formatPrice(most, decimals), refundRefused: null }
  }
  const { code } = refusal
  const refundRefused = { action: 'refund', code, about: reasonOf(refusal) }
  return { refundableAmount: null, refundRefused }
}

/** Why nothing of a payment is in the forwarder; null where it is. */
function notHeld({
  payment,
  isFromChannels,
  isPaidOut,
  isElsewhere,
}: X402RefundScene): Refusal | null {
  if (payment.direct) {
    const message = `it was paid to your own address ${payment.payTo}: send it back from there`
    return refuse('refund_settled', [{ path: '', message }])
  }
  if (isFromChannels) {
    return impossible(
      '',
      'it came out of payment channels: refund the channel of the payer instead',
    )
  }
  if (payment.status !== 'settled' || payment.confirmedAt === null) {
    const how = payment.status === 'settled' ? 'is not confirmed yet' : `is ${payment.status}`
    return impossible('', `the payment ${how}, and must be settled and confirmed`)
  }
  if (isElsewhere === true) return impossible('', `it lies in ${payment.payTo}, which was replaced`)
  if (payment.distributionId === null && !isPaidOut) return null
  const message = 'it was paid out to your treasury: send it back from there'
  return refuse('refund_settled', [{ path: '', message }])
}

function amountOf(
  payment: X402Payment,
  chain: Chain,
  request: X402RefundRequest,
): BaseUnits | Refusal {
  const { symbol, decimals } = payableTokenAt(chain, payment.asset)
  const parsed = parseAmount(request.amount, decimals)
  if (!parsed.ok) {
    return refuse('invalid_request_body', [{ path: 'amount', message: parsed.message }])
  }
  const most = refundableOf(payment)
  if (parsed.amount > most) {
    const text = formatAmount(most, decimals)
    return impossible('amount', `must be at most ${text}: the rest went back or is on its way`)
  }
  const least = chain.minRefund[symbol]
  if (parsed.amount < least) {
    const text = formatAmount(least, decimals)
    const where = `on ${chain.networkId}`
    return impossible('amount', `must be at least ${text} ${where}: less is not worth its gas`)
  }
  return parsed.amount
}

function impossible(path: string, message: string): Refusal {
  return refuse('refund_not_possible', [{ path, message }])
}

/** The refund object, in the shape of an invoice's. */
export function presentX402Refund(refund: X402Refund, chains: readonly Chain[]): RefundJson {
  const { merchantId, x402PaymentId } = refund
  const subject = { invoiceId: null, invoiceRef: null, merchantId, x402PaymentId }
  return refundJson(subject, { ...refund, paymentId: null }, chains)
}
