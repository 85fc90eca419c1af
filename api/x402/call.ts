import type { AuthorizationUse } from '../../chain/x402/authorizationUse.ts'
import type { EndpointId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Facts } from '../../core/x402/facts.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { Deployment } from '../../core/x402/walletDeployment.ts'
import type { ClaimedPayment } from '../../store/x402/terms.ts'
import type { Exchange } from '../http/exchange.ts'
import type { X402Dependencies } from './facilitator.ts'

/** A call of verify or settle, and the results of the checks that both share. */

export interface Call {
  readonly purpose: 'verify' | 'settle'
  readonly deps: X402Dependencies
  readonly exchange: Exchange
  readonly request: PaymentRequest
  /** The merchant of the request's key; null without a key. */
  readonly keyMerchantId: MerchantId | null
  /** The caller's deadline, by performance.now(). */
  readonly deadline: number
  /** What the claim frees of the payer's reservations, in base units; nothing by default. */
  readonly freed?: bigint
}

export type Examined =
  | Refused
  /** Claimed before, by the same authorization. */
  | {
      readonly type: 'claimed'
      readonly payment: ClaimedPayment
      /** On hold, and payable now. */
      readonly mayContinue: boolean
      /** Why one that is on hold can't be relied on now; null for all others. */
      readonly obstacle: Refused | null
    }
  /** Another party has executed the authorization, to the right address. */
  | {
      readonly type: 'carried_out'
      readonly use: PaidUse
      readonly facts: Facts
      readonly terms: Terms
    }
  | {
      readonly type: 'good'
      readonly facts: Facts
      readonly terms: Terms
      /** The nonces of the payer's pending payments that were used by the block of the facts. */
      readonly usedNonces: readonly Hex[]
      /** An earlier verify has reserved its amount. */
      readonly isOnHold: boolean
    }

export interface Refused {
  readonly type: 'refused'
  readonly reason: Reason
  readonly message?: string | undefined
}

type PaidUse = Extract<AuthorizationUse, { type: 'paid' }>

export interface Terms {
  readonly merchantId: MerchantId
  /** The payment goes to the merchant's own address. */
  readonly isDirect: boolean
  /** The paid endpoint: the requested one, or that of the resource. */
  readonly endpointId: EndpointId | null
  readonly isAlone: boolean
  /** The signature for the token: unwrapped if it was wrapped by ERC-6492. */
  readonly signature: Hex
  /** A failed payment by the same authorization, if any. */
  readonly failedPaymentId: X402PaymentId | null
  /** The call that deploys the payer's code first (ERC-6492); null if it is deployed or not needed. */
  readonly deployment: Deployment | null
  /** The payer's approval of Permit2 to send along, in the hub's encoding; null if none is needed. */
  readonly approval: Hex | null
}

export function refused(reason: Reason, message?: string): Refused {
  return { type: 'refused', reason, message }
}
