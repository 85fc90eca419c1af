import type { Logger } from 'pino'
import { keptSince } from '../../core/base/retention.ts'
import { cleanText } from '../../core/base/text.ts'
import {
  REQUESTS_KEPT_DAYS,
  type RequestRecord,
  removeOldRequests,
  storeRequests,
} from '../../store/access/requests.ts'
import type { Database } from '../../store/database/database.ts'
import type { Exchange } from '../http/exchange.ts'
import { targetOf } from '../request/target.ts'

/**
 * The request log for developers. Requests are gathered in memory and written together, so no request
 * waits for it; what is too much, of one merchant in a minute or of all that wait, is left out. A process that
 * dies forgets those of a second.
 */
export interface RequestRecords {
  /** Notes a request that was answered. It never fails. */
  note(exchange: Exchange, route: string): void
  /** Writes what waits. */
  flush(): Promise<void>
  /** Removes what is too old. */
  clean(): Promise<void>
  close(): Promise<void>
}

interface RecordDependencies {
  readonly database: Database
  readonly log: Pick<Logger, 'debug'>
  readonly now: () => Date
}

const FLUSH_MS = 1_000
const CLEANING_MS = 600_000
const MINUTE_MS = 60_000
/** Of one merchant, in one process: those that succeeded, and as many that failed. */
const MOST_A_MINUTE = 240
const MOST_WAITING = 2_000
const MOST_AT_ONCE = 500
const LONGEST_PATH = 200
const LONGEST_REASON = 100

export function openRequestRecords({ database, log, now }: RecordDependencies): RequestRecords {
  let waiting: RequestRecord[] = []
  let counted = new Map<string, number>()
  let countedMinute = 0
  let underWay: Promise<void> | null = null

  function admits({ merchantId, status, reason, at }: RequestRecord): boolean {
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    if (minute !== countedMinute) {
      counted = new Map()
      countedMinute = minute
    }
    const subject = `${merchantId} ${status >= 400 || reason !== null}`
    const count = (counted.get(subject) ?? 0) + 1
    counted.set(subject, count)
    return count <= MOST_A_MINUTE && waiting.length < MOST_WAITING
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      await storeRequests(database, batch)
    }
  }

  /** One after the other. What could not be written is forgotten: it must not pile up. */
  function flush(): Promise<void> {
    underWay ??= write()
      .catch((err) => log.debug({ err }, 'requests were not kept for the dashboard'))
      .finally(() => {
        underWay = null
      })
    return underWay
  }

  async function clean(): Promise<void> {
    const before = keptSince(now(), REQUESTS_KEPT_DAYS)
    while ((await removeOldRequests(database, before)) > 0);
  }

  const flushing = setInterval(() => {
    if (waiting.length > 0) void flush()
  }, FLUSH_MS)
  const cleaning = setInterval(() => {
    clean().catch((err) => log.debug({ err }, 'old requests wait for their removal'))
  }, CLEANING_MS)
  flushing.unref()
  cleaning.unref()
  return {
    note(exchange, route) {
      const record = recordOf(exchange, route, now())
      if (record !== null && admits(record)) waiting.push(record)
    },
    flush,
    clean,
    async close() {
      clearInterval(flushing)
      clearInterval(cleaning)
      await underWay
      await flush()
    },
  }
}

/** What is kept of a request; null for one without a merchant's key. */
function recordOf(exchange: Exchange, route: string, at: Date): RequestRecord | null {
  const { merchantId, keyHint, traceId, request, startedAt, about, set } = exchange
  if (merchantId === null || keyHint === null) return null
  return {
    traceId,
    merchantId,
    at,
    method: request.method,
    route: cleanText(route, LONGEST_PATH / 2),
    path: cleanText(targetOf(request).pathname, LONGEST_PATH),
    status: Number(set.status ?? 200),
    ms: Math.round(performance.now() - startedAt),
    keyHint,
    reason: exchange.errorCode ?? (about?.reason ? cleanText(about.reason, LONGEST_REASON) : null),
  }
}
