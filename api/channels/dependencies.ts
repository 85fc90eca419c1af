import type { X402PaymentId } from '../../core/base/ids.ts'
import type { WalletFactory } from '../../core/chain/walletFactory.ts'
import type { Holds } from '../../store/x402/holds.ts'
import type { FoundTerms, TermsQuery } from '../../store/x402/terms.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** What verify and settle of channels need of the facilitator. */
export interface ChannelDependencies extends ApiDependencies {
  readonly facilitator: {
    findTerms(query: TermsQuery): Promise<FoundTerms>
    /** Whether a chain has this factory's code at its address. Rejects when no node answers. */
    isFactory(networkId: string, factory: WalletFactory): Promise<boolean>
    /** Null where verify holds nothing. */
    readonly holds: Holds | null
    /** Resolves once it was decided after `since` (by performance.now()), after `ms`, or on a hang-up. */
    waitForDecision(wait: {
      readonly paymentId: X402PaymentId
      readonly since: number
      readonly ms: number
      readonly signal: AbortSignal
    }): Promise<void>
  }
}
