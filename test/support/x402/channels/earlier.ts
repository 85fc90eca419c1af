import type { PrivateKeyAccount } from 'viem/accounts'
import { CHANNELS_ABI } from '../../../../chain/channels/abi.ts'
import { encodeChannelAction } from '../../../../chain/channels/calls.ts'
import type { Hex } from '../../../../core/chain/evm.ts'
import { CHANNELS } from '../../../../core/channels/channel.ts'
import { parseChannelAction } from '../../../../core/channels/parse.ts'
import { transact } from '../../relayer/transactions.ts'
import { workerConfig } from '../../servers/chain.ts'
import { newOtherSender, newPayerWithKey } from '../chain.ts'
import type { X402Stack } from '../stack.ts'
import { channelOf } from './ownChannel.ts'
import { beginWithdrawal } from './withdrawal.ts'

/** Channels that were used before anything of them came to us. */

/** Has a stranger carry out what a body of settle asks for. */
export async function carryOutByOther({ chain }: X402Stack, body: unknown): Promise<void> {
  const parsed = parseChannelAction(body, [workerConfig(chain.variables()).chain])
  if (!parsed.ok) throw new Error(`the body is none: ${parsed.reason}`)
  const data = encodeChannelAction(parsed.request, parsed.terms)
  const { status } = await transact(chain, await newOtherSender(chain), CHANNELS, data)
  if (status !== 'success') throw new Error('the stranger was refused')
}

/** Amounts in base units. */
export interface ChannelBooks {
  readonly balance: bigint
  readonly totalClaimed: bigint
  readonly withdrawAmount: bigint | null
}

/** What the contract says of a channel. */
export async function booksOnChain({ chain }: X402Stack, channelId: Hex): Promise<ChannelBooks> {
  const of = { address: CHANNELS, abi: CHANNELS_ABI, args: [channelId] } as const
  const [[balance, totalClaimed], [amount, begunAt]] = await Promise.all([
    chain.client.readContract({ ...of, functionName: 'channels' }),
    chain.client.readContract({ ...of, functionName: 'pendingWithdrawals' }),
  ])
  return { balance, totalClaimed, withdrawAmount: begunAt === 0 ? null : amount }
}

/** What the ledger says of it; null while it doesn't know it. */
export async function booksOf(
  { database }: X402Stack,
  channelId: Hex,
): Promise<(ChannelBooks & { readonly isRead: boolean }) | null> {
  const [row] = await database<(ChannelBooks & { isRead: boolean })[]>`
    select balance, total_claimed, withdraw_amount, base_hash is not null as is_read
    from x402_channel where channel_id = ${channelId}`
  return row === undefined ? null : { ...row }
}

export interface EarlierChannel extends Awaited<ReturnType<typeof channelOf>> {
  readonly key: Hex
  readonly account: PrivateKeyAccount
}

/** A channel into which was deposited, and of which was claimed and is withdrawn, all without us. */
export async function earlierChannel(
  stack: X402Stack,
  {
    deposited,
    claimed,
    withdrawn,
  }: Readonly<Record<'deposited' | 'claimed' | 'withdrawn', bigint>>,
  beforeWithdrawal: () => Promise<void> = async () => {},
): Promise<EarlierChannel> {
  const { key, payer: account } = await newPayerWithKey(stack, 1_000_000n)
  const channel = await channelOf(stack, account)
  await carryOutByOther(stack, await channel.deposit(deposited))
  if (claimed > 0n) {
    await carryOutByOther(stack, await channel.claim(new Map([[channel, claimed]])))
  }
  await beforeWithdrawal()
  if (withdrawn > 0n) await beginWithdrawal(stack, key, channel.channelConfig, withdrawn)
  return { ...channel, key, account }
}
