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
 * The request log for developers. Requests are buffered in memory and written in batches, so no request
 * waits for it; requests above the limit, per merchant and minute or of the buffer, are dropped. A process that
 * crashes loses those of one second.
 */
export interface RequestRecords {
  /** Records a completed request. Never fails. */
  note(exchange: Exchange, route: string): void
  /** Writes the buffer. */
  flush(): Promise<void>
  /** Deletes expired records. */
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
/** Per merchant and process: for successful and failed requests separately. */
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

  /** One batch at a time. A batch that can't be written is dropped, so that memory stays bounded. */
  function flush(): Promise<void> {
    underWay ??= write()
      .catch((err) => log.debug({ err }, 'requests were not recorded for the dashboard'))
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
    clean().catch((err) => log.debug({ err }, 'expired requests were not deleted; retried later'))
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

/** The record of a request; null without a merchant's key. */
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
