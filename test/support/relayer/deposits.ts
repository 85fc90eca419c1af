import { expect } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CHANNELS_ABI } from '../../../chain/channels/abi.ts'
import { encodeChannelAction } from '../../../chain/channels/calls.ts'
import { type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { CHANNEL_GAS } from '../../../core/channels/action.ts'
import {
  CHANNELS,
  type ChannelConfig,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  depositNonce,
} from '../../../core/channels/channel.ts'
import { claimAction } from '../../../store/channels/actions.ts'
import type { Database } from '../../../store/database/database.ts'
import type { HubChain } from '../servers/chain.ts'
import { randomHex } from '../x402/authorizations.ts'
import type { newForwarder } from './settles.ts'

const CHAIN_ID = 84_532

/** Deposits into channels that wait for a relayer, and what must have become of them. */

export interface DueDeposit {
  readonly key: Hex
  readonly config: ChannelConfig
  readonly channelId: Hex
  readonly amount: bigint
}

/** Asks for so many deposits, each of all that its payer has, into a channel of its own. */
export async function dueDeposits(
  database: Database,
  chain: HubChain,
  { merchantId, forwarder }: Awaited<ReturnType<typeof newForwarder>>,
  count: number,
): Promise<DueDeposit[]> {
  const { eip712, address: token } = chain.usdc
  const { timestamp, number: block } = await chain.client.getBlock()
  const due: DueDeposit[] = []
  for (let i = 0; i < count; i++) {
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    const payer = lowerCaseAddress(account.address)
    const config: ChannelConfig = {
      payer,
      payerAuthorizer: payer,
      receiver: forwarder,
      receiverAuthorizer: payer,
      token,
      withdrawDelay: 900,
      salt: randomHex(32),
    }
    due.push({
      key,
      config,
      channelId: channelIdOf(CHAIN_ID, config),
      amount: 1_000n + BigInt(i),
    })
  }
  await chain.mint(due.map(({ config, amount }) => ({ to: config.payer, amount })))
  for (const { key, config, channelId, amount } of due) {
    const salt = randomHex(32)
    const nonce = depositNonce(channelId, salt)
    const validBefore = timestamp + 3_600n
    const signature = await privateKeyToAccount(key).signTypedData({
      domain: { ...eip712, chainId: CHAIN_ID, verifyingContract: token },
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
        from: config.payer,
        to: DEPOSIT_COLLECTOR,
        value: amount,
        validAfter: 0n,
        validBefore,
        nonce,
      },
    })
    const deposit = { amount, validAfter: 0n, validBefore, salt, nonce, signature }
    const voucher = { channelId, maxClaimable: 1n, signature }
    const terms = { payTo: config.receiver, asset: token }
    await claimAction(database, {
      networkId: chain.networkId,
      merchantId,
      kind: 'deposit',
      key: `deposit:${token}:${config.payer}:${nonce}`,
      receiver: config.receiver,
      token,
      deposit: { payer: config.payer, nonce, validBefore, balance: amount },
      amount,
      channels: [{ channelId, config, totalClaimed: null }],
      calldata: encodeChannelAction({ type: 'deposit', config, voucher, deposit }, terms),
      gas: CHANNEL_GAS.deposit,
      block,
      isAlone: false,
    })
  }
  return due
}

export async function areAllDepositsConfirmed(database: Database): Promise<boolean> {
  const rows = await database`
    select from x402_channel_action where status <> 'failed' and confirmed_at is null`
  return rows.length === 0
}

/** Each channel holds its deposit to the unit, its payer nothing more, and the rows say so. */
export async function expectDepositedOnce(
  database: Database,
  chain: HubChain,
  due: readonly DueDeposit[],
): Promise<void> {
  for (const { config, channelId, amount } of due) {
    const [balance] = await chain.client.readContract({
      address: CHANNELS,
      abi: CHANNELS_ABI,
      functionName: 'channels',
      args: [channelId],
    })
    expect(balance).toBe(amount)
    expect(await chain.balance(config.payer)).toBe(0n)
  }
  const rows = await database<{ payer: string; moved: bigint; status: string }[]>`
    select payer, moved, status from x402_channel_action
    where payer = any(${due.map(({ config }) => config.payer)}::text[])`
  expect(new Map(rows.map(({ payer, moved }) => [payer, moved]))).toEqual(
    new Map(due.map(({ config, amount }): [string, bigint] => [config.payer, amount])),
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['settled']))
}
