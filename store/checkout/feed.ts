import {
  type CheckoutRows,
  isSessionId,
  nextChange,
  type SessionId,
  waitsOn,
} from '../../core/checkout/session.ts'
import { listenForHeads } from '../chain/heads.ts'
import { type ConnectionBounds, openConnectionLimit } from '../database/connectionLimit.ts'
import type { Database } from '../database/database.ts'
import { type ListenLog, listenWithRetries } from '../database/listen.ts'
import { SESSION_CHANNEL } from '../invoice/sessionNews.ts'
import type { ReadCheckout } from './views.ts'

/**
 * Follows sessions for their pages: one subscription per process. A session is read again when it has changed,
 * and with each block of a network on which a payment of it is unconfirmed; followers get the whole view each
 * time, so that nothing has to be replayed.
 */

export interface Follower {
  readonly sessionId: SessionId
  /** Whose connection it is, by their networks: the narrowest first. */
  readonly networks: readonly string[]
  hear(rows: CheckoutRows): void
  /** Called often enough that no proxy takes the connection for dead. */
  beat(): void
}

export interface CheckoutFeed {
  /** Begins to follow; the result ends it. Null when there are as many followers as there may be. */
  follow(follower: Follower): (() => void) | null
  close(): Promise<void>
}

interface FeedOptions {
  readonly database: Database
  readonly readCheckout: ReadCheckout
  readonly networkIds: readonly string[]
  readonly bounds: ConnectionBounds
  readonly log: ListenLog
  readonly now: () => Date
}

const BEAT_MS = 15_000
const POLL_MS = 1_000

interface Followed {
  readonly followers: Set<Follower>
  /** The networks on which a payment of it waits for blocks. */
  waitsOn: ReadonlySet<string>
  /** When the clock alone will change what is shown. */
  changesAt: Date | null
  /** What has happened since it was last read. */
  isStale: boolean
  isReading: boolean
}

export function openCheckoutFeed(options: FeedOptions): CheckoutFeed {
  const { readCheckout, bounds, now } = options
  const followed = new Map<SessionId, Followed>()
  const places = openConnectionLimit(bounds)
  const ends: (() => Promise<void> | void)[] = []

  async function refresh(id: SessionId, session: Followed): Promise<void> {
    session.isStale = true
    if (session.isReading) return
    session.isReading = true
    try {
      while (session.isStale && session.followers.size > 0) {
        session.isStale = false
        const rows = await readCheckout(id)
        if (rows === null) continue
        session.waitsOn = waitsOn(rows)
        session.changesAt = nextChange(rows, now())
        for (const follower of session.followers) follower.hear(rows)
      }
    } catch (error) {
      // It stays stale, and the next poll reads it again.
      session.isStale = true
      options.log.warn({ err: error }, 'a session was not read for its followers')
    } finally {
      session.isReading = false
    }
  }

  function poll(): void {
    const time = now()
    for (const [id, session] of followed) {
      const isDue = session.changesAt !== null && session.changesAt < time
      if (session.isStale || isDue) void refresh(id, session)
    }
  }

  function begin(): void {
    ends.push(
      listenWithRetries(options.database, {
        channel: SESSION_CHANNEL,
        hear: (id) => {
          const session = isSessionId(id) ? followed.get(id) : undefined
          if (isSessionId(id) && session !== undefined) void refresh(id, session)
        },
        begin: () => {
          for (const [id, session] of followed) void refresh(id, session)
        },
        log: options.log,
      }),
      listenForHeads(
        options.database,
        options.networkIds,
        (networkId) => {
          for (const [id, session] of followed) {
            if (session.waitsOn.has(networkId)) void refresh(id, session)
          }
        },
        options.log,
      ),
    )
    const polls = setInterval(poll, POLL_MS)
    const beats = setInterval(() => {
      for (const { followers } of followed.values()) for (const each of followers) each.beat()
    }, BEAT_MS)
    ends.push(
      () => clearInterval(polls),
      () => clearInterval(beats),
    )
  }

  return {
    follow(follower) {
      const { sessionId, networks } = follower
      const leave = places.take(networks)
      if (leave === null) return null
      if (ends.length === 0) begin()
      const session = followed.get(sessionId) ?? newFollowed()
      followed.set(sessionId, session)
      session.followers.add(follower)
      // It may have changed since the follower read it.
      void refresh(sessionId, session)
      return () => {
        leave()
        if (!session.followers.delete(follower)) return
        if (session.followers.size === 0) followed.delete(sessionId)
      }
    },
    async close() {
      await Promise.all(ends.splice(0).map((end) => end()))
      followed.clear()
    },
  }
}

function newFollowed(): Followed {
  return {
    followers: new Set(),
    waitsOn: new Set(),
    changesAt: null,
    isStale: true,
    isReading: false,
  }
}
