import type { PublicClient } from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import { max } from '../../core/base/integers.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import { PROPOSAL_LIFETIME_S, type Proposal } from '../../core/hub/state.ts'
import type { View } from '../rpc/view.ts'
import type { HubNews } from './news.ts'
import { GUARDIAN_DELAY_FACTOR, ownerCallWords } from './ownerCalls.ts'
import { type HubAnswer, readHubAt } from './state.ts'

/** A hub's state with what is open on it: a hub lists neither proposals nor changes, its news name them. */

export interface OpenMatters {
  readonly answer: HubAnswer
  readonly proposals: readonly Proposal[]
}

/** What was open before the news. */
export interface KnownMatters {
  readonly proposals: readonly Pick<Proposal, 'id' | 'call'>[]
  readonly merchants: readonly MerchantId[]
}

export const NOTHING_KNOWN: KnownMatters = { proposals: [], merchants: [] }

/** A thief who proposes more than so many must not make the question too long for a node. */
const QUERIED_MAX = 100

/**
 * Reads a hub after the view's block, with those of its open matters that were known or that the news name.
 * Null when it is no hub of this version. Throws a fault of the node.
 */
export async function readOpenMatters(
  client: PublicClient,
  { chain, hub }: { readonly chain: Chain; readonly hub: Address },
  known: KnownMatters,
  news: readonly HubNews[],
  view: View,
): Promise<OpenMatters | null> {
  const tokens = tokensOf(chain)
  const calls = new Map<Hex, Hex>(known.proposals.map(({ id, call }) => [id, call]))
  const merchants = new Set(known.merchants)
  for (const one of news) {
    if (one.type === 'proposed') calls.set(one.id, one.call)
    if (one.type === 'change') merchants.add(one.merchantId)
  }
  const question = {
    tokens: tokens.map(({ address }) => address),
    proposals: [...calls.keys()].slice(-QUERIED_MAX),
    merchants: [...merchants].slice(-QUERIED_MAX),
  }
  const answer = await readHubAt(client, hub, question, view)
  if (answer === null) return null
  const proposals = [...answer.proposals].map(([id, readyAt]): Proposal => {
    const call = calls.get(id) ?? '0x'
    return { id, call, summary: ownerCallWords(call, tokens), readyAt }
  })
  return { answer, proposals }
}

/** The first block whose news can still be open, by the hub's delay in seconds. */
export function oldestOpenBlock(
  { blockTimeMs }: Chain,
  ownerDelay: bigint,
  head: Pick<View, 'number'>,
): bigint {
  const seconds = GUARDIAN_DELAY_FACTOR * ownerDelay + PROPOSAL_LIFETIME_S
  return max(head.number - (seconds * 1_000n) / BigInt(blockTimeMs), 0n)
}
