import { asChannelRowId, type MerchantId } from '../base/ids.ts'
import { type Address, type Hex, lowerCaseAddress } from '../chain/evm.ts'
import { type Chain, tokenNamed } from '../chain/registry.ts'
import { presentChannel } from '../channels/present.ts'

const PAYER = lowerCaseAddress('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65')
const WORD: Hex = `0x${'b1'.repeat(32)}`

/** A channel of which 4 are charged, and whose payer withdraws all that is left of 10. */
export function sampleChannel(
  chain: Chain,
  given: {
    readonly objectId: string
    readonly merchantId: MerchantId
    readonly hub: Address
    readonly now: Date
  },
) {
  const { objectId, merchantId, hub, now } = given
  return presentChannel(
    {
      id: asChannelRowId(objectId),
      merchantId,
      networkId: chain.networkId,
      channelId: WORD,
      payer: PAYER,
      payerAuthorizer: PAYER,
      receiver: hub,
      receiverAuthorizer: PAYER,
      token: tokenNamed(chain, 'USDC').address,
      withdrawDelay: 900,
      salt: WORD,
      balance: 10_000_000n,
      totalClaimed: 0n,
      withdrawAmount: 6_000_000n,
      withdrawAt: new Date(now.getTime() + 900_000),
      version: 2,
      changedAt: now,
      maxClaimable: 4_000_000n,
      signature: '0x',
      charged: 4_000_000n,
      claimTotal: 4_000_000n,
      record: null,
      voucherVersion: 1,
    },
    chain,
  )
}
