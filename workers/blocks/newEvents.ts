import type { PublicClient } from 'viem'
import { headerAt } from '../../chain/blocks/blocks.ts'
import { bloomOf, mayHold } from '../../chain/blocks/bloom.ts'
import { SeenEmpty } from '../../chain/blocks/seenEmpty.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { min } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { blocksBetween } from '../../store/chain/state.ts'
import { type LedgerContext, viewOf } from '../turns/ledgerContext.ts'

/** Reading the events of contracts in new blocks, so that a node that lags leaves nothing out. */

/** Blocks whose events one turn reads. */
const BLOCKS_PER_TURN = 5_000n

export interface EventSource<Event> {
  /** All within the blocks, both ends included, in the chain's order. */
  between(from: bigint, to: bigint): Promise<readonly Event[]>
  /** All in one block, as one view shows it, or the best; null when it has no such block. */
  in(blockHash: Hex, view?: PublicClient): Promise<readonly Event[] | null>
  /** What the header's bloom filter has of each block with such an event. */
  readonly marks: {
    /** Of the kind of events, among those of a chain. */
    readonly name: string
    readonly addresses: readonly Address[]
    readonly topics: readonly Hex[]
  }
}

/** The events up to a block. */
export interface NewEvents<Event> {
  readonly events: readonly Event[]
  readonly end: bigint
}

/** The events after `last`, up to `confirmed` if all goes well; blocks up to `deep` are deep. */
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
 * has the last of them as we know it: one that is stuck would leave out what it doesn't have.
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
  const seen = emptySeen(client, source.marks.name)
  const found = await Promise.all(
    blocks.map(async ({ number, hash }) => {
      const events = await source.in(hash)
      const isDoubtful = events?.length === 0 && (await mayHoldSome(client, source, hash))
      return { number, events: isDoubtful ? await byOthers(client, source, hash, seen) : events }
    }),
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

/** Whether a block's header leaves room for such events, or no node has the header. */
async function mayHoldSome<Event>(
  { rpc }: ChainClient,
  { marks }: EventSource<Event>,
  hash: Hex,
): Promise<boolean> {
  const bloom = await bloomOf(rpc, hash)
  return bloom === null || mayHold(bloom, marks)
}

/** Blocks that were shown empty in a turn before, by chain and kind of events. */
const emptyBefore = new WeakMap<ChainClient, Map<string, SeenEmpty>>()

function emptySeen(client: ChainClient, name: string): SeenEmpty {
  const kinds = emptyBefore.get(client) ?? new Map<string, SeenEmpty>()
  emptyBefore.set(client, kinds)
  const seen = kinds.get(name) ?? new SeenEmpty()
  kinds.set(name, seen)
  return seen
}

/**
 * What a block holds that was shown empty although its header leaves room for events: a node that lags shows
 * itself so. Each URL is queried. One that has some is right; that there are none, a second view must confirm: another
 * URL now, or the same at the next turn. Null until then.
 */
async function byOthers<Event>(
  { each }: ChainClient,
  source: EventSource<Event>,
  hash: Hex,
  seen: SeenEmpty,
): Promise<readonly Event[] | null> {
  const isAlone = each.length < 2
  const views = isAlone
    ? []
    : await Promise.all(each.map((view) => source.in(hash, view).catch(() => null)))
  const shown = views.filter((events) => events !== null)
  const some = shown.find(({ length }) => length > 0)
  if (some !== undefined) return some
  const areAgreed = !isAlone && shown.length === each.length
  return areAgreed || seen.again(hash) ? [] : null
}
