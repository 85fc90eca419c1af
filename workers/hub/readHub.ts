import { type Head, headerAt } from '../../chain/blocks/blocks.ts'
import { type HubNews, hubNews } from '../../chain/hub/news.ts'
import { oldestOpenBlock, readOpenMatters } from '../../chain/hub/openMatters.ts'
import { type HubAnswer, readHubAt } from '../../chain/hub/state.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { max, min } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { HubStop } from '../../core/hub/state.ts'
import { stoppedParts } from '../../core/hub/stops.ts'
import type { HubGovernance } from '../../store/hub/hubGovernance.ts'
import type { WrittenEntry } from '../../store/hub/registryEntries.ts'

/** One read of a hub: its events since the last one, and then its state. */
export interface HubNewsRead extends Omit<HubGovernance, 'differences'> {
  readonly answer: HubAnswer
  /** False while news further up are to be read before the head is reached. */
  readonly isCaughtUp: boolean
  /** Entries of merchants that were written, by any sender. */
  readonly written: readonly WrittenEntry[]
}

/** The events of so many of a node's ranges are read at once. */
const RANGES_PER_READ = 20n

/**
 * Reads a hub after the head. `before` is what was stored of the last read. Null when it is no hub of this
 * version. Throws a fault of the node.
 */
export async function readHubNews(
  client: ChainClient,
  hub: Address,
  before: HubGovernance | null,
  head: Head,
): Promise<HubNewsRead | null> {
  const { chain, rpc } = client
  const from = before === null ? await firstBlock(client, hub, head) : nextBlock(client, before)
  if (from === null) return null
  const most = RANGES_PER_READ * client.logRange() + BigInt(chain.finalityDepth)
  const to = min(head.number, from + most)
  const news = await hubNews(rpc, [hub], from, to)
  const known = {
    proposals: before?.proposals ?? [],
    merchants: before?.changes.map(({ merchantId }) => merchantId) ?? [],
  }
  const open = await readOpenMatters(rpc, { chain, hub }, known, news, head)
  if (open === null) return null
  const { answer, proposals } = open
  return {
    answer,
    newsBlock: to,
    isCaughtUp: to === head.number,
    stopped: await stopsOf(client, answer.state.stops, before?.stopped ?? [], news, head),
    proposals,
    changes: answer.changes,
    written: news.filter((one) => one.type === 'written'),
  }
}

/** Null when it is no hub of this version. */
async function firstBlock(
  { chain, rpc }: ChainClient,
  hub: Address,
  head: Head,
): Promise<bigint | null> {
  const nothing = { tokens: [], proposals: [], merchants: [] }
  const answer = await readHubAt(rpc, hub, nothing, head)
  return answer && oldestOpenBlock(chain, answer.state.ownerDelay, head)
}

/** Blocks that a reorganisation may have replaced since the last read are read again. */
function nextBlock({ chain }: ChainClient, { newsBlock }: HubGovernance): bigint {
  return max(newsBlock - BigInt(chain.finalityDepth), 0n)
}

/** The parts that are stopped, each since it was and by whom, as far as that was seen. */
async function stopsOf(
  { rpc }: ChainClient,
  stops: number,
  before: readonly HubStop[],
  news: readonly HubNews[],
  head: Head,
): Promise<HubStop[]> {
  const found: HubStop[] = []
  for (const part of stoppedParts(stops)) {
    const known = before.find((stop) => stop.part === part)
    const stop = news.findLast(
      (one) => one.type === 'stopped' && stoppedParts(one.bits).includes(part),
    )
    if (known !== undefined) found.push(known)
    else if (stop?.type !== 'stopped') found.push({ part, since: head.time, stoppedBy: null })
    else {
      const header = await headerAt(rpc, stop.block)
      found.push({ part, since: header?.time ?? head.time, stoppedBy: stop.by })
    }
  }
  return found
}
