import { type ApiDependencies, type Exchange, headersOf } from '../http/exchange.ts'
import { lazily } from '../http/lazily.ts'
import type { Limits } from '../http/rateLimit.ts'
import { targetOf } from '../request/target.ts'
import type { Dashboard } from './dashboard.ts'
import { requireOperator } from './operatorGuard.ts'

/**
 * The queues of the actors in Bull Board, read-only. Messages only wake actors, so
 * there is nothing to repair in them, and no entry for the audit log.
 */

export const QUEUES_PATH = '/dashboard/operator/queues'

/** Its pages have inline styles, but scripts only from files. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ')

export function openQueuesBoard(
  deps: ApiDependencies,
  dashboard: Dashboard,
  limits: Limits,
): (exchange: Exchange) => Promise<Response> {
  const board = lazily(async () => {
    const { openBoard } = await import('./board.ts')
    return openBoard(deps.config, dashboard, QUEUES_PATH)
  })
  return async (exchange) => {
    await requireOperator(deps, dashboard, limits, exchange)
    const { pathname, search } = targetOf(exchange.request)
    const answer = await (await board()).handle(
      new Request(`${dashboard.config.origin}${pathname}${search}`),
    )
    const headers = headersOf(exchange)
    const type = answer.headers.get('content-type')
    if (type !== null) headers.set('content-type', type)
    headers.set('content-security-policy', POLICY)
    headers.set('x-frame-options', 'DENY')
    headers.set('referrer-policy', 'no-referrer')
    exchange.set.status = answer.status
    return new Response(answer.body, { status: answer.status, headers })
  }
}
