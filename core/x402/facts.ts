/** What the chain says of an authorization, all read at one block. */
export interface Facts {
  readonly blockNumber: bigint
  /** Unix seconds. */
  readonly blockTime: bigint
  /** The payer's balance of the token, in base units. */
  readonly balance: bigint
  /** EIP-3009, authorizationState: carried out or cancelled. */
  readonly isUsed: boolean
  /** In bytes; an account with code is asked for its signatures by ERC-1271. */
  readonly payerCodeSize: number
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
