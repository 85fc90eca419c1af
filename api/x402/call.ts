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

/** A call of verify or settle, and what both find out about its payment before either of them answers. */

export interface Call {
  readonly purpose: 'verify' | 'settle'
  readonly deps: X402Dependencies
  readonly exchange: Exchange
  readonly request: PaymentRequest
  /** Whose key came with the request; null without one. */
  readonly keyMerchantId: MerchantId | null
  /** By performance.now(): when the caller wants an answer. */
  readonly deadline: number
}

export type Examined =
  | Refused
  /** It was claimed before, by the same authorization. */
  | {
      readonly type: 'claimed'
      readonly payment: ClaimedPayment
      /** It is held, and nothing would stand in its way now. */
      readonly mayContinue: boolean
    }
  /** Another party has carried the authorization out, to the right address. */
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
      /** A verify holds its amount already. */
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
  /** The merchant is paid at an address of its own. */
  readonly isDirect: boolean
  /** What is paid for: the endpoint that was named, or that of the resource. */
  readonly endpointId: EndpointId | null
  readonly isAlone: boolean
  /** What goes to the token: unwrapped, if it was wrapped according to ERC-6492. */
  readonly signature: Hex
  /** The failed payment by the same authorization, if there is one. */
  readonly failedPaymentId: X402PaymentId | null
  /** The call that creates the payer's code first (ERC-6492); null where there is some, or it needs none. */
  readonly deployment: Deployment | null
  /** The payer's approval of Permit2 that goes along, in the hub's words; null where none is needed. */
  readonly approval: Hex | null
}

export function refused(reason: Reason, message?: string): Refused {
  return { type: 'refused', reason, message }
}
