import type { ActiveChain } from '../../core/config/chains.ts'
import type { Heights } from './heights.ts'
import type { Identity } from './identity.ts'
import type { RpcUrl } from './url.ts'

/** How the URLs of a chain are doing, for /ready, metrics and logs. */

export type UrlState =
  | 'healthy'
  /** More than a block behind another URL. */
  | 'lagging'
  /** Its head has not changed for ten block times. */
  | 'frozen'
  /** It names a block far above all that other URLs show, and leads to none of them. It is used last. */
  | 'ahead'
  /** On a branch that parts deeper than reorganisations reach. It is not used. */
  | 'forked'
  /** It answers for another chain. It is not used. */
  | 'wrong_chain'
  /** It did not answer the last time. */
  | 'unreachable'
  /** It has not been called yet. */
  | 'unasked'

export interface UrlStatus {
  /** Host and port; the rest of a URL may be a key. */
  readonly host: string
  readonly state: UrlState
  /** Its newest block; null when it has named none. */
  readonly head: bigint | null
  /** How long ago this block was first seen, in ms. */
  readonly headAgeMs: number | null
  /** What is wrong with it, in words for operators. */
  readonly reason: string | null
}

const FROZEN_BLOCKS = 10
const AHEAD = 'it names a block far above what every other URL shows'

export function statusOf(
  { blockTimeMs }: ActiveChain,
  urls: readonly RpcUrl[],
  identityOf: (url: RpcUrl) => Identity | null,
  heights: Heights,
): UrlStatus[] {
  const now = performance.now()
  const heads = urls
    .filter((url) => identityOf(url)?.type === 'right' && !heights.isAhead(url))
    .flatMap(({ head }) => (head === null ? [] : [head.number]))
  const newest = heads.reduce((most, number) => (number > most ? number : most), 0n)
  return urls.map((url): UrlStatus => {
    const { host, head } = url
    const identity = identityOf(url)
    const headAgeMs = head === null ? null : now - head.since
    const place = { host, head: head?.number ?? null, headAgeMs, reason: null }
    if (identity !== null && identity.type !== 'right') {
      return { ...place, state: identity.type, reason: identity.reason }
    }
    if (url.isDown) return { ...place, state: 'unreachable' }
    if (head === null) return { ...place, state: identity === null ? 'unasked' : 'healthy' }
    if (heights.isAhead(url)) return { ...place, state: 'ahead', reason: AHEAD }
    // What was not read again may have changed.
    if (head.seenAt - head.since > FROZEN_BLOCKS * blockTimeMs) return { ...place, state: 'frozen' }
    return { ...place, state: head.number + 1n < newest ? 'lagging' : 'healthy' }
  })
}
