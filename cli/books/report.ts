import type { TokenDecimals } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { DifferenceKind } from './advice.ts'

/** The result of comparing the ledger with the chains. Amounts in base units. */

/** A token's deposits on one chain: received + late + foreign = remitted + fees + refunded + held. */
const DEPOSITS = {
  received: 0n,
  late: 0n,
  /** Tokens, or tokens on a chain, that the invoice doesn't list. */
  foreign: 0n,
  /** Paid to merchants by sweeps. */
  remitted: 0n,
  /** Paid to the fee collector by sweeps, according to the ledger. */
  fees: 0n,
  /** The same according to the hub's events. */
  feesOnChain: 0n,
  /** Fees that a token refused to transfer; a part of what is held. */
  feesOwed: 0n,
  /** Refunded. */
  refunded: 0n,
  /** The balance of the deposits on the chain. */
  held: 0n,
}

/** A token's forwarders on one chain: settled + other = remitted + fees + refunded + held. */
const FORWARDERS = {
  /** Received by x402 payments. */
  settled: 0n,
  /** Received without a payment. */
  other: 0n,
  /** Paid to treasuries by payouts. */
  remitted: 0n,
  /** Paid to the fee collector by payouts, according to the ledger. */
  fees: 0n,
  /** The same according to the token's transfers. */
  feesOnChain: 0n,
  /** Fees that a token refused to transfer; a part of what is held. */
  feesOwed: 0n,
  /** Refunded to payers. */
  refunded: 0n,
  /** The balance of the forwarders on the chain. */
  held: 0n,
}

interface TokenOfChain {
  readonly networkId: string
  readonly symbol: string
  readonly token: Address
  readonly decimals: TokenDecimals
}

export type TokenTotals = TokenOfChain & typeof DEPOSITS
export type ForwarderTotals = TokenOfChain & typeof FORWARDERS

interface Token {
  readonly symbol: string
  readonly address: Address
  readonly decimals: TokenDecimals
}

export function newTotals(networkId: string, token: Token): TokenTotals {
  return { ...tokenOfChain(networkId, token), ...DEPOSITS }
}

export function newForwarderTotals(networkId: string, token: Token): ForwarderTotals {
  return { ...tokenOfChain(networkId, token), ...FORWARDERS }
}

function tokenOfChain(networkId: string, { symbol, address: token, decimals }: Token) {
  return { networkId, symbol, token, decimals }
}

export interface ForwarderReport {
  readonly forwarders: number
  /** The number of compared payments. */
  readonly payments: number
  readonly payouts: number
  readonly tokens: readonly ForwarderTotals[]
}

export interface ChainReport {
  readonly networkId: string
  /** Both sides are compared at the end of this block; null if the chain couldn't be read. */
  readonly block: bigint | null
  readonly blockHash: string | null
  readonly head: bigint | null
  readonly deposits: number
  readonly sweeps: number
  readonly tokens: readonly TokenTotals[]
  readonly x402: ForwarderReport
}

/** The objects of a difference. */
export interface Subject {
  readonly invoiceId?: string
  readonly settlementId?: string
  readonly refundId?: string
  readonly paymentId?: string
  readonly merchantId?: string
  readonly address?: Address
  readonly token?: Address
  readonly txHash?: string | undefined
  /** The value in the ledger, in base units or another unit. */
  readonly ledger?: bigint
  /** The value on the chain. */
  readonly chain?: bigint
}

export interface Difference extends Subject {
  readonly kind: DifferenceKind
  readonly networkId: string | null
  readonly message: string
}

export interface Report {
  readonly isClean: boolean
  readonly checkedAt: Date
  readonly chains: readonly ChainReport[]
  readonly differences: readonly Difference[]
  /** Notices that are no differences. */
  readonly notices: readonly string[]
}
