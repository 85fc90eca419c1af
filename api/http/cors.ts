import { AppError } from '../../core/errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * Pages of other origins may call a few routes. Preflights allow any origin, because they come without the
 * key that says whose origins count; the calls themselves are refused to those that the merchant has not
 * listed. Nothing goes by credentials that a browser adds by itself, so what is readable to any page is
 * what anybody could have asked for.
 */

const MAX_AGE_S = 7_200

/** Lets any page read the answer; until the merchant is known, it is an error that tells nothing. */
export function openToAll({ set }: Exchange): void {
  set.headers['access-control-allow-origin'] = '*'
  set.headers['access-control-expose-headers'] =
    'x-trace-id, x-ratelimit-limit, x-ratelimit-remaining, retry-after'
  set.headers.vary = 'origin'
}

/** Answers a preflight for a route with this method. */
export function answerPreflight(exchange: Exchange, method: string): string {
  openToAll(exchange)
  const { set } = exchange
  set.headers['access-control-allow-methods'] = method
  set.headers['access-control-allow-headers'] = 'content-type, x-service-key'
  set.headers['access-control-max-age'] = String(MAX_AGE_S)
  set.status = 204
  return ''
}

/**
 * Throws `origin_not_allowed` unless the request comes from a page of this origin: for what goes by a
 * cookie, which a browser sends along whoever has it call.
 */
export function requireOwnOrigin({ request }: Exchange, origin: string): void {
  if (request.headers.get('origin') === origin) return
  const message = `must be ${origin}, where the dashboard is`
  throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
}

/**
 * Throws `origin_not_allowed` for a page that is neither ours nor on one of these origins, which are
 * compared whole: scheme, host and port. What is no page has no origin.
 */
export function requireOrigin(
  { request, set }: Exchange,
  publicUrl: string,
  allowed: readonly string[],
): void {
  const origin = request.headers.get('origin')
  if (origin === null || origin === publicUrl) return
  if (!allowed.includes(origin)) {
    const message = 'is not one of the origins that the merchant has listed'
    throw new AppError('origin_not_allowed', [{ path: 'Origin', message }])
  }
  set.headers['access-control-allow-origin'] = origin
}
