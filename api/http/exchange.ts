import type { Logger } from 'pino'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { ErrorCode } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { formatCursor, type Page, type PageRequest } from '../../core/base/page.ts'
import type { ApiConfig } from '../../core/config/api.ts'
import type { Actor } from '../../core/events/audit.ts'
import type { ChainMessage } from '../../core/events/messages.ts'
import type { Answered } from '../../metrics/process/requests.ts'
import type { OpenSpan, Tracer } from '../../metrics/process/tracing.ts'
import type { FindKeyOwner } from '../../store/access/apiKeys.ts'
import type { ReadHealth } from '../../store/books/health.ts'
import type { Checkout } from '../../store/checkout/open.ts'
import type { Availability } from '../../store/database/availability.ts'
import type { Database } from '../../store/database/database.ts'
import type { LongReads } from '../../store/database/longReads.ts'
import type { Creations } from '../../store/invoice/creations.ts'
import type { RateLimiter } from '../../store/redis/rateLimit.ts'
import type { CursorPagination, Pagination } from '../request/responses.ts'
import type { Rates } from '../tokens/rates.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Forwarding } from './forwarding.ts'

/** What the routes work with: everything that can differ between processes and tests. */
export interface ApiDependencies {
  readonly config: ApiConfig
  readonly database: Database
  readonly findKeyOwner: FindKeyOwner
  readonly creations: Creations
  readonly checkout: Checkout
  /** Which tokens may be paid with now. */
  readonly tokens: Tokens
  /** By which amounts in money of a country become amounts of tokens. */
  readonly rates: Rates
  readonly availability: Availability
  readonly longReads: LongReads
  readonly readHealth: ReadHealth
  /** By networkId. The facilitator has clients of its own, which batch. */
  readonly chainClients: ReadonlyMap<string, ChainClient>
  readonly limiter: RateLimiter
  readonly forwarding: Forwarding
  /** Resolves when Redis answers, rejects when it doesn't. */
  readonly pingRedis: () => Promise<unknown>
  readonly log: Logger
  readonly now: () => Date
  /** Wakes the actors of these chains. It never fails and is never awaited. */
  readonly wake: (networkIds: readonly string[], message: ChainMessage) => void
  /** Wakes the notifiers because events wait. It never fails and is never awaited. */
  readonly wakeNotifier: () => void
  /** Called for each answer; absent where answers aren't counted. */
  readonly onAnswered?: (answered: Answered) => void
  /** Absent where no spans are sent. */
  readonly tracer?: Tracer
  /** The address of the socket's other end, null when there is no socket. */
  readonly peer: (exchange: Exchange) => string | null
}

/** One request and its response in the making: the part of Elysia's context that we use. */
export interface Exchange {
  readonly request: Request
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null
  readonly set: {
    headers: Record<string, string | number | string[]>
    status?: number | string
  }
  traceId: string
  startedAt: number
  merchantId: MerchantId | null
  /** The last characters of the key that came with the request; null without a valid one. */
  keyHint: string | null
  /** Who acts for the merchant, as the audit log names them. */
  actor: Actor | null
  /** What the route adds to the request's line in the log; with a reason, the request has failed. */
  about: {
    readonly [field: string]: unknown
    readonly reason?: string
    readonly err?: unknown
  } | null
  /** The code of the error that is answered; null while there is none. */
  errorCode: ErrorCode | null
  /** The request's span; null where none is recorded. */
  span: OpenSpan | null
  /** Called when the response has been sent. */
  onSent: (() => void) | null
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers with JSON text. */
export function sendJson(exchange: Exchange, status: number, json: string): string {
  exchange.set.status = status
  exchange.set.headers['content-type'] = JSON_TYPE
  return json
}

/** Sends a single object: `{ success, data }`. */
export function sendObject(exchange: Exchange, status: number, data: unknown): string {
  return sendObjectJson(exchange, status, JSON.stringify(data))
}

/** The same for an object that is JSON text already. */
export function sendObjectJson(exchange: Exchange, status: number, dataJson: string): string {
  return sendJson(exchange, status, `{"success":true,"data":${dataJson}}`)
}

/** Sends a page of a list: `{ success, data, metadata }`. */
export function sendList(
  exchange: Exchange,
  data: readonly unknown[],
  pagination: Pagination | CursorPagination,
): string {
  return sendJson(exchange, 200, JSON.stringify({ success: true, data, metadata: { pagination } }))
}

/** Sends a page of a list, with each element as `present` shows it. */
export function sendPage<T>(
  exchange: Exchange,
  request: PageRequest,
  { elements, total, next, previous }: Page<T>,
  present: (element: T) => unknown = (element) => element,
): string {
  const data = elements.map(present)
  const { limit } = request
  if (request.cursor !== undefined) {
    return sendList(exchange, data, {
      limit,
      next: next && formatCursor(next),
      previous: previous && formatCursor(previous),
    })
  }
  const page = Number(request.offset / BigInt(limit)) + 1
  const all = total ?? data.length
  return sendList(exchange, data, { page, limit, total: all, totalPages: Math.ceil(all / limit) })
}

/** Answers with a list on a single page, however long it is. */
export function sendWholeList(exchange: Exchange, data: readonly unknown[]): string {
  const total = data.length
  const totalPages = total === 0 ? 0 : 1
  return sendList(exchange, data, { page: 1, limit: Math.max(1, total), total, totalPages })
}

/** The headers of an answer so far, for a response that the route makes itself. */
export function headersOf({ set }: Pick<Exchange, 'set'>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(set.headers)) headers.set(name, String(value))
  return headers
}

/** The address of the socket's other end, as Bun's server knows it. */
export function socketPeer(exchange: Exchange): string | null {
  return exchange.server?.requestIP(exchange.request)?.address ?? null
}
