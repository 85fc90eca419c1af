import { type GetLogsReturnType, getAbiItem, type PublicClient } from 'viem'
import { asMerchantId, type MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { HUB_ABI } from './abi.ts'

/** Hub events of the owner's and guardian's acts. Their current outcome is in the hub's state. */

export type HubNews = { readonly hub: Address; readonly block: bigint } & (
  | { readonly type: 'proposed'; readonly id: Hex; readonly call: Hex }
  | { readonly type: 'stopped'; readonly bits: number; readonly by: Address }
  | { readonly type: 'change'; readonly merchantId: MerchantId }
  | { readonly type: 'written'; readonly merchantId: MerchantId; readonly version: number }
)

const EVENTS = [
  getAbiItem({ abi: HUB_ABI, name: 'Proposed' }),
  getAbiItem({ abi: HUB_ABI, name: 'Stopped' }),
  getAbiItem({ abi: HUB_ABI, name: 'MerchantChangePending' }),
  getAbiItem({ abi: HUB_ABI, name: 'MerchantConfigured' }),
] as const

type NewsLog = GetLogsReturnType<undefined, typeof EVENTS, true>[number]

/** The news of these hubs within the blocks, both ends included, in the chain's order. */
export async function hubNews(
  client: PublicClient,
  hubs: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<HubNews[]> {
  if (hubs.length === 0 || fromBlock > toBlock) return []
  const range = { address: [...hubs], fromBlock, toBlock }
  const logs = await client.getLogs({ ...range, events: EVENTS, strict: true })
  return logs.map(newsOf)
}

function newsOf(log: NewsLog): HubNews {
  const place = { hub: lowerCaseAddress(log.address), block: log.blockNumber }
  switch (log.eventName) {
    case 'Proposed':
      return { ...place, type: 'proposed', id: hashFrom(log.args.id), call: log.args.call }
    case 'Stopped': {
      const { what: bits, by } = log.args
      return { ...place, type: 'stopped', bits, by: lowerCaseAddress(by) }
    }
    case 'MerchantChangePending': {
      const merchantId = asMerchantId(bytes16ToUuid(log.args.merchantId))
      return { ...place, type: 'change', merchantId }
    }
    case 'MerchantConfigured': {
      const merchantId = asMerchantId(bytes16ToUuid(log.args.merchantId))
      return { ...place, type: 'written', merchantId, version: log.args.version }
    }
  }
}
