/** How well a network is followed, for merchants: operators use /ready. */

export type NetworkState = 'well' | 'slow' | 'down'

export interface FollowedNetwork {
  readonly head: bigint
  /** When a worker last heard of a head; null when it never did. */
  readonly headSeenAt: Date | null
  /** Up to which block transfers are in the ledger. */
  readonly projectedBlock: bigint
  readonly blockTimeMs: number
}

/** A chain without news for so long is not followed. */
const DOWN_AFTER_MS = 60_000
/** Payments show up so much later than usual. */
const SLOW_AFTER_MS = 60_000

export function networkState(network: FollowedNetwork | null, now: Date): NetworkState {
  if (network === null || network.headSeenAt === null) return 'down'
  if (now.getTime() - network.headSeenAt.getTime() > DOWN_AFTER_MS) return 'down'
  const behindMs = Number(network.head - network.projectedBlock) * network.blockTimeMs
  return behindMs > SLOW_AFTER_MS ? 'slow' : 'well'
}
