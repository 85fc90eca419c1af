import type { EndpointId, MerchantId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { ActiveChain } from '../config/chains.ts'
import type { Echo } from './echo.ts'

/** The terms of x402's schemes "exact" and "upto" on EVM chains, for all wire formats. */

/** In seconds: what we require of payers, and assume where requirements leave it out. */
export const DEFAULT_TIMEOUT_S = 300

/** The form of a request: v1 or v2 of the public specification, or this service's own. */
export type Dialect = 'v1' | 'v2' | 'remit'

/** How much is paid of what the payer signed: all of it, or what the merchant's server names at the end. */
export type Scheme = 'exact' | 'upto'

/**
 * What a payer signed: EIP-3009, TransferWithAuthorization, or a payment by Permit2, whose nonce has a key here
 * (permitKey) and whose last second is the one before validBefore. Times are Unix seconds of chain time, both exclusive. */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  /** In base units; for `upto` the most that may be paid. */
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** A payment by Permit2: what a payer signs beside amount, payee and times. */
export interface Permit {
  /** Permit2's, unordered: one bit of a word of the payer's. */
  readonly nonce: bigint
  /** The token that the payer signed for. */
  readonly token: Address
  /** The contract that may spend through Permit2: a proxy of x402. */
  readonly spender: Address
  /** Who may call the proxy, for `upto`; null for `exact`, which anyone may call. */
  readonly facilitator: Address | null
  /** The payer's approval of Permit2 by EIP-2612, which travels with the payment; null without one. */
  readonly sponsored: SponsoredPermit | null
}

/** An EIP-2612 permit for Permit2, of the extension eip2612GasSponsoring. */
export interface SponsoredPermit {
  readonly owner: Address
  readonly token: Address
  readonly spender: Address
  /** In base units. */
  readonly value: bigint
  /** The token's, counted up by each permit of the owner. */
  readonly nonce: bigint
  /** The last second, in Unix time, at which the token takes it. */
  readonly deadline: bigint
  readonly signature: Hex
}

/** One accepted payment option, as a merchant's server requests it. */
export interface Requirements {
  /** For `upto` at verify the most that may be paid, and at settle what is to be paid. */
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

/** A request to verify or settle, in any dialect. */
export interface PaymentRequest {
  readonly dialect: Dialect
  /** As the caller wrote it; the answer repeats it. */
  readonly network: string
  readonly chain: ActiveChain
  readonly scheme: Scheme
  readonly authorization: Authorization
  /** Null for EIP-3009. */
  readonly permit: Permit | null
  /** In lower case. */
  readonly signature: Hex
  readonly requirements: Requirements
  /** What is paid for, as URLs of endpoints are compared; null where the request has no such URL. */
  readonly resource: string | null
  /** The metadata of the resource that came back with the payment; null without any. */
  readonly echo: Echo | null
}
