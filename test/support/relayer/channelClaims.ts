import { privateKeyToAccount } from 'viem/accounts'
import { encodeChannelAction } from '../../../chain/channels/calls.ts'
import type { Hex } from '../../../core/chain/evm.ts'
import { CHANNEL_GAS } from '../../../core/channels/action.ts'
import { claimsDigest, voucherDigest } from '../../../core/channels/channel.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import type { Database } from '../../../store/database/database.ts'
import type { HubChain } from '../servers/chain.ts'
import type { DueDeposit } from './deposits.ts'
import type { newForwarder } from './settles.ts'

const CHAIN_ID = 84_532

type Merchant = Awaited<ReturnType<typeof newForwarder>>

/** Asks for a claim of all that each of these channels holds, which payer and receiver have signed. */
export async function dueClaims(
  database: Database,
  chain: HubChain,
  { merchantId, forwarder }: Merchant,
  deposits: readonly DueDeposit[],
): Promise<void> {
  const block = await chain.client.getBlockNumber()
  const token = chain.usdc.address
  for (const { key, config, channelId, amount } of deposits) {
    const account = privateKeyToAccount(key)
    const sign = (digest: Uint8Array): Promise<Hex> => account.sign({ hash: `0x${digest.toHex()}` })
    const signature = await sign(voucherDigest(CHAIN_ID, { channelId, maxClaimable: amount }))
    const entry = { config, channelId, maxClaimable: amount, signature, totalClaimed: amount }
    const authorizerSignature = await sign(claimsDigest(CHAIN_ID, [entry]))
    await claimAction(database, {
      networkId: chain.networkId,
      merchantId,
      kind: 'claim',
      key: `claim:${channelId}`,
      receiver: forwarder,
      token,
      deposit: null,
      amount,
      channels: [{ channelId, config, totalClaimed: amount }],
      calldata: encodeChannelAction(
        { type: 'claim', claims: [entry], authorizerSignature },
        { payTo: forwarder, asset: token },
      ),
      gas: CHANNEL_GAS.claims + CHANNEL_GAS.claim,
      block,
      isAlone: false,
    })
  }
}

/** Asks for the payout of all that was claimed for a merchant. */
export async function duePayout(
  database: Database,
  chain: HubChain,
  { merchantId, forwarder }: Merchant,
  amount: bigint,
): Promise<void> {
  const token = chain.usdc.address
  await claimAction(database, {
    networkId: chain.networkId,
    merchantId,
    kind: 'settle',
    key: `settle:${forwarder}:${token}:${amount}`,
    receiver: forwarder,
    token,
    deposit: null,
    amount,
    channels: [],
    calldata: encodeChannelAction({ type: 'settle' }, { payTo: forwarder, asset: token }),
    gas: CHANNEL_GAS.settle,
    block: await chain.client.getBlockNumber(),
    isAlone: false,
  })
}
