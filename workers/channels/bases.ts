import { type ChannelAtBlock, channelsAt } from '../../chain/channels/states.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isUnknownBlock } from '../../chain/rpc/faults.ts'
import type { View } from '../../chain/rpc/view.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { blockHashAt } from '../../store/chain/state.ts'
import {
  type ChannelBase,
  saveBases,
  type UnreadChannel,
  unreadChannels,
} from '../../store/channels/bases.ts'
import { channelsBlock } from '../../store/channels/work.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'

/**
 * A channel may be older than what is known of it: it was used before it came to us, or before its receiver
 * was a merchant's. The leader of a chain reads it once, at the chain's confirmations, and derives it from
 * that and from the events after it. While a node doesn't answer nothing is known of it, and it is read at
 * the next turn.
 */

/** By one request to the node. */
const CHANNELS_PER_TURN = 50
const NOTHING: Progress = { changed: 0, isFull: false }

/** As things that may be quarantined. */
const BASE = 'base of channel'

/** What reading channels takes of the ledger's. */
interface BasesContext extends Pick<LedgerContext, 'database'> {
  readonly work: Pick<LedgerContext['work'], 'others'>
  readonly client: Pick<ChainClient, 'rpc'> & {
    readonly chain: Pick<ChainClient['chain'], 'networkId'>
  }
}

export async function readBases(context: BasesContext, confirmed: bigint): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const without = work.others.waiting(BASE)
  const unread = await unreadChannels(database, networkId, CHANNELS_PER_TURN, without)
  if (unread.length === 0) return NOTHING
  // Events of later blocks may be booked without those of channels that were not known then.
  if (((await channelsBlock(database, networkId)) ?? -1n) > confirmed) return NOTHING
  // By the ledger's own hash, so that it shows when another block replaces this one.
  const hash = await blockHashAt(database, networkId, confirmed)
  if (hash === null) return NOTHING
  const view = { number: confirmed, hash }
  const read = await work.others.together(
    BASE,
    unread,
    ({ channelId }) => channelId,
    (some) => readAt(context, some, view),
  )
  const changed = read.reduce((all, one) => all + one, 0)
  return { changed, isFull: changed > 0 && unread.length === CHANNELS_PER_TURN }
}

/** Reads these by one request, and answers how many were stored. */
async function readAt(
  { database, client }: BasesContext,
  channels: readonly UnreadChannel[],
  view: View,
): Promise<number> {
  const ids = channels.map(({ channelId }) => channelId)
  const states = await statesOf(client, ids, view)
  const bases = channels.flatMap((channel, i) => {
    const state = states[i]
    return state === undefined ? [] : [baseOf(channel, state)]
  })
  return bases.length === 0 ? 0 : saveBases(database, client.chain.networkId, view, bases)
}

/** None from a node that lags behind: others have it, and the turn continues. */
async function statesOf(
  { rpc }: Pick<ChainClient, 'rpc'>,
  ids: readonly Hex[],
  view: View,
): Promise<ChannelAtBlock[]> {
  try {
    return await channelsAt(rpc, ids, view)
  } catch (error) {
    if (isUnknownBlock(error)) return []
    throw error
  }
}

function baseOf(
  { channelId, withdrawDelay }: UnreadChannel,
  { balance, totalClaimed, withdrawal }: ChannelAtBlock,
): ChannelBase {
  const begun = withdrawal && {
    amount: withdrawal.amount,
    at: new Date((withdrawal.begunAt + withdrawDelay) * 1000),
  }
  return { channelId, balance, totalClaimed, withdrawal: begun }
}
