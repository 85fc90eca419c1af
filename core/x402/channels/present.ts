import { type Address, checksumAddress, type Hex } from '../../chain/evm.ts'
import type { Chain } from '../../chain/registry.ts'
import type { ChannelRowId, MerchantId } from '../../ids.ts'
import { iso } from '../../instant.ts'
import { formatPrice, payableTokenAt } from '../present.ts'

/** Channels as the API and the events show them. */

/** A channel with what its merchant's servers keep of it. Amounts in base units. */
export interface X402Channel {
  readonly id: ChannelRowId
  readonly merchantId: MerchantId
  readonly networkId: string
  readonly channelId: Hex
  readonly payer: Address
  readonly payerAuthorizer: Address
  readonly receiver: Address
  readonly receiverAuthorizer: Address
  readonly token: Address
  /** In seconds. */
  readonly withdrawDelay: number
  readonly salt: Hex
  /** All that was deposited and has not gone back, by the events that are booked. */
  readonly balance: bigint
  readonly totalClaimed: bigint
  /** What the payer has begun to withdraw, and from when on it can; null for nothing. */
  readonly withdrawAmount: bigint | null
  readonly withdrawAt: Date | null
  readonly version: number
  readonly createdAt: Date
  /** When the chain last said something of it. */
  readonly changedAt: Date
  /** The highest voucher; null where none is stored. */
  readonly maxClaimable: bigint | null
  readonly signature: Hex | null
  readonly charged: bigint | null
  /** How much can be claimed without the server; null for nothing. */
  readonly claimTotal: bigint | null
  readonly record: string | null
  /** Null where the server keeps nothing. */
  readonly voucherVersion: number | null
  readonly storedAt: Date | null
}

export type X402ChannelJson = ReturnType<typeof presentChannel>
export type StoredVoucherJson = ReturnType<typeof voucherJson>

/** The channel object. `chain` is the channel's own. */
export function presentChannel(channel: X402Channel, chain: Chain) {
  const { decimals, symbol } = payableTokenAt(chain, channel.token)
  const price = (amount: bigint) => formatPrice(amount, decimals)
  return {
    channelId: channel.channelId,
    network: chain.caip2,
    networkId: chain.networkId,
    asset: checksumAddress(channel.token),
    tokenSymbol: symbol,
    payer: channel.payer,
    payTo: checksumAddress(channel.receiver),
    payerAuthorizer: channel.payerAuthorizer,
    receiverAuthorizer: channel.receiverAuthorizer,
    withdrawDelay: channel.withdrawDelay,
    salt: channel.salt,
    balance: price(channel.balance),
    claimed: price(channel.totalClaimed),
    unclaimed: price(unclaimedOf(channel)),
    withdrawAmount: channel.withdrawAmount === null ? null : price(channel.withdrawAmount),
    withdrawAt: iso(channel.withdrawAt),
    claimedBy: claimedBy(channel),
    createdAt: channel.createdAt.toISOString(),
    changedAt: channel.changedAt.toISOString(),
    voucher: presentVoucher(channel),
  }
}

/** What the server has charged and nobody has claimed, as far as it has said so. */
export function unclaimedOf({ charged, totalClaimed }: X402Channel): bigint {
  return charged !== null && charged > totalClaimed ? charged - totalClaimed : 0n
}

/** Who claims what is unclaimed before the payer can withdraw it: the service, where all of it is signed for. */
export function claimedBy({ charged, claimTotal }: X402Channel): 'service' | 'merchant' {
  return charged !== null && claimTotal !== null && claimTotal >= charged ? 'service' : 'merchant'
}

/** What the server keeps of it, null where that is nothing. Amounts in base units, as they are signed. */
export function presentVoucher(channel: X402Channel): StoredVoucherJson | null {
  const { voucherVersion: version, storedAt } = channel
  return version === null || storedAt === null ? null : voucherJson(channel, version, storedAt)
}

function voucherJson(channel: X402Channel, version: number, storedAt: Date) {
  return {
    channelId: channel.channelId,
    maxClaimableAmount: channel.maxClaimable?.toString() ?? null,
    signature: channel.signature,
    chargedCumulativeAmount: (channel.charged ?? 0n).toString(),
    totalClaimed: channel.totalClaimed.toString(),
    record: channel.record,
    version,
    storedAt: storedAt.toISOString(),
  }
}
