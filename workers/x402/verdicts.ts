import type { Hex } from '../../core/chain/evm.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import type { DoneAt } from '../../store/relayer/transition.ts'

/** What the chain shows of payments that our transactions did not carry out. */

/** Evidence may lie a little before the claim: nodes differ, and blocks are replaced. */
export const BLOCKS_BEFORE_CLAIM = 64n

export type AuthorizationVerdict =
  | { readonly type: 'paid'; readonly at: DoneAt }
  | { readonly type: 'impossible'; readonly reason: Reason }
  | { readonly type: 'possible' }
  /**
   * It is used up, and the token's logs don't show for what: a token whose code was replaced may log
   * otherwise, so that the payer may have paid.
   */
  | { readonly type: 'unclear'; readonly txHash: Hex }
  /** The node doesn't know enough yet, or the search for how it was used takes another turn. */
  | { readonly type: 'unknown' }

/** With the hash of the code that the payer has by now; null when it has none, or nothing is known. */
export type VerifiedAuthorization = AuthorizationVerdict & { readonly codeHash: Hex | null }

export const UNKNOWN: AuthorizationVerdict = { type: 'unknown' }
