import type { BaseUnits } from '../base/money.ts'
import type { Address, Hex } from '../chain/evm.ts'
import type { ActiveChain } from '../config/chains.ts'
import type { Echo } from '../x402/echo.ts'
import type { ChannelConfig, Voucher, VoucherClaim } from './channel.ts'

/** Requests about channels, as stock servers send them to verify and settle. */

/** A server's requirements. Requests of a server for itself name no amount. */
export interface ChannelTerms {
  /** As the caller wrote it; the answer repeats it. */
  readonly network: string
  readonly chain: ActiveChain
  /** The receiver of the channels: a merchant's forwarder, or an address of its own. */
  readonly payTo: Address
  readonly asset: Address
  /** What a request is paid with at most, in base units; 0 where the requirements name no amount. */
  readonly price: BaseUnits
  /** What is paid for, as URLs of endpoints are compared; null where the request has no such URL. */
  readonly resource: string | null
  /** The metadata of the resource that came back with the payment; null without any. */
  readonly echo: Echo | null
}

/** EIP-3009, ReceiveWithAuthorization in favour of the collector. Times are Unix seconds. */
export interface DepositAuthorization {
  readonly amount: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly salt: Hex
  readonly nonce: Hex
  /** With its wrapping where it is one of ERC-6492. */
  readonly signature: Hex
}

export interface ChannelVoucher {
  readonly config: ChannelConfig
  readonly voucher: Voucher
}

export type DepositRequest = ChannelVoucher & {
  readonly type: 'deposit'
  readonly deposit: DepositAuthorization
}
export type VoucherRequest = ChannelVoucher & { readonly type: 'voucher' }
/** A refund that a payer requests from a server, as the server has it verified. */
export type RefundQuestion = ChannelVoucher & { readonly type: 'refund' }
export interface ClaimRequest {
  readonly type: 'claim'
  readonly claims: readonly VoucherClaim[]
  /** By the receiver's authorizer, over all of them. */
  readonly authorizerSignature: Hex
}
export interface SettleRequest {
  readonly type: 'settle'
}
export interface RefundRequest {
  readonly type: 'refund'
  readonly config: ChannelConfig
  readonly channelId: Hex
  readonly amount: bigint
  readonly refundNonce: bigint
  readonly refundSignature: Hex
  /** What is claimed before, in the same call; null for nothing. */
  readonly claim: ClaimRequest | null
}

export type ChannelAction = DepositRequest | ClaimRequest | SettleRequest | RefundRequest
export type ChannelActionType = ChannelAction['type']
export type ChannelQuestion = DepositRequest | VoucherRequest | RefundQuestion
