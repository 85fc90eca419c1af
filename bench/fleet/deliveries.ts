import { waitUntil } from '../../dev/processes/child.ts'
import { openMailbox } from '../../store/redis/mailbox.ts'
import {
  type Arrival,
  commitEvents,
  ENDPOINTS,
  prepareEndpoints,
  startReceivers,
} from '../webhooks.ts'
import type { Fleet } from './fleet.ts'
import type { Prepared } from './loads.ts'

/** Webhooks of many merchants: each event goes to all endpoints of its merchant, which answer at once. */

/** With more endpoints than one notifier has room for. */
export const MERCHANTS = 40
const ARRIVED_WITHIN_MS = 60_000

export interface Deliveries {
  /** Commits as many events a second as make so many deliveries; latencies are from commit to arrival. */
  prepare(perSecond: number, seconds: number): Promise<Prepared>
  stop(): Promise<void>
}

export async function openDeliveries({ database, variables }: Fleet): Promise<Deliveries> {
  const receivers = startReceivers()
  const mailbox = openMailbox({
    redisUrl: variables.REDIS_URL ?? '',
    prefix: variables.REDIS_PREFIX ?? 'remit',
    onError: console.error,
  })
  const merchants = await Promise.all(
    Array.from({ length: MERCHANTS }, () => prepareEndpoints(database, receivers.url, 0)),
  )
  const ledger = { database, ring: mailbox.wakeNotifier }
  return {
    async prepare(perSecond, seconds) {
      const pace = perSecond / ENDPOINTS
      const events = Math.ceil(pace * seconds)
      const expected = events * ENDPOINTS
      return async () => {
        receivers.arrivals.splice(0)
        const committed = await commitEvents(ledger, merchants, events, pace)
        await waitUntil(() => receivers.arrivals.length >= expected, ARRIVED_WITHIN_MS)
        const lost = expected - receivers.arrivals.length
        const failures = new Map(lost > 0 ? [['not arrived', lost]] : [])
        return { perSecond, latenciesMs: timesOf(committed, receivers.arrivals), failures }
      }
    },
    async stop() {
      await receivers.stop()
      await mailbox.close()
    },
  }
}

function timesOf(committed: ReadonlyMap<string, number>, arrivals: readonly Arrival[]): number[] {
  return arrivals.flatMap(({ eventId, at }) => {
    const from = committed.get(eventId)
    return from === undefined ? [] : [Math.max(0, at - from)]
  })
}
