import type { Hex } from '../chain/evm.ts'

/** The state of an authorization on chain, all read at one block. */
export interface Facts {
  readonly blockNumber: bigint
  /** Unix seconds. */
  readonly blockTime: bigint
  /** The payer's balance of the token, in base units. */
  readonly balance: bigint
  /** EIP-3009, authorizationState: carried out or cancelled. */
  readonly isUsed: boolean
  /**
   * The first 8 bytes of the hash of the payer's code, null without any; signatures of an account with code are
   * verified by ERC-1271. Accounts that delegated to the same code (EIP-7702) share a hash.
   */
  readonly payerCodeHash: Hex | null
  readonly tokenHasCode: boolean
  /** Null when the token has no such list. */
  readonly isPayerBlacklisted: boolean | null
  readonly isPayeeBlacklisted: boolean | null
  /** Null when the token can't be paused. */
  readonly isPaused: boolean | null
  /** The transfer itself, tried without effect. */
  readonly trial: Trial
}

export type Trial =
  | { readonly ok: true; readonly gas: bigint }
  /** It was not tried. */
  | { readonly ok: null }
  /** The reason of the revert, as text where it has one. */
  | { readonly ok: false; readonly error: string }
