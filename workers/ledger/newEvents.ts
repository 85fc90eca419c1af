import { headerAt } from '../../chain/blocks/blocks.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { min } from '../../core/integers.ts'
import { blocksBetween } from '../../store/chain/state.ts'
import { type LedgerContext, viewOf } from './context.ts'

/** Reading what contracts said in new blocks, so that no node that lags leaves something out. */

/** Blocks whose events one turn reads. */
const BLOCKS_PER_TURN = 5_000n

export interface EventSource<Event> {
  /** All within the blocks, both ends included, in the chain's order. */
  between(from: bigint, to: bigint): Promise<readonly Event[]>
  /** All in one block; null when the node has no such block. */
  in(blockHash: Hex): Promise<readonly Event[] | null>
}

/** What was said up to a block. */
export interface NewEvents<Event> {
  readonly events: readonly Event[]
  readonly end: bigint
}

/** What was said after `last`, up to `confirmed` if all goes well; blocks up to `deep` are deep. */
export async function eventsAfter<Event>(
  context: LedgerContext,
  source: EventSource<Event>,
  last: bigint,
  deep: bigint,
  confirmed: bigint,
): Promise<NewEvents<Event>> {
  const old =
    last < deep ? await deepEvents(context, source, last, deep) : { events: [], end: last }
  if (old.end < deep) return old
  const recent = await recentEvents(context, source, old.end, confirmed)
  return { events: [...old.events, ...recent.events], end: recent.end }
}

/**
 * Blocks that every node has had for long are read many at a time. What a node shows counts only if it
 * has the last of them as we know it: one that stands still would leave out what it doesn't have.
 */
async function deepEvents<Event>(
  context: LedgerContext,
  source: EventSource<Event>,
  last: bigint,
  to: bigint,
): Promise<NewEvents<Event>> {
  const end = min(last + BLOCKS_PER_TURN, to)
  const view = await viewOf(context, end)
  const [events, shown] = await Promise.all([
    source.between(last + 1n, end),
    headerAt(context.client.rpc, end),
  ])
  return shown?.hash === view.hash ? { events, end } : { events: [], end: last }
}

/** Newer ones are read one by one, by their hashes, as far as the node has them. */
async function recentEvents<Event>(
  { database, client }: LedgerContext,
  source: EventSource<Event>,
  last: bigint,
  to: bigint,
): Promise<NewEvents<Event>> {
  const blocks = await blocksBetween(database, client.chain.networkId, last + 1n, to)
  const found = await Promise.all(
    blocks.map(async ({ number, hash }) => ({ number, events: await source.in(hash) })),
  )
  const events: Event[] = []
  let end = last
  for (const block of found) {
    if (block.number !== end + 1n || block.events === null) break
    events.push(...block.events)
    end = block.number
  }
  return { events, end }
}
