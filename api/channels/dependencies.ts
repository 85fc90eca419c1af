import type { X402PaymentId } from '../../core/base/ids.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import type { Holds } from '../../store/x402/holds.ts'
import type { FoundTerms, TermsQuery } from '../../store/x402/terms.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** Dependencies of verify and settle for channels. */
export interface ChannelDependencies extends ApiDependencies {
  readonly facilitator: {
    findTerms(query: TermsQuery): Promise<FoundTerms>
    /** Whether a chain has this factory's code at its address. Rejects when no node answers. */
    isFactory(networkId: string, factory: WalletFactory): Promise<boolean>
    /** Null if verify reserves nothing. */
    readonly holds: Holds | null
    /** Resolves when the payment is decided after `since` (performance.now()), after `ms`, or on disconnect. */
    waitForDecision(wait: {
      readonly paymentId: X402PaymentId
      readonly since: number
      readonly ms: number
      readonly signal: AbortSignal
    }): Promise<void>
  }
}
