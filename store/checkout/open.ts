import type { ApiConfig } from '../../core/config/api.ts'
import type { Availability } from '../database/availability.ts'
import type { Database } from '../database/database.ts'
import type { ListenLog } from '../database/listen.ts'
import { type CheckoutFeed, openCheckoutFeed } from './feed.ts'
import { openSessionNames, type SessionNames } from './sessionNames.ts'
import { openCheckouts, type ReadCheckout } from './views.ts'

/** What a process keeps to show payers their sessions. */
export interface Checkout {
  /** Names of sessions: their key is read when it is first needed. */
  readonly names: () => Promise<SessionNames>
  readonly read: ReadCheckout
  readonly feed: CheckoutFeed
}

export interface CheckoutSources {
  readonly config: Pick<ApiConfig, 'chains' | 'limits'>
  readonly database: Database
  readonly availability: Availability
  readonly log: ListenLog
  readonly now: () => Date
}

/** Opens it; the feed has to be closed. */
export function openCheckout(sources: CheckoutSources): Checkout {
  const { config, database, availability, log, now } = sources
  const read = openCheckouts(database)
  return {
    names: openSessionNames(database, availability),
    read,
    feed: openCheckoutFeed({
      database,
      readCheckout: read,
      networkIds: config.chains.map(({ networkId }) => networkId),
      bounds: { perClient: config.limits.streamsPerClient, inAll: config.limits.streams },
      log,
      now,
    }),
  }
}
