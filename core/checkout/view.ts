import type { Address, ChecksumAddress, Hex } from '../chain/evm.ts'
import type { TokenSymbol } from '../chain/tokens.ts'
import type { AuthorizationState, SignatureMethod } from '../invoice/signature.ts'

/**
 * What a payer is shown of a checkout session: by `GET /v1/checkout/sessions/:id`, by the page, and by each
 * of its live updates. It has everything that a payer needs and nothing else of the merchant: of the metadata
 * only the description for payers, and no externalRef, recipient, fee or other invoice. Amounts are decimals in
 * the token's major unit.
 */
export interface CheckoutView {
  readonly id: string
  /** Grows with every change: a view with a smaller one than what is shown is out of date. */
  readonly version: number
  readonly state: CheckoutState
  readonly merchant: CheckoutMerchant
  /** What is bought, in the merchant's words; null where the session has only an amount. */
  readonly description: string | null
  readonly fiat: CheckoutFiat | null
  /** What the payer may choose from; one entry and one network need no choice. */
  readonly tokens: readonly TokenChoice[]
  /** What is to be paid where; null until the payer has chosen a token. */
  readonly payment: CheckoutPayment | null
  /** Money that went to an address shown here before the payer chose again. */
  readonly earlier: readonly PayerTransfer[]
  /** The last lookups of hashes that were pasted here, newest first, at most ten. */
  readonly lookups: readonly HashLookup[]
  /** The newest signature by which a relayer pays for the payer; null without one. */
  readonly authorization: PayerAuthorization | null
  readonly refundAddress: ShownAddress | null
  readonly returnUrl: string | null
  /** The network that the payer chose last, by its networkId; null before that. */
  readonly chosenNetwork: string | null
  /** Where x402 clients pay it; null while nothing is due, or no chain of it takes signatures. */
  readonly x402Url: string | null
  /** Whether the payer may start again: it has expired without any money, and its price is still offered. */
  readonly canStartAgain: boolean
  /** When the session began. ISO 8601. */
  readonly createdAt: string
  /** When the session can no longer be paid in time; ISO 8601, null for never. */
  readonly expiresAt: string | null
  /** The server's clock, so that countdowns don't depend on the payer's. ISO 8601. */
  readonly now: string
}

/**
 * choosing: no token chosen yet · waiting: nothing seen · seen: a payment has been mined and is not
 * confirmed · partial: confirmed, but not enough · paid: enough is confirmed · completed: settled to the
 * merchant · expired: ended before enough was paid. More than enough, and money that came too late, are
 * figures of `payment` (`overpaid`, `late`) that go with any of them.
 */
export type CheckoutState =
  | 'choosing'
  | 'waiting'
  | 'seen'
  | 'partial'
  | 'paid'
  | 'completed'
  | 'expired'

export interface CheckoutMerchant {
  readonly name: string
  /** A path on this server. */
  readonly logoUrl: string | null
  /** `#rrggbb` as the merchant chose it; the page adjusts it until it can be read. */
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
}

/** With the checksum of EIP-55, as the service shows it. */
export type ShownAddress = Address | ChecksumAddress

export interface CheckoutFiat {
  /** ISO 4217. */
  readonly currency: string
  readonly amount: string
}

export interface TokenChoice {
  readonly tokenSymbol: TokenSymbol
  readonly tokenName: string
  /** Null for an amount in another currency, which is converted when the payer chooses. */
  readonly amount: string | null
  readonly networks: readonly NetworkChoice[]
}

export interface NetworkChoice {
  readonly networkId: string
  readonly name: string
  /** `slow` when no block came for ten block times, or payments are seen late. */
  readonly health: 'ok' | 'slow'
  /** From a payment's block to its confirmation, in seconds. */
  readonly usualSeconds: number
  /** What the network usually charges for sending a token, in dollars; null where coins have no price. */
  readonly usualFeeUsd: string | null
}

