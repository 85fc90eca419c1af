import type { ChannelRecord } from '@remit/sdk/x402'
import { encodeFunctionData } from 'viem'
import { CHANNELS_ABI } from '../../../../chain/channels/abi.ts'
import { type Address, anyCaseAddress, type Hex } from '../../../../core/chain/evm.ts'
import { CHANNELS } from '../../../../core/channels/channel.ts'
import { transact } from '../../relayer/transactions.ts'
import { fund } from '../chain.ts'
import type { X402Stack } from '../stack.ts'

/** A payer that takes back what is left in a channel, by its own transactions. */

type Config = ChannelRecord['channelConfig']

/** Begins to withdraw all that is not claimed now. */
export async function beginWithdrawal(
  { chain }: X402Stack,
  key: Hex,
  config: Config,
  amount: bigint,
): Promise<void> {
  await fund(chain.node, addressIn(config.payer))
  const args = [config, amount] as const
  const data = encodeFunctionData({ abi: CHANNELS_ABI, functionName: 'initiateWithdraw', args })
  const { status } = await transact(chain, key, CHANNELS, data)
  if (status !== 'success') throw new Error('the withdrawal was refused')
}

/** Ends it when its delay is over. */
export async function endWithdrawal({ chain }: X402Stack, key: Hex, config: Config): Promise<void> {
  await chain.node.rpc('evm_increaseTime', [config.withdrawDelay])
  await chain.mine()
  const data = encodeFunctionData({
    abi: CHANNELS_ABI,
    functionName: 'finalizeWithdraw',
    args: [config],
  })
  const { status } = await transact(chain, key, CHANNELS, data)
  if (status !== 'success') throw new Error('the withdrawal was not ended')
}

/** What the contract says was claimed of a channel, in base units. */
export async function claimedOnChain({ chain }: X402Stack, channelId: Hex): Promise<bigint> {
  const args = [channelId] as const
  const [, claimed] = await chain.client.readContract({
    ...{ address: CHANNELS, abi: CHANNELS_ABI, functionName: 'channels', args },
  })
  return claimed
}

function addressIn(text: string): Address {
  const address = anyCaseAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return address
}
