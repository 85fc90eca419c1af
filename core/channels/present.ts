import type { ChannelRowId, MerchantId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { checksumAddress, type Hex } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import { formatPrice, payableTokenAt } from '../x402/presentPayment.ts'
import type { ChannelConfig } from './channel.ts'

/** Channels as the API and the events show them. */

/** A channel with what its merchant's servers keep of it. Amounts in base units. */
export interface X402Channel extends ChannelConfig {
  readonly id: ChannelRowId
  readonly merchantId: MerchantId
  readonly networkId: string
  readonly channelId: Hex
  /** All that was deposited and has not gone back, by the events that are booked. */
  readonly balance: bigint
  readonly totalClaimed: bigint
  /** What the payer has begun to withdraw, and from when on it can; null for nothing. */
  readonly withdrawAmount: bigint | null
  readonly withdrawAt: Date | null
  readonly version: number
  /** When its state was last read from the chain. */
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
}

export type X402ChannelJson = ReturnType<typeof presentChannel>
export type StoredVoucherJson = ReturnType<typeof voucherJson>

/** The channel object. `chain` is the channel's own. */
export function presentChannel(channel: X402Channel, chain: Chain) {
  const { decimals } = payableTokenAt(chain, channel.token)
  const price = (amount: bigint) => formatPrice(amount, decimals)
  return {
    id: channel.id,
    merchantId: channel.merchantId,
    channelId: channel.channelId,
    network: chain.caip2,
    channelConfig: configJson(channel),
    balance: price(channel.balance),
    claimed: price(channel.totalClaimed),
    unclaimed: price(unclaimedOf(channel)),
    withdrawAmount: channel.withdrawAmount === null ? null : price(channel.withdrawAmount),
    withdrawAt: iso(channel.withdrawAt),
    claimedBy: claimedBy(channel),
    changedAt: channel.changedAt.toISOString(),
    voucher: presentVoucher(channel),
  }
}

export function configJson(config: ChannelConfig) {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } =
    config
  return {
    payer: checksumAddress(payer),
    payerAuthorizer: checksumAddress(payerAuthorizer),
    receiver: checksumAddress(receiver),
    receiverAuthorizer: checksumAddress(receiverAuthorizer),
    token: checksumAddress(token),
    withdrawDelay,
    salt,
  }
}

/** What the server has charged and not claimed yet, as far as it has reported. */
function unclaimedOf({ charged, totalClaimed }: X402Channel): bigint {
  return charged !== null && charged > totalClaimed ? charged - totalClaimed : 0n
}

/** Who claims what is unclaimed before the payer can withdraw it: the service, where all of it is signed for. */
function claimedBy({ charged, claimTotal }: X402Channel): 'service' | 'merchant' {
  return charged !== null && claimTotal !== null && claimTotal >= charged ? 'service' : 'merchant'
}

/** What the server keeps of it, null where that is nothing. Amounts in base units, as they are signed. */
export function presentVoucher(channel: X402Channel): StoredVoucherJson | null {
  const { voucherVersion: version } = channel
  return version === null ? null : voucherJson(channel, version)
}

function voucherJson(channel: X402Channel, version: number) {
  return {
    maxClaimableAmount: channel.maxClaimable?.toString() ?? null,
    signature: channel.signature,
    chargedCumulativeAmount: (channel.charged ?? 0n).toString(),
    totalClaimed: channel.totalClaimed.toString(),
    record: channel.record,
    version,
  }
}
