import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Authorization } from '../../core/x402/terms.ts'

/** A request that can be posted to verify or settle unchanged. */
export interface Posting {
  readonly authorization: Authorization
  /** What the chain's evidence knows the payment by. */
  readonly key: string
  readonly body: string
}

/** What identifies an authorization on its token. */
export function keyOf({ from, nonce }: { from: Address; nonce: Hex }): string {
  return `${from} ${nonce}`
}
