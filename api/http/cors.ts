import { AppError } from '../../core/base/errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * Which answers pages of other origins may read (Fetch standard, section 3.2). Public answers are open to any
 * origin; those about a merchant's session to the origins that the merchant has listed. Preflights allow any
 * origin, because they carry neither key nor path data to decide by; the call itself is refused. A route that
 * reads a cookie is never open: without credentials a page learns what it could have requested from its server.
 */

const MAX_AGE_S = 7_200

/** Headers of requests. `*` admits those that instrumented pages add, e.g. `traceparent`, but no `Authorization`. */
const ALLOWED = 'content-type, x-service-key, if-none-match, payment-signature, x-payment, *'

/** Headers of answers: tracing, limits, caching, and what x402 answers besides the body. */
const EXPOSED =
  'x-trace-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, etag, ' +
  'payment-required, payment-response, x-payment-response, extension-responses'

/** Lets any page read the answer; `requireOrigin` narrows it once the merchant is known. */
export function openToAll({ set }: Pick<Exchange, 'set'>): void {
  set.headers['access-control-allow-origin'] = '*'
  set.headers['access-control-expose-headers'] = EXPOSED
}

/** The same for a file that pages load by an element, where they are isolated from other origins too. */
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
 * Throws `origin_not_allowed` unless the request comes from a page of this origin: for what goes by a
 * cookie, which a browser sends for any page's call.
 */
export function requireOwnOrigin({ request }: Exchange, origin: string): void {
  if (request.headers.get('origin') === origin) return
  const message = `must be ${origin}, where the dashboard is`
  throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
}

/**
 * Throws `origin_not_allowed` for a page that is neither ours nor on one of these origins, which are
 * compared whole: scheme, host and port. What is no page has no origin. Browsers alone set `Sec-Fetch-Site`,
 * which knows our own pages by whichever name they were opened.
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
    const message = 'is not one of the origins that the merchant has listed'
    throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
  }
  set.headers['access-control-allow-origin'] = origin
}
