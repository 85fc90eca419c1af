import type { TokenDecimals } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { DifferenceKind } from './advice.ts'

/** What a comparison of the ledger with the chains finds. Amounts in base units. */

/** A token's deposits on one chain: received + late + foreign = remitted + fees + refunded + held. */
const DEPOSITS = {
  received: 0n,
  late: 0n,
  /** Tokens on a chain, or of a kind, that the invoice doesn't list. */
  foreign: 0n,
  /** Brought to merchants by sweeps. */
  remitted: 0n,
  /** Brought to the fee collector by sweeps, as the ledger has it. */
  fees: 0n,
  /** The same as the hub's events have it. */
  feesOnChain: 0n,
  /** Fees that a token refused to transfer; a part of what is held. */
  feesOwed: 0n,
  /** Brought back by refunds. */
  refunded: 0n,
  /** What the deposits hold on the chain. */
  held: 0n,
}

/** A token's forwarders on one chain: settled + other = remitted + fees + refunded + held. */
const FORWARDERS = {
  /** What x402 payments brought. */
  settled: 0n,
  /** What arrived and belongs to no payment. */
  other: 0n,
  /** Brought to treasuries by payouts. */
  remitted: 0n,
  /** Brought to the fee collector by payouts, as the ledger has it. */
  fees: 0n,
  /** The same as the token's own transfers have it. */
  feesOnChain: 0n,
  /** Fees that a token refused to transfer; a part of what is held. */
  feesOwed: 0n,
  /** Brought back to payers by refunds. */
  refunded: 0n,
  /** What the forwarders hold on the chain. */
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
  /** Settled payments that were compared. */
  readonly payments: number
  readonly payouts: number
  readonly tokens: readonly ForwarderTotals[]
}

export interface ChainReport {
  readonly networkId: string
  /** The block whose end both sides are compared at; null when the chain couldn't be read. */
  readonly block: bigint | null
  readonly blockHash: string | null
  readonly head: bigint | null
  readonly deposits: number
  readonly sweeps: number
  readonly tokens: readonly TokenTotals[]
  readonly x402: ForwarderReport
}

/** What a difference is about. */
export interface Subject {
  readonly invoiceId?: string
  readonly settlementId?: string
  readonly refundId?: string
  readonly paymentId?: string
  readonly merchantId?: string
  readonly address?: Address
  readonly token?: Address
  readonly txHash?: string | undefined
  /** Base units, or another figure, as the ledger has it. */
  readonly ledger?: bigint
  /** The same as the chain has it. */
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
  /** What is worth knowing and no difference. */
  readonly notices: readonly string[]
}
