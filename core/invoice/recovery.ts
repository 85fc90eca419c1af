import type { ErrorCode } from '../base/errors.ts'
import type { InvoiceId, PaymentId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import type { BaseUnits } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import { checksumAddress } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'

/** Money of a merchant that is held, why, and what can be done about it. */

export type RecoveryReason =
  | 'late'
  | 'wrong_token'
  | 'wrong_chain'
  | 'partial'
  | 'underpaid'
  | 'no_recipient'
  | 'below_gas_threshold'
  | 'screening'
  | 'blocked_recipient'
  | 'settlement_failed'

export type RecoveryAction =
  | 'accept_transaction'
  | 'accept_partial'
  | 'refund'
  | 'set_recipient'
  | 'wait'

/** Held money of one token on one chain, of one payment or of an invoice's on-time money. */
export interface Recovery {
  readonly invoiceId: InvoiceId
  readonly invoiceRef: string
  readonly externalRef: string | null
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
  /** The payment to name in a refund; null for on-time money as a whole. */
  readonly paymentId: PaymentId | null
  readonly sender: Address | null
  readonly reason: RecoveryReason
  /** The token's or the hub's reason when the settlement failed. */
  readonly error: string | null
  /** Until when the rest of a partial payment is on time; null when there is no such time. */
  readonly expiresAt: Date | null
  /** True when the deposit address commits to a recipient, which therefore can't be changed. */
  readonly hasOwnRecipient: boolean
  readonly since: Date
}

/** How much may go back to whom. */
export interface RefundTarget {
  readonly address: Address
  readonly amount: BaseUnits
}

/** A way out that held money of this kind has, and this money has not. */
export interface RefusedAction {
  readonly action: RecoveryAction
  readonly code: ErrorCode
  readonly about: string
}

/** What can be done about held money under the current rules. */
export interface RecoveryOffers {
  readonly refundTo: readonly RefundTarget[]
  readonly refused: readonly RefusedAction[]
}

const NOT_EVALUATED: RecoveryOffers = { refundTo: [], refused: [] }

interface ReasonEntry {
  /** Why the money is held, as a sentence. */
  readonly about: string
  readonly actions: readonly RecoveryAction[]
}

export const RECOVERY_REASONS = {
  late: {
    about: 'It came after the expiry.',
    actions: ['accept_transaction', 'refund'],
  },
  wrong_token: {
    about: 'The token differs from the invoice’s.',
    actions: ['refund'],
  },
  wrong_chain: {
    about: 'It came on a chain that the invoice does not list.',
    actions: ['refund'],
  },
  partial: {
    about: 'The invoice is underpaid; the payer can still send the rest.',
    actions: ['wait', 'accept_partial', 'refund'],
  },
  underpaid: {
    about: 'The invoice is over and was underpaid.',
    actions: ['accept_partial', 'refund'],
  },
  no_recipient: {
    about: 'No recipient is configured.',
    actions: ['set_recipient', 'refund'],
  },
  below_gas_threshold: {
    about: 'It is less than it is worth to send; it goes with what comes next.',
    actions: ['wait', 'refund'],
  },
  screening: {
    about: "The operator's check of its sender has not let it pass.",
    actions: ['wait'],
  },
  blocked_recipient: {
    about: 'The token refuses the recipient.',
    actions: ['set_recipient', 'refund'],
  },
  settlement_failed: {
    about: 'Sending it failed; it is tried again after pauses that grow from an hour to a day.',
    actions: ['wait', 'set_recipient', 'refund'],
  },
} as const satisfies Readonly<Record<RecoveryReason, ReasonEntry>>

/** How tokens word that an account is blocked. For display only: no decision about money uses it. */
const BLOCKED = /black-?list|block-?list|blocked|frozen|sanction/i

/** Why a settlement failed, as far as the message shows. */
export function failureReason(error: string | null): RecoveryReason {
  return error !== null && BLOCKED.test(error) ? 'blocked_recipient' : 'settlement_failed'
}

export type RecoveryJson = ReturnType<typeof presentRecovery>

export function presentRecovery(
  recovery: Recovery,
  chains: readonly Chain[],
  { refundTo, refused }: RecoveryOffers = NOT_EVALUATED,
) {
  const { symbol, decimal } = foundToken(recovery, chains)
  const { about, actions }: ReasonEntry = RECOVERY_REASONS[recovery.reason]
  const isOffered = (action: RecoveryAction) =>
    !refused.some((one) => one.action === action) &&
    (action !== 'set_recipient' || !recovery.hasOwnRecipient)
  return {
    invoiceId: recovery.invoiceId,
    invoiceRef: recovery.invoiceRef,
    externalRef: recovery.externalRef,
    transactionId: recovery.paymentId,
    chain: recovery.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(recovery.token),
    from: recovery.sender && checksumAddress(recovery.sender),
    amount: decimal(recovery.amount),
    baseUnits: recovery.amount.toString(),
    reason: recovery.reason,
    about,
    expiresAt: iso(recovery.expiresAt),
    error: recovery.error,
    actions: actions.filter(isOffered),
    refundTo: refundTo.map(({ address, amount }) => ({
      address: checksumAddress(address),
      amount: decimal(amount),
    })),
    refused,
    since: recovery.since.toISOString(),
  }
}
