import { AppError } from '../../core/base/errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * Which responses pages of other origins may read (Fetch standard, section 3.2). Public responses are open to any
 * origin; responses about a merchant's session to the merchant's allowed origins. Preflights allow any origin,
 * because they have neither key nor path data to decide by; the call itself is refused. A route that reads a
 * cookie is never open: without credentials, a page learns only what its own server could request.
 */

const MAX_AGE_S = 7_200

/** Request headers. `*` admits headers of instrumented pages, e.g. `traceparent`, but not `Authorization`. */
const ALLOWED = 'content-type, x-service-key, if-none-match, payment-signature, x-payment, *'

/** Response headers: tracing, limits, caching, and those of x402. */
const EXPOSED =
  'x-trace-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, etag, ' +
  'payment-required, payment-response, x-payment-response, extension-responses'

/** Lets any page read the response; `requireOrigin` restricts it once the merchant is known. */
export function openToAll({ set }: Pick<Exchange, 'set'>): void {
  set.headers['access-control-allow-origin'] = '*'
  set.headers['access-control-expose-headers'] = EXPOSED
}

/** The same for a file that cross-origin isolated pages load by an element. */
export function openFileToAll(exchange: Pick<Exchange, 'set'>): void {
  openToAll(exchange)
  exchange.set.headers['cross-origin-resource-policy'] = 'cross-origin'
}

/** Answers a preflight for a route with this method. */
export function answerPreflight(exchange: Exchange, method: string): string {
  openToAll(exchange)
  const { set } = exchange
  set.headers['access-control-allow-methods'] = method
  set.headers['access-control-allow-headers'] = ALLOWED
  set.headers['access-control-max-age'] = String(MAX_AGE_S)
  set.status = 204
  return ''
}

/**
 * Throws `origin_not_allowed` unless the request is from a page of this origin. For routes with a
 * cookie, which browsers send with any page's requests.
 */
export function requireOwnOrigin({ request }: Exchange, origin: string): void {
  if (request.headers.get('origin') === origin) return
  const message = `must be ${origin}, the origin of the dashboard`
  throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
}

/**
 * Throws `origin_not_allowed` for a page that is neither ours nor of one of these origins, which are
 * compared exactly: scheme, host and port. Servers send no origin. Browsers set `Sec-Fetch-Site`,
 * which recognises our own pages under any host name.
 */
export function requireOrigin(
  { request, set }: Exchange,
  publicUrl: string,
  allowed: readonly string[],
): void {
  set.headers.vary = 'origin'
  const origin = request.headers.get('origin')
  if (origin === null || origin === publicUrl) return
  if (request.headers.get('sec-fetch-site') === 'same-origin') return
  if (!allowed.includes(origin)) {
    const message = "must be one of the merchant's allowed origins"
    throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
  }
  set.headers['access-control-allow-origin'] = origin
}
