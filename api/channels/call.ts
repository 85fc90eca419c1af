import type { MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { ChannelAction, ChannelTerms } from '../../core/channels/requests.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ChannelDependencies } from './dependencies.ts'

/** A settle call about channels. */
export interface ChannelCall {
  readonly deps: ChannelDependencies
  readonly exchange: Exchange
  readonly terms: ChannelTerms
  readonly action: ChannelAction
  readonly keyMerchantId: MerchantId | null
}

/** The payer of an action; null where it concerns several payers. */
export function payerOf(action: ChannelAction): Address | null {
  return action.type === 'deposit' || action.type === 'refund' ? action.config.payer : null
}
