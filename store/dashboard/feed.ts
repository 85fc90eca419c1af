import { asMerchantId, isUuid, type MerchantId } from '../../core/base/ids.ts'
import { listenForHeads } from '../chain/heads.ts'
import { type ConnectionBounds, openConnectionLimit } from '../database/connectionLimit.ts'
import type { Database } from '../database/database.ts'
import { type ListenLog, listenWithRetries } from '../database/listen.ts'
import { CHANGE_CHANNEL } from '../webhook/fanOut.ts'

/**
 * Notifies a merchant's open pages of changes: one subscription per process. It names only the objects that
 * have changed; pages read them again.
 */

export interface MerchantFollower {
  readonly merchantId: MerchantId
  /** Whose connection it is. */
  readonly client: string
  /** Called with what has changed, at most once in PAUSE_MS; null for more than can be named. */
  changed(objectIds: ReadonlySet<string> | null): void
  /** Called when a chain has a new block. */
  block(networkId: string): void
  /** Called often enough that no proxy takes the connection for dead. */
  beat(): void
}

export interface MerchantFeed {
  /** Begins to follow; the result ends it. Null when there are as many followers as there may be. */
  follow(follower: MerchantFollower): (() => void) | null
  close(): Promise<void>
}

export interface FeedOptions {
  readonly database: Database
  readonly networkIds: readonly string[]
  readonly bounds: ConnectionBounds
  readonly log: ListenLog
}

const BEAT_MS = 15_000
/** The least time between two notifications to a merchant's followers. */
const PAUSE_MS = 1_000
/** More changes than that at once are sent as "anything". */
const MOST_NAMED = 50

interface Followed {
  readonly followers: Set<MerchantFollower>
  /** What has changed since the last notification; null for more than can be named. */
  objectIds: Set<string> | null
  pause: Timer | null
}

export function openMerchantFeed(options: FeedOptions): MerchantFeed {
  const followed = new Map<MerchantId, Followed>()
  const places = openConnectionLimit(options.bounds)
  const ends: (() => Promise<void> | void)[] = []

  function notify(merchant: Followed): void {
    const { objectIds, pause } = merchant
    if (pause !== null || objectIds?.size === 0) return
    merchant.objectIds = new Set()
    merchant.pause = setTimeout(() => {
      merchant.pause = null
      notify(merchant)
    }, PAUSE_MS)
    for (const follower of merchant.followers) follower.changed(objectIds)
  }

  function hear(payload: string): void {
    for (const change of payload.split(',')) {
      const [merchantId = '', objectId = ''] = change.split(' ')
      const merchant = isUuid(merchantId) ? followed.get(asMerchantId(merchantId)) : undefined
      if (merchant !== undefined) note(merchant, objectId)
    }
    for (const merchant of followed.values()) notify(merchant)
  }

  function begin(): void {
    const { database, log, networkIds } = options
    ends.push(
      listenWithRetries(database, {
        channel: CHANGE_CHANNEL,
        hear,
        // What changed before the subscription was not heard.
        begin() {
          for (const merchant of followed.values()) {
            merchant.objectIds = null
            notify(merchant)
          }
        },
        log,
      }),
      listenForHeads(
        database,
        networkIds,
        (networkId) => forEach(({ block }) => block(networkId)),
        log,
      ),
    )
    const beats = setInterval(() => forEach(({ beat }) => beat()), BEAT_MS)
    ends.push(() => clearInterval(beats))
  }

  function forEach(work: (follower: MerchantFollower) => void): void {
    for (const { followers } of followed.values()) for (const each of followers) work(each)
  }

  return {
    follow(follower) {
      const { merchantId, client } = follower
      const leave = places.take([client])
      if (leave === null) return null
      if (ends.length === 0) begin()
      const merchant = followed.get(merchantId) ?? newFollowed()
      followed.set(merchantId, merchant)
      merchant.followers.add(follower)
      return () => {
        leave()
        if (!merchant.followers.delete(follower) || merchant.followers.size > 0) return
        if (merchant.pause !== null) clearTimeout(merchant.pause)
        followed.delete(merchantId)
      }
    },
    async close() {
      await Promise.all(ends.splice(0).map((end) => end()))
      for (const { pause } of followed.values()) if (pause !== null) clearTimeout(pause)
      followed.clear()
    },
  }
}

function newFollowed(): Followed {
  return { followers: new Set(), objectIds: new Set(), pause: null }
}

function note(merchant: Followed, objectId: string): void {
  merchant.objectIds?.add(objectId)
  if ((merchant.objectIds?.size ?? 0) > MOST_NAMED) merchant.objectIds = null
}
