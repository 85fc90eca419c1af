import type { Address, Hex } from '../chain/evm.ts'
import type { ActiveChain } from '../config/chains.ts'
import type { EndpointId, MerchantId } from '../ids.ts'
import type { BaseUnits } from '../money.ts'

/** The terms of x402's scheme "exact" on EVM chains, whatever the wire format was. */

/** The form of a request: v1 or v2 of the public specification, or this service's own. */
export type Dialect = 'v1' | 'v2' | 'remit'

/** EIP-3009, TransferWithAuthorization. Times are Unix seconds of chain time, both exclusive. */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  /** In base units. */
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** One accepted payment option, as a merchant's server asks for it. Specification section 2.4. */
export interface Requirements {
  readonly amount: BaseUnits
  readonly asset: Address
  /** The merchant's forwarder, or an address of its own. */
  readonly payTo: Address
  readonly maxTimeoutSeconds: number
  /** The EIP-712 domain that the payer was given; null where the requirements name none. */
  readonly name: string | null
  readonly version: string | null
  readonly merchantId: MerchantId | null
  readonly endpointId: EndpointId | null
}

/** A request to verify or settle, whatever dialect it came in. */
export interface PaymentRequest {
  readonly dialect: Dialect
  /** As the caller wrote it; the answer repeats it. */
  readonly network: string
  readonly chain: ActiveChain
  readonly authorization: Authorization
  /** In lower case. */
  readonly signature: Hex
  readonly requirements: Requirements
}
