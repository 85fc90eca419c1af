import type { X402PaymentId } from '../../base/ids.ts'
import { type Address, type ChecksumAddress, checksumAddress, type Hex } from '../../chain/evm.ts'
import { explainReason, type Reason } from '../reasons.ts'

/**
 * Responses of verify and settle, with the field names of every client version. Unknown values are left out,
 * because some clients reject a null.
 */

export type VerifyOutcome =
  | { readonly isValid: true; readonly payer: Address }
  | {
      readonly isValid: false
      readonly reason: Reason
      /** A sentence on what to change; by default the reason's own. */
      readonly message?: string | undefined
      readonly payer: Address | null
    }

export type SettleOutcome =
  | {
      readonly success: true
      /** Absent if nothing was due, as are `transaction` and `settledAt`. */
      readonly paymentId?: X402PaymentId
      /** As sent by the caller. */
      readonly network: string
      readonly payer: Address
      readonly asset: Address
      /** In base units. */
      readonly amount: bigint
      readonly transaction?: Hex
      readonly settledAt?: Date
    }
  | {
      readonly success: false
      readonly reason: Reason
      readonly message?: string | undefined
      readonly network: string
      readonly payer: Address | null
      readonly asset?: Address | undefined
      readonly amount?: bigint | undefined
      /** The transaction that settled it, or the newest attempt; null before there is one. */
      readonly transaction?: Hex | null | undefined
      readonly paymentId?: X402PaymentId | undefined
      readonly settledAt?: Date | null | undefined
    }

export interface VerifyAnswer {
  readonly isValid: boolean
  readonly payer?: Address
  readonly invalidReason?: Reason
  readonly invalidMessage?: string
}

export interface SettleAnswer {
  readonly success: boolean
  /** Empty when there is none; never null. */
  readonly transaction: Hex | ''
  readonly network: string
  readonly payer?: Address
  /** In base units. */
  readonly amount?: string
  readonly asset?: ChecksumAddress
  readonly paymentId?: X402PaymentId
  readonly settledAt: string | null
  readonly error?: Reason
  readonly errorReason?: Reason
  readonly error_reason?: Reason
  readonly errorMessage?: string
}

export function verifyAnswer(outcome: VerifyOutcome): VerifyAnswer {
  if (outcome.isValid) return { isValid: true, payer: outcome.payer }
  const { reason, payer } = outcome
  return {
    isValid: false,
    invalidReason: reason,
    invalidMessage: outcome.message ?? explainReason(reason),
    ...(payer !== null && { payer }),
  }
}

export function settleAnswer(outcome: SettleOutcome): SettleAnswer {
  const { network, payer, amount, asset, paymentId } = outcome
  return {
    success: outcome.success,
    transaction: outcome.transaction ?? '',
    network,
    ...(payer !== null && { payer }),
    ...(amount !== undefined && { amount: amount.toString() }),
    ...(asset !== undefined && { asset: checksumAddress(asset) }),
    ...(paymentId !== undefined && { paymentId }),
    settledAt: outcome.settledAt?.toISOString() ?? null,
    ...(!outcome.success && failureOf(outcome.reason, outcome.message)),
  }
}

/**
 * Adds the extensions of a response, which stock servers of version 2 forward to the payer's client in
 * PAYMENT-RESPONSE; they drop every field that the specification doesn't name. `bazaar` is the outcome of the metadata
 * that the client echoed with the payment; null if it echoed none.
 */
export function withExtensions<Answer extends object>(
  answer: Answer & Partial<Pick<SettleAnswer, 'paymentId' | 'asset' | 'settledAt'>>,
  bazaar: object | null,
) {
  const { paymentId, asset, settledAt } = answer
  const remit = paymentId === undefined ? null : { paymentId, asset, settledAt }
  if (remit === null && bazaar === null) return answer
  return { ...answer, extensions: { ...(bazaar && { bazaar }), ...(remit && { remit }) } }
}

/** The reason under every name that a client reads: ours, the specification's, a Rust client's. */
function failureOf(reason: Reason, message: string | undefined) {
  return {
    error: reason,
    errorReason: reason,
    error_reason: reason,
    errorMessage: message ?? explainReason(reason),
  }
}
