import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PrivateKeyAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import {
  CHANNELS,
  type ChannelConfig,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  depositNonce,
} from '../../../core/x402/channels/channel.ts'
import { randomHex } from '../../support/x402/authorizations.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Money that goes into a channel and back again earns nobody anything: how often relayers pay for that. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    // A deposit and a refund, and what is read before them.
    variables: { MIN_X402_USDC_BASE_SEPOLIA: '0.0001', REQUEST_BUDGET: '210' },
  })
}, 120_000)

afterAll(() => stack?.close())

test('who brings no key has a deposit and a refund carried out as often as the budget allows', async () => {
  const payer = await stack.newPayer(1_000n)
  const { deposit, refund } = await channelOf(payer)
  expect(await stack.settle(await deposit(1_000n))).toMatchObject({ success: true })
  expect(await stack.settle(await refund(99n, 0n))).toMatchObject({
    error: 'invalid_payment_requirements',
    errorMessage: 'a refund must be 100 base units at least, or all that is left',
  })
  expect(await stack.settle(await refund(910n, 0n))).toMatchObject({ amount: '910' })
  expect(stack.settle(await refund(1_000n, 1n))).rejects.toThrow('429')
  const headers = { 'X-Service-Key': stack.merchant.secretKey }
  expect(await stack.settle(await refund(1_000n, 1n), { headers })).toMatchObject({ amount: '90' })
  expect(await stack.chain.balance(payer.address)).toBe(1_000n)
}, 60_000)

/** A channel whose payer signs for the receiver, too: nobody but itself is needed to fill and empty it. */
async function channelOf(account: PrivateKeyAccount) {
  const { chain, merchant } = stack
  const { eip712, address: token } = chain.usdc
  const { chainId } = chain.node
  const payer = lowerCaseAddress(account.address)
  const channelConfig: ChannelConfig = {
    payer,
    payerAuthorizer: payer,
    receiver: merchant.forwarder,
    receiverAuthorizer: payer,
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
  const bodyOf = (payload: object) => ({
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload },
    paymentRequirements: requirements,
  })
  return {
    async deposit(amount: bigint) {
      const salt = randomHex(32)
      const [validAfter, validBefore] = [0n, 4_000_000_000n]
      const signature = await account.signTypedData({
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
      const times = { validAfter: `${validAfter}`, validBefore: `${validBefore}` }
      const erc3009Authorization = { ...times, salt, signature }
      const deposit = { amount: `${amount}`, authorization: { erc3009Authorization } }
      return bodyOf({ type: 'deposit', channelConfig, voucher, deposit })
    },
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
