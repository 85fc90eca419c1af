import type { ChannelActionId, MerchantId } from '../base/ids.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { ChannelActionType } from './requests.ts'

/** A requested action of channels, as stored. Amounts in base units. */
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

/** Multicall3's own gas, and what EIP-150 keeps back from the last call. */
const TRANSACTION_GAS = 120_000n

/** The gas limit of a transaction that carries these out. */
export function channelActionsGas(actions: readonly { readonly gas: number }[]): bigint {
  return actions.reduce((sum, { gas }) => sum + BigInt(gas), TRANSACTION_GAS)
}

/** The most gas refunded for an action's cleared storage (EIP-3529): receipts count gas without it. */
const REFUNDED_GAS = 20_000n

/** The gas of a transaction that has run. */
export interface TransactionGas {
  /** Its own, with what rollups take of it for the transaction's data. */
  readonly limit: bigint
  /** By its receipt, with the same. */
  readonly used: bigint
  /** How many actions shared it. */
  readonly actions: number
}

/** Whether an action may have lacked gas in a transaction that shared it: there was never less than at the end. */
export function mayHaveLackedGas(
  action: { readonly gas: number },
  { limit, used, actions }: TransactionGas,
): boolean {
  return limit - used - REFUNDED_GAS * BigInt(actions) < BigInt(action.gas)
}

/** Whether an action alone in its transaction has left no more than is beside what actions need at most. */
export function hasBurntGas({ limit, used }: Omit<TransactionGas, 'actions'>): boolean {
  return limit - used <= TRANSACTION_GAS
}

/** Gas that actions need at most, above what was measured, and under the prices that EIP-8037 drafts. */
export const CHANNEL_GAS = {
  deposit: 450_000,
  /** What a batch of claims needs besides its claims. */
  claims: 160_000,
  claim: 90_000,
  settle: 300_000,
  refund: 330_000,
} as const