export interface CheckoutPayment {
  /** The invoice's reference, for the payer to quote. */
  readonly reference: string
  readonly tokenSymbol: TokenSymbol
  readonly decimals: number
  readonly expected: string
  /** Confirmed, in time, and neither refunded nor being refunded. */
  readonly received: string
  /** Mined and not confirmed. */
  readonly pending: string
  /** What is still to be sent; "0" once enough was seen. */
  readonly due: string
  readonly overpaid: string
  /** Received too late, and neither refunded nor being refunded. */
  readonly late: string
  readonly addresses: readonly PayableAddress[]
  /** In the order seen. */
  readonly transfers: readonly PayerTransfer[]
  readonly paidAt: string | null
  readonly completedAt: string | null
}

/** Where to send on one network. */
export interface PayableAddress {
  readonly networkId: string
  readonly name: string
  readonly chainId: number
  /** The symbol of the chain's coin, and a public RPC URL: for wallets that don't know the chain yet. */
  readonly coinSymbol: string
  readonly publicRpc: string
  readonly address: ShownAddress
  readonly tokenAddress: ShownAddress
  /** The base of the chain's explorer, without a slash at its end. */
  readonly explorer: string
  /** What to sign so that the payer needs no coin; null where that is not offered, or nothing is due. */
  readonly signature: SignatureTerms | null
}

/** For TransferWithAuthorization (EIP-3009); chain, contract and payee are the address's own. */
export interface SignatureTerms {
  /** Of the token's EIP-712 domain. */
  readonly name: string
  readonly version: string
  /** Base units, all that is due. */
  readonly value: string
  /** The longest that it may be valid, in s, if the session doesn't end before. */
  readonly maxSeconds: number
}

export interface PayerAuthorization {
  /** `refused` only in the answer to it: it is not stored, and nothing was sent. */
  readonly status: AuthorizationState | 'refused'
  readonly method: SignatureMethod
  readonly networkId: string
  readonly payer: ShownAddress
  readonly amount: string
  /** The transaction that carries it; null before there is one. */
  readonly transaction: Hex | null
  /** Why it was refused or failed: an x402 reason, or one of `SignatureRefusal`. */
  readonly reason: string | null
  /** ISO 8601. */
  readonly at: string
}

export interface PayerTransfer {
  readonly networkId: string
  readonly networkName: string
  readonly tokenSymbol: string
  readonly amount: string
  /** What of it is being refunded, and what was refunded. */
  readonly returning: string
  readonly returned: string
  readonly hash: Hex
  /** Who sent it, as the token says; null where that is not known. */
  readonly sender: ShownAddress | null
  readonly explorerUrl: string
  readonly status: 'pending' | 'confirmed' | 'reverted'
  /** `other`: in another token, or on a network that was not offered. */
  readonly kind: 'counted' | 'late' | 'other'
  /** Blocks, the transfer's own included, at most `confirmationsNeeded`. */
  readonly confirmations: number
  readonly confirmationsNeeded: number
  /** The time of its block; ISO 8601. */
  readonly at: string
}

/** What came of a transaction hash that the payer pasted. */
export interface HashLookup {
  readonly hash: Hex
  readonly verdict: HashVerdict
  /** Where it was found; null when nowhere. */
  readonly networkName: string | null
  readonly at: string
}

/**
 * payment: pays this session, or part of it · late: came after the end · other_network: sent to the right
 * address on a network that was not offered · other_token: another token went to the right address ·
 * elsewhere: exists, and neither its transfers nor the balance of the address show anything for this session · failed: was mined and reverted · not_mined: a node
 * knows it and it is in no block · unknown: no network that we watch knows it · looking: not looked up
 * everywhere yet.
 */
export type HashVerdict =
  | 'payment'
  | 'late'
  | 'other_network'
  | 'other_token'
  | 'elsewhere'
  | 'failed'
  | 'not_mined'
  | 'unknown'
  | 'looking'
