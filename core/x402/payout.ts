import type { DistributionId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'
import { type Address, checksumAddress, type Hex } from '../chain/evm.ts'
import { foundToken } from '../chain/foundToken.ts'
import type { Chain } from '../chain/registry.ts'

/** Payouts of a merchant's forwarder: many x402 payments at once, less the fee. Amounts in base units. */

export interface Payout {
  readonly id: DistributionId
  readonly networkId: string
  readonly token: Address
  readonly txHash: Hex
  readonly blockNumber: bigint
  readonly treasury: Address
  readonly remitted: BaseUnits
  readonly fee: BaseUnits
  /** How many payments it paid out. */
  readonly payments: number
  /** The time of its block. */
  readonly createdAt: Date
}

export type PayoutJson = ReturnType<typeof presentPayout>

export function presentPayout(payout: Payout, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(payout, chains)
  return {
    id: payout.id,
    chain: payout.networkId,
    asset: symbol,
    tokenAddress: checksumAddress(payout.token),
    recipient: checksumAddress(payout.treasury),
    payments: payout.payments,
    amount: decimal(payout.remitted + payout.fee),
    fee: decimal(payout.fee),
    merchantAmount: decimal(payout.remitted),
    txHash: payout.txHash,
    blockNumber: Number(payout.blockNumber),
    createdAt: payout.createdAt.toISOString(),
  }
}

/** The payouts of one day (UTC), chain and token. */
export interface PayoutDay {
  /** As YYYY-MM-DD. */
  readonly day: string
  readonly networkId: string
  readonly token: Address
  readonly payouts: number
  readonly remitted: BaseUnits
  readonly fees: BaseUnits
}

export type PayoutDayJson = ReturnType<typeof presentPayoutDay>

export function presentPayoutDay(day: PayoutDay, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(day, chains)
  return {
    day: day.day,
    chain: day.networkId,
    asset: symbol,
    payouts: day.payouts,
    amountRemitted: decimal(day.remitted),
    fees: decimal(day.fees),
  }
}

/** What was paid and is yet to be paid out, of one chain and token. */
export interface WaitingPayout {
  readonly networkId: string
  readonly token: Address
  readonly payments: number
  readonly amount: BaseUnits
}

export type WaitingPayoutJson = ReturnType<typeof presentWaitingPayout>

export function presentWaitingPayout(waiting: WaitingPayout, chains: readonly Chain[]) {
  const { symbol, decimal } = foundToken(waiting, chains)
  return {
    chain: waiting.networkId,
    asset: symbol,
    payments: waiting.payments,
    amount: decimal(waiting.amount),
  }
}
