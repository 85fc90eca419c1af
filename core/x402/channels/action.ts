import type { Address, Hex } from '../../chain/evm.ts'
import type { ChannelActionId, MerchantId } from '../../ids.ts'
import type { ChannelActionType } from './requests.ts'

/** One thing that was asked of channels, as its row has it. Amounts in base units. */
export interface ChannelActionRow {
  readonly id: ChannelActionId
  readonly networkId: string
  readonly merchantId: MerchantId
  readonly kind: ChannelActionType
  readonly receiver: Address
  readonly token: Address
  /** Of a deposit. */
  readonly payer: Address | null
  readonly authorizationNonce: Hex | null
  readonly validBefore: bigint | null
  readonly amount: bigint
  readonly channels: readonly { readonly channelId: Hex; readonly totalClaimed: string | null }[]
  readonly status: 'pending' | 'settled' | 'failed'
}

/** The most bytes of calls in a transaction: nodes refuse those above 128 KiB. */
export const CHANNEL_CALL_BYTES_MAX = 100_000

/** Gas that actions need at most, above what was measured, and under the prices that EIP-8037 drafts. */
export const CHANNEL_GAS = {
  deposit: 450_000,
  /** What a batch of claims needs besides its claims. */
  claims: 160_000,
  claim: 90_000,
  settle: 300_000,
  refund: 330_000,
} as const
