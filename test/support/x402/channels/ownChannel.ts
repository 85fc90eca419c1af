import type { PrivateKeyAccount } from 'viem/accounts'
import { type Hex, lowerCaseAddress } from '../../../../core/chain/evm.ts'
import {
  CHANNELS,
  type ChannelConfig,
  channelIdOf,
  claimsDigest,
  DEPOSIT_COLLECTOR,
  depositNonce,
  voucherDigest,
} from '../../../../core/channels/channel.ts'
import { randomHex } from '../authorizations.ts'
import type { NewWallet } from '../newWallets.ts'
import type { X402Stack } from '../stack.ts'

/** A channel whose payer signs for the receiver, too: no one but itself is needed to fill and empty it. */
export async function channelOf(
  { chain, merchant }: X402Stack,
  account: PrivateKeyAccount,
  /** The payer, where it is a wallet of the account that doesn't exist yet. */
  wallet: NewWallet | null = null,
) {
  const { eip712, address: token } = chain.usdc
  const { chainId } = chain.node
  const signer = lowerCaseAddress(account.address)
  const payer = wallet?.address ?? signer
  const channelConfig: ChannelConfig = {
    payer,
    payerAuthorizer: signer,
    receiver: merchant.forwarder,
    receiverAuthorizer: signer,
    token,
    withdrawDelay: 900,
    salt: randomHex(32),
  }
  const channelId = channelIdOf(chainId, channelConfig)
  const domain = { name: 'x402 Batch Settlement', version: '1', chainId }
  const sign = (primaryType: string, types: [string, string][], message: Record<string, unknown>) =>
    account.signTypedData({
      domain: { ...domain, verifyingContract: CHANNELS },
      types: { [primaryType]: types.map(([name, type]) => ({ name, type })) },
      primaryType,
      message,
    })
  const voucher = {
    channelId,
    maxClaimableAmount: '1',
    signature: await sign(
      'Voucher',
      [
        ['channelId', 'bytes32'],
        ['maxClaimableAmount', 'uint128'],
      ],
      { channelId, maxClaimableAmount: 1n },
    ),
  }
  const requirements = {
    scheme: 'batch-settlement',
    network: `eip155:${chainId}`,
    asset: token,
    payTo: merchant.forwarder,
    amount: '0',
    maxTimeoutSeconds: 0,
    extra: {},
  }
  const bodyOf = <Payload extends object>(payload: Payload) => ({
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload },
    paymentRequirements: requirements,
  })
  return {
    channelId,
    channelConfig,
    /** A body of settle; two with the same salt are over the same nonce. */
    async deposit(amount: bigint, salt: Hex = randomHex(32), validAfter = 0n) {
      const validBefore = 4_000_000_000n
      const signed = await account.signTypedData({
        domain: { ...eip712, chainId, verifyingContract: token },
        types: {
          ReceiveWithAuthorization: [
            { name: 'from', type: 'address' },
            { name: 'to', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'validAfter', type: 'uint256' },
            { name: 'validBefore', type: 'uint256' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'ReceiveWithAuthorization',
        message: {
          ...{ from: payer, to: DEPOSIT_COLLECTOR, value: amount, validAfter, validBefore },
          nonce: depositNonce(channelId, salt),
        },
      })
      const signature = wallet?.wrap(signed) ?? signed
      const times = { validAfter: `${validAfter}`, validBefore: `${validBefore}` }
      const erc3009Authorization = { ...times, salt, signature }
      const deposit = { amount: `${amount}`, authorization: { erc3009Authorization } }
      return bodyOf({ type: 'deposit', channelConfig, voucher, deposit })
    },
    /** A body of verify about a voucher for so much in all. */
    async voucherOf(total: bigint) {
      const hash = hashOf(voucherDigest(chainId, { channelId, maxClaimable: total }))
      const signature = await account.sign({ hash })
      const signed = { channelId, maxClaimableAmount: `${total}`, signature }
      return bodyOf({ type: 'voucher', channelConfig, voucher: signed })
    },
    /** A body of settle that claims so much in all of each of these channels of the same account. */
    async claim(totals: ReadonlyMap<OwnChannel, bigint>) {
      const entries = [...totals].map(([{ channelId: id, channelConfig: channel }, total]) => {
        return { channelId: id, channel, maxClaimable: total, totalClaimed: total }
      })
      const claims = await Promise.all(
        entries.map(async ({ channel, totalClaimed, ...entry }) => ({
          voucher: { channel, maxClaimableAmount: `${totalClaimed}` },
          signature: await account.sign({ hash: hashOf(voucherDigest(chainId, entry)) }),
          totalClaimed: `${totalClaimed}`,
        })),
      )
      const claimAuthorizerSignature = await account.sign({
        hash: hashOf(claimsDigest(chainId, entries)),
      })
      return bodyOf({ type: 'claim', claims, claimAuthorizerSignature })
    },
    /** A body of settle that has the receiver paid out. */
    payout: () => bodyOf({ type: 'settle', receiver: merchant.forwarder, token }),
    async refund(amount: bigint, nonce: bigint) {
      const refundAuthorizerSignature = await sign(
        'Refund',
        [
          ['channelId', 'bytes32'],
          ['nonce', 'uint256'],
          ['amount', 'uint128'],
        ],
        { channelId, nonce, amount },
      )
      const asked = { amount: `${amount}`, refundNonce: `${nonce}`, refundAuthorizerSignature }
      return bodyOf({ type: 'refund', channelConfig, voucher, claims: [], ...asked })
    },
  }
}

interface OwnChannel {
  readonly channelId: Hex
  readonly channelConfig: ChannelConfig
}

function hashOf(digest: Uint8Array): Hex {
  return `0x${digest.toHex()}`
}
