import type { Address, Hex } from '../chain/evm.ts'
import { explainReason, type Reason } from '../x402/reasons.ts'
import type { ChannelState } from './channel.ts'

/** Responses about channels, with the fields that stock servers read. */

export interface Refusal {
  readonly reason: Reason
  /** A sentence on what to change; by default the reason's own. */
  readonly message?: string | undefined
  /** The transaction that settled it, or the newest attempt; null if there is none. */
  readonly transaction?: Hex | null
}

export type ChannelVerdict =
  | {
      readonly ok: true
      readonly payer: Address
      readonly channelId: Hex
      readonly state: ChannelState
    }
  | ({ readonly ok: false; readonly payer: Address | null } & Refusal)

export type ChannelOutcome =
  | {
      readonly ok: true
      readonly transaction: Hex
      readonly payer: Address | null
      /** In base units. */
      readonly amount: bigint
      /** The channel afterwards; null for an action on several channels. */
      readonly after: { readonly channelId: Hex; readonly state: ChannelState } | null
    }
  | ({ readonly ok: false; readonly payer: Address | null } & Refusal)

export function channelVerifyAnswer(verdict: ChannelVerdict) {
  const { payer } = verdict
  if (verdict.ok)
    return { isValid: true, payer, extra: stateJson(verdict.channelId, verdict.state) }
  const { reason, message } = verdict
  return {
    isValid: false,
    invalidReason: reason,
    invalidMessage: message ?? explainReason(reason),
    ...(payer !== null && { payer }),
  }
}

/** @param network as sent by the caller. */
export function channelSettleAnswer(network: string, outcome: ChannelOutcome) {
  const { payer, transaction } = outcome
  const shared = { success: outcome.ok, transaction: transaction ?? '', network }
  const payerField = payer !== null && { payer }
  if (outcome.ok) {
    const { amount, after } = outcome
    const extra = after && { extra: { channelState: stateJson(after.channelId, after.state) } }
    return { ...shared, ...payerField, amount: amount.toString(), ...extra }
  }
  const { reason, message } = outcome
  const errorMessage = message ?? explainReason(reason)
  return {
    ...shared,
    ...payerField,
    error: reason,
    errorReason: reason,
    error_reason: reason,
    errorMessage,
  }
}

function stateJson(channelId: Hex, state: ChannelState) {
  return {
    channelId,
    balance: state.balance.toString(),
    totalClaimed: state.totalClaimed.toString(),
    withdrawRequestedAt: state.withdrawRequestedAt,
    refundNonce: state.refundNonce.toString(),
  }
}
