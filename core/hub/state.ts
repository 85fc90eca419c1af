import type { MerchantId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { HubPart } from './stops.ts'

/** The state of a hub after one block. See contracts/. */
export interface HubState {
  /** The block whose state this is. */
  readonly block: bigint
  /** Bits; see STOP_BITS. */
  readonly stops: number
  readonly owner: Address
  /** The zero address where unassigned; so for the other roles. */
  readonly pendingOwner: Address
  readonly guardian: Address
  readonly configSigner: Address
  readonly refundSigner: Address
  readonly feeCollector: Address
  /** In seconds, like the other delay. */
  readonly ownerDelay: bigint
  readonly configDelay: bigint
}

/** A token as a hub knows it. Amounts in base units. */
export interface HubToken {
  readonly token: Address
  readonly isListed: boolean
  /** What may be refunded within any 24 hours; null without a limit. */
  readonly refundLimit: BaseUnits | null
  /** What may be refunded now; null without a limit. */
  readonly refundRoom: BaseUnits | null
}

/** A part of a hub that is stopped. */
export interface HubStop {
  readonly part: HubPart
  readonly since: Date
  /** Null where the event was not seen. */
  readonly stoppedBy: Address | null
}

/** A call that the owner has proposed. */
export interface Proposal {
  /** The hash of the call. */
  readonly id: Hex
  /** The calldata, as the owner is to send it. */
  readonly call: Hex
  /** The call in words. */
  readonly summary: string
  readonly readyAt: Date
}

/** A ripe proposal can be carried out for so long, in seconds. */
export const PROPOSAL_LIFETIME_S = 14n * 86_400n

/** Another treasury of a merchant that waits, or was vetoed. The merchant need not be one of ours. */
export interface MerchantChange {
  readonly merchantId: MerchantId
  readonly treasury: Address
  readonly version: number
  /** From when on it can be activated; null after a veto. */
  readonly readyAt: Date | null
}
