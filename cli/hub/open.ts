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

/** What it takes to ask a hub. */
export type HubPlace = Pick<PowerSite, 'client' | 'hub' | 'head' | 'ask'>

/** The hub's state without what only its events show. */
export async function readTerms(site: HubPlace): Promise<HubAnswer> {
  const { client, hub, head } = site
  const tokens = tokensOf(client.chain).map(({ address }) => address)
  const question = { tokens, proposals: [], merchants: [] }
  return there(site, await site.ask(() => readHubAt(client.rpc, hub, question, head)))
}

/** The same with open proposals and changes. Reads the events of all the time that one can be open. */
export async function searchOpenMatters(site: HubPlace): Promise<OpenMatters> {
  const { client, hub, head } = site
  const { chain, rpc } = client
  const { state } = await readTerms(site)
  const from = oldestOpenBlock(chain, state.ownerDelay, head)
  const read = (first: bigint, last: bigint) => hubNews(rpc, [hub], first, last)
  const open = await site.ask(async () => {
    const news = (await Array.fromAsync(readInRanges(from, head.number, read))).flat()
    return readOpenMatters(rpc, { chain, hub }, NOTHING_KNOWN, news, head)
  })
  return there(site, open)
}

function there<T>({ hub }: HubPlace, answer: T | null): T {
  if (answer === null)
    throw new CommandError([`the hub at ${hub} does not answer as before: try again`])
  return answer
}
