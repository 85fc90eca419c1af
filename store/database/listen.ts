import type { Database } from './database.ts'

export interface ListenLog {
  warn(details: object, message: string): void
}

export interface Subscription {
  readonly channel: string
  hear(payload: string): void
  /** Called at each new subscription, because something may have been missed before it. */
  begin(): void
  readonly log: ListenLog
}

const SUBSCRIBE_AGAIN_MS = 5_000

/**
 * Listens on a channel of Postgres. A failed subscription is logged and retried, so listeners poll as well. The
 * result ends the subscription.
 */
export function listenWithRetries(
  database: Database,
  { channel, hear, begin, log }: Subscription,
): () => Promise<void> {
  let isEnded = false
  let again: Timer | undefined
  let unlisten: () => Promise<void> = async () => {}
  let turn = 0
  const subscribe = async () => {
    // The driver keeps a subscription that failed, and makes it again itself, beside the next one.
    const own = ++turn
    const hearOnce = (payload: string) => {
      if (own === turn) hear(payload)
    }
    const beginOnce = () => {
      if (own === turn) begin()
    }
    try {
      const subscription = await database.listen(channel, hearOnce, beginOnce)
      unlisten = subscription.unlisten
      if (isEnded) await unlisten()
    } catch (error) {
      if (isEnded) return
      log.warn({ err: error, channel }, 'no subscription to a channel, which is polled meanwhile')
      again = setTimeout(subscribe, SUBSCRIBE_AGAIN_MS)
    }
  }
  void subscribe()
  return async () => {
    isEnded = true
    clearTimeout(again)
    await unlisten()
  }
}

/** Calls `wake` with the network of each notification, and for all of them once at each new subscription. */
type NetworkListener = (
  database: Database,
  networkIds: readonly string[],
  wake: (networkId: string) => void,
  log: ListenLog,
) => () => Promise<void>

/** Of a channel whose notifications name networks. The result of a listener ends it. */
export function networkListener(channel: string): NetworkListener {
  return (database, networkIds, wake, log) =>
    listenWithRetries(database, {
      channel,
      hear: wake,
      begin: () => {
        for (const networkId of networkIds) wake(networkId)
      },
      log,
    })
}
