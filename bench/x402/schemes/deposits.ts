import type { PrivateKeyAccount } from 'viem/accounts'
import { lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import {
  type ChannelConfig,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  depositNonce,
  voucherDigest,
} from '../../../core/channels/channel.ts'
import type { HubChain } from '../../../test/support/servers/chain.ts'
import {
  randomHex,
  TRANSFER_WITH_AUTHORIZATION,
} from '../../../test/support/x402/authorizations.ts'
import { keyOf, type Posting } from '../posting.ts'
import type { PaymentRequirements } from '../side.ts'

/** Deposits into channels as stock servers post them, each into a channel of its own. */

/** The requests that a deposit is for. */
const REQUESTS = 10n
const RECEIVE = {
  ReceiveWithAuthorization: TRANSFER_WITH_AUTHORIZATION.TransferWithAuthorization,
} as const

export async function depositPosting(
  chain: HubChain,
  payer: PrivateKeyAccount,
  requirements: PaymentRequirements,
  validBefore: bigint,
): Promise<Posting> {
  const { chainId } = chain.node
  const config = configOf(payer, requirements)
  const channelId = channelIdOf(chainId, config)
  const salt = randomHex(32)
  const authorization = {
    from: config.payer,
    to: DEPOSIT_COLLECTOR,
    value: BigInt(requirements.amount) * REQUESTS,
    validAfter: 0n,
    validBefore,
    nonce: depositNonce(channelId, salt),
  }
  const maxClaimable = BigInt(requirements.amount)
  const digest = voucherDigest(chainId, { channelId, maxClaimable })
  const voucher = {
    channelId,
    maxClaimableAmount: requirements.amount,
    signature: await payer.sign({ hash: `0x${digest.toHex()}` }),
  }
  const erc3009Authorization = {
    validAfter: '0',
    validBefore: validBefore.toString(),
    salt,
    signature: await signReceipt(chain, payer, authorization),
  }
  const deposit = {
    amount: authorization.value.toString(),
    authorization: { erc3009Authorization },
  }
  const body = JSON.stringify({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://shop.example/weather', description: 'Weather', mimeType: '' },
      accepted: requirements,
      payload: { type: 'deposit', channelConfig: config, voucher, deposit },
    },
    paymentRequirements: requirements,
  })
  return { authorization, key: keyOf(authorization), body }
}

function configOf(payer: PrivateKeyAccount, requirements: PaymentRequirements): ChannelConfig {
  const { receiverAuthorizer, withdrawDelay } = requirements.extra
  return {
    payer: lowerCaseAddress(payer.address),
    payerAuthorizer: ZERO_ADDRESS,
    receiver: lowerCaseAddress(requirements.payTo),
    receiverAuthorizer: lowerCaseAddress(String(receiverAuthorizer)),
    token: lowerCaseAddress(requirements.asset),
    withdrawDelay: Number(withdrawDelay),
    salt: randomHex(32),
  }
}

/** EIP-3009's ReceiveWithAuthorization, which only the receiver may use. */
function signReceipt({ node, usdc }: HubChain, payer: PrivateKeyAccount, message: Receipt) {
  if (usdc.eip712 === undefined) throw new Error('the token has no EIP-3009')
  const { name, version } = usdc.eip712
  return payer.signTypedData({
    domain: { name, version, chainId: node.chainId, verifyingContract: usdc.address },
    types: RECEIVE,
    primaryType: 'ReceiveWithAuthorization',
    message,
  })
}

type Receipt = Posting['authorization']
