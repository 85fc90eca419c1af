import {
  CHANNEL_TOPICS,
  type ChannelEvent,
  channelEventsBetween,
  channelEventsIn,
} from '../../chain/channels/events.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { min } from '../../core/base/integers.ts'
import { newestFinal } from '../../core/chain/depth.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { CHANNELS } from '../../core/channels/channel.ts'
import { directFee } from '../../core/x402/directFee.ts'
import { deriveChannels } from '../../store/channels/derive.ts'
import {
  awaitsChannelEvents,
  bookChannelPayouts,
  channelsBookedTo,
  type EventToBook,
  lockChannelsBlock,
  noteChannelsBlock,
  registerChannels,
  revertChannelEvents,
  storeChannelEvents,
} from '../../store/channels/events.ts'
import { notifyWithdrawals } from '../../store/channels/notify.ts'
import { insertPaymentEvents } from '../../store/x402/paymentEvents.ts'
import { eventsAfter } from '../blocks/newEvents.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'

/**
 * What the leader of a chain does for x402's channels: it books the events of their contract, by any sender, at
 * the chain's confirmations.
 */

/** While nothing is awaited, so many blocks are read at once. */
const BLOCKS_PER_STRIDE = 20n

export async function bookChannels(
  context: LedgerContext,
  head: bigint,
  confirmed: bigint,
): Promise<Progress> {
  const { database, client, config } = context
  const { networkId } = client.chain
  const last = await channelsBookedTo(database, networkId)
  if (last === null || last >= confirmed) return { changed: 0, isFull: false }
  const isAwaited = await awaitsChannelEvents(database, networkId)
  if (!isAwaited && confirmed < last + BLOCKS_PER_STRIDE) return { changed: 0, isFull: false }
  const deep = min(newestFinal(head, client.chain.finalityDepth), confirmed)
  const { events, end } = await eventsAfter(context, sourceOf(client), last, deep, confirmed)
  if (end === last) return { changed: 0, isFull: false }
  const tokens = new Set(client.chain.tokens.map(({ address }) => address))
  return database.begin(async (sql) => {
    await lockChannelsBlock(sql, networkId)
    const taken = await revertChannelEvents(sql, networkId)
    const created = events.flatMap((event) => (event.name === 'ChannelCreated' ? [event] : []))
    await registerChannels(
      sql,
      networkId,
      created.filter(({ config: { token } }) => tokens.has(token)),
    )
    const ours = events.flatMap((event) => toBook(event) ?? [])
    const known = ours.filter(({ token }) => token === null || tokens.has(token))
    const { channelIds, withdrawing } = await storeChannelEvents(sql, networkId, known)
    await deriveChannels(sql, networkId, channelIds)
    await notifyWithdrawals(sql, withdrawing)
    const paymentIds = await bookChannelPayouts(sql, networkId, (amount) =>
      directFee(amount, config),
    )
    await insertPaymentEvents(sql, 'x402.payment.settled', paymentIds)
    await noteChannelsBlock(sql, networkId, last, end)
    return { changed: taken + channelIds.length + paymentIds.length, isFull: end < confirmed }
  })
}

function sourceOf({ rpc }: ChainClient) {
  return {
    between: (from: bigint, to: bigint) => channelEventsBetween(rpc, from, to),
    in: (blockHash: Hex, view = rpc) => channelEventsIn(view, blockHash),
    marks: { name: 'channels', addresses: [CHANNELS], topics: CHANNEL_TOPICS },
  }
}

function toBook(event: ChannelEvent): EventToBook | null {
  if (event.name === 'ChannelCreated') return null
  const { name, amount, txHash, logIndex, block, blockHash } = event
  const isPayout = event.name === 'Settled'
  return {
    ...{ name, amount, txHash, logIndex, block, blockHash },
    channelId: isPayout ? null : event.channelId,
    receiver: isPayout ? event.receiver : null,
    token: isPayout ? event.token : null,
    total: 'total' in event ? event.total : null,
    withdrawAt: event.name === 'WithdrawInitiated' ? event.withdrawAt : null,
  }
}
