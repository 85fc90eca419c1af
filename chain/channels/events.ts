import { getAbiItem, type Log, type PublicClient, parseEventLogs, toEventSelector } from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { CHANNELS, type ChannelConfig, DEPOSIT_COLLECTOR } from '../../core/channels/channel.ts'
import { readInRanges } from '../blocks/ranges.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import { placeOf } from '../transactions/logs.ts'
import { paidAuthorizations } from '../x402/authorizationUse.ts'
import { CHANNELS_ABI } from './abi.ts'

/** The events of the channels' contract. They alone decide the outcome of an action. */

interface EventPlace {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly logIndex: number
}

/** Amounts in base units. */
export type ChannelEvent = EventPlace &
  (
    | { readonly name: 'ChannelCreated'; readonly channelId: Hex; readonly config: ChannelConfig }
    | {
        readonly name: 'Deposited' | 'Claimed'
        readonly channelId: Hex
        readonly amount: bigint
        /** The new balance, or the new total of claims. */
        readonly total: bigint
      }
    | {
        readonly name: 'Refunded' | 'WithdrawFinalized'
        readonly channelId: Hex
        readonly amount: bigint
      }
    | {
        readonly name: 'WithdrawInitiated'
        readonly channelId: Hex
        readonly amount: bigint
        /** Unix time from which it can be ended. */
        readonly withdrawAt: number
      }
    | {
        readonly name: 'Settled'
        readonly receiver: Address
        readonly token: Address
        readonly amount: bigint
      }
  )

/** The contract's events among these logs, in their order. Logs of other contracts prove nothing. */
export function channelEvents(logs: readonly Log[]): ChannelEvent[] {
  const own = logs.filter((log) => log.address.toLowerCase() === CHANNELS)
  const parsed = parseEventLogs({ abi: CHANNELS_ABI, logs: own, strict: true })
  return parsed
    .map((event): ChannelEvent => {
      const place = { ...placeOf(event), logIndex: event.logIndex }
      switch (event.eventName) {
        case 'ChannelCreated': {
          const { channelId, config } = event.args
          return {
            ...place,
            name: 'ChannelCreated',
            channelId: hashFrom(channelId),
            config: ours(config),
          }
        }
        case 'Deposited': {
          const { channelId, amount, newBalance: total } = event.args
          return { ...place, name: 'Deposited', channelId: hashFrom(channelId), amount, total }
        }
        case 'Claimed': {
          const { channelId, claimAmount: amount, newTotalClaimed: total } = event.args
          return { ...place, name: 'Claimed', channelId: hashFrom(channelId), amount, total }
        }
        case 'Settled': {
          const { receiver, token, amount } = event.args
          const who = { receiver: lowerCaseAddress(receiver), token: lowerCaseAddress(token) }
          return { ...place, name: 'Settled', ...who, amount }
        }
        case 'WithdrawInitiated': {
          const { channelId, amount, finalizeAfter: withdrawAt } = event.args
          return {
            ...place,
            name: 'WithdrawInitiated',
            channelId: hashFrom(channelId),
            amount,
            withdrawAt,
          }
        }
        case 'Refunded':
        case 'WithdrawFinalized': {
          const { channelId, amount } = event.args
          return { ...place, name: event.eventName, channelId: hashFrom(channelId), amount }
        }
        default:
          return event satisfies never
      }
    })
    .sort((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex)
}

function ours(config: {
  readonly payer: string
  readonly payerAuthorizer: string
  readonly receiver: string
  readonly receiverAuthorizer: string
  readonly token: string
  readonly withdrawDelay: number
  readonly salt: Hex
}): ChannelConfig {
  return {
    payer: lowerCaseAddress(config.payer),
    payerAuthorizer: lowerCaseAddress(config.payerAuthorizer),
    receiver: lowerCaseAddress(config.receiver),
    receiverAuthorizer: lowerCaseAddress(config.receiverAuthorizer),
    token: lowerCaseAddress(config.token),
    withdrawDelay: config.withdrawDelay,
    salt: hashFrom(config.salt),
  }
}

/**
 * Where a receipt's logs show that this authorization was deposited into this channel: its use, its transfer
 * to the collector, the collector's to the channels, and the deposit, one after the other. Anything else
 * between them belongs to another deposit. Null when they don't.
 */
export function depositIn(
  logs: readonly Log[],
  deposit: {
    readonly token: Address
    readonly payer: Address
    readonly nonce: Hex
    readonly amount: bigint
    readonly channelId: Hex
  },
): Extract<ChannelEvent, { name: 'Deposited' | 'Claimed' }> | null {
  const { token, payer, nonce, amount, channelId } = deposit
  const paid = paidAuthorizations(token, logs).find(
    (one) =>
      one.payer === payer &&
      one.nonce === nonce &&
      one.to === DEPOSIT_COLLECTOR &&
      one.value === amount,
  )
  if (paid === undefined) return null
  const events = channelEvents(logs)
  // The collector's own transfer is one log; a channel that is new has an event before that of its deposit.
  const next = events.find((event) => event.logIndex > paid.logIndex)
  const created = next?.name === 'ChannelCreated' ? next : null
  const place = paid.logIndex + (created === null ? 2 : 3)
  const found = events.find((event) => event.logIndex === place)
  if (found?.name !== 'Deposited') return null
  return found.channelId === channelId && found.amount === amount ? found : null
}

const EVENTS = [
  getAbiItem({ abi: CHANNELS_ABI, name: 'ChannelCreated' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'Deposited' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'Claimed' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'Settled' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'Refunded' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'WithdrawInitiated' }),
  getAbiItem({ abi: CHANNELS_ABI, name: 'WithdrawFinalized' }),
] as const
/** One of them is in each block in which something happened to a channel. */
export const CHANNEL_TOPICS: readonly Hex[] = EVENTS.map((event) => toEventSelector(event))
const WANTED = { address: CHANNELS, events: EVENTS, strict: true as const }

/** Every event of the contract within the blocks, both ends included, in the chain's order. */
export async function channelEventsBetween(
  client: PublicClient,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<ChannelEvent[]> {
  const read = async (from: bigint, to: bigint) =>
    channelEvents(await client.getLogs({ ...WANTED, fromBlock: from, toBlock: to }))
  return (await Array.fromAsync(readInRanges(fromBlock, toBlock, read))).flat()
}

/** Every event of the contract in one block. Null when the node has no such block. */
export async function channelEventsIn(
  client: PublicClient,
  blockHash: Hex,
): Promise<ChannelEvent[] | null> {
  try {
    return channelEvents(await client.getLogs({ ...WANTED, blockHash }))
  } catch (error) {
    if (rpcErrorIn(error) === null) throw error
    return null
  }
}
