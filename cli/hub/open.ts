import { readInRanges } from '../../chain/blocks/ranges.ts'
import { hubNews } from '../../chain/hub/news.ts'
import {
  NOTHING_KNOWN,
  type OpenMatters,
  oldestOpenBlock,
  readOpenMatters,
} from '../../chain/hub/openMatters.ts'
import { type HubAnswer, readHubAt } from '../../chain/hub/state.ts'
import { tokensOf } from '../../core/chain/registry.ts'
import { CommandError } from '../terminal/command.ts'
import type { PowerSite } from './site.ts'

/** The parameters of reading a hub. */
export type HubView = Pick<PowerSite, 'client' | 'hub' | 'head' | 'query'>

/** The hub's state, without state that only events show. */
export async function readTerms(site: HubView): Promise<HubAnswer> {
  const { client, hub, head } = site
  const tokens = tokensOf(client.chain).map(({ address }) => address)
  const question = { tokens, proposals: [], merchants: [] }
  return there(site, await site.query(() => readHubAt(client.rpc, hub, question, head)))
}

/** The same with open proposals and changes. Reads all events of their maximum lifetime. */
export async function searchOpenMatters(site: HubView): Promise<OpenMatters> {
  const { client, hub, head } = site
  const { chain, rpc } = client
  const { state } = await readTerms(site)
  const from = oldestOpenBlock(chain, state.ownerDelay, head)
  const read = (first: bigint, last: bigint) => hubNews(rpc, [hub], first, last)
  const open = await site.query(async () => {
    const news = (await Array.fromAsync(readInRanges(from, head.number, read))).flat()
    return readOpenMatters(rpc, { chain, hub }, NOTHING_KNOWN, news, head)
  })
  return there(site, open)
}

function there<T>({ hub }: HubView, answer: T | null): T {
  if (answer === null) throw new CommandError([`the hub at ${hub} no longer responds: try again`])
  return answer
}
