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
import type { KeyLookup } from '../../store/access/apiKeys.ts'
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

/** Dependencies of routes: everything that differs between processes and tests. */
export interface ApiDependencies {
  readonly config: ApiConfig
  readonly database: Database
  readonly keys: KeyLookup
  readonly creations: Creations
  readonly checkout: Checkout
  /** The tokens that are offered now. */
  readonly tokens: Tokens
  /** Exchange rates from fiat currencies to tokens. */
  readonly rates: Rates
  readonly availability: Availability
  readonly longReads: LongReads
  readonly readHealth: ReadHealth
  /** By networkId. The facilitator has its own clients, which batch. */
  readonly chainClients: ReadonlyMap<string, ChainClient>
  readonly limiter: RateLimiter
  readonly forwarding: Forwarding
  /** Rejects when Redis doesn't respond. */
  readonly pingRedis: () => Promise<unknown>
  readonly log: Logger
  readonly now: () => Date
  /** Wakes the actors of these chains. Never fails and is never awaited. */
  readonly wake: (networkIds: readonly string[], message: ChainMessage) => void
  /** Wakes the notifiers for pending events. Never fails and is never awaited. */
  readonly wakeNotifier: () => void
  /** Called for each response; absent where responses aren't counted. */
  readonly onAnswered?: (answered: Answered) => void
  /** Absent where no spans are sent. */
  readonly tracer?: Tracer
  /** The address of the socket's other end, null when there is no socket. */
  readonly peer: (exchange: Exchange) => string | null
}

/** A request and its response: the part of Elysia's context that we use. */
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
  /** The operation that the route carries out; empty where it is none. */
  operationId: string
  /** The last characters of the key that came with the request; null without a valid one. */
  keyHint: string | null
  /** The actor for the audit log. */
  actor: Actor | null
  /** Fields that the route adds to the request's log line; with a reason, the request has failed. */
  about: {
    readonly [field: string]: unknown
    readonly reason?: string
    readonly err?: unknown
  } | null
  /** The code of the returned error; null without one. */
  errorCode: ErrorCode | null
  /** The request's span; null where none is recorded. */
  span: OpenSpan | null
  /** Called when the response has been sent. */
  onSent: (() => void) | null
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Responds with JSON text. */
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

/** Sends a page of a list, with `present` applied to each element. */
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

/** Sends a complete list as a single page. */
export function sendWholeList(exchange: Exchange, data: readonly unknown[]): string {
  const total = data.length
  const totalPages = total === 0 ? 0 : 1
  return sendList(exchange, data, { page: 1, limit: Math.max(1, total), total, totalPages })
}

/** The headers set so far, for a response that the route builds itself. */
export function headersOf({ set }: Pick<Exchange, 'set'>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(set.headers)) headers.set(name, String(value))
  return headers
}

/** The address of the socket's other end, from Bun's server. */
export function socketPeer(exchange: Exchange): string | null {
  return exchange.server?.requestIP(exchange.request)?.address ?? null
}
