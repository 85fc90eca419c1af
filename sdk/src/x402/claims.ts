/** Signs claims, so that charged amounts of a channel can be claimed without the server. */

/** The key of the channels' `receiverAuthorizer`, e.g. an account of viem. */
export interface ChannelAuthorizer {
  readonly address: `0x${string}`
  signTypedData(typed: {
    domain: Record<string, unknown>
    types: Record<string, readonly { readonly name: string; readonly type: string }[]>
    primaryType: string
    message: Record<string, unknown>
  }): Promise<`0x${string}`>
}

const CHANNELS = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
const TYPES = {
  ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
  ClaimEntry: [
    { name: 'channelId', type: 'bytes32' },
    { name: 'maxClaimableAmount', type: 'uint128' },
    { name: 'totalClaimed', type: 'uint128' },
  ],
} as const

/** EIP-712: a claim of the charged amount of a channel, by its voucher. */
export function signClaim(
  signer: ChannelAuthorizer,
  network: string,
  {
    channelId,
    signedMaxClaimable,
    chargedCumulativeAmount,
  }: {
    readonly channelId: string
    readonly signedMaxClaimable: string
    readonly chargedCumulativeAmount: string
  },
): Promise<`0x${string}`> {
  const entry = {
    channelId,
    maxClaimableAmount: BigInt(signedMaxClaimable),
    totalClaimed: BigInt(chargedCumulativeAmount),
  }
  return signer.signTypedData({
    domain: {
      name: 'x402 Batch Settlement',
      version: '1',
      chainId: Number(network.split(':')[1]),
      verifyingContract: CHANNELS,
    },
    types: TYPES,
    primaryType: 'ClaimBatch',
    message: { claims: [entry] },
  })
}
