import { AppError } from '../../core/base/errors.ts'
import { presentCheckout } from '../../core/checkout/present.ts'
import type { CheckoutRows, SessionId } from '../../core/checkout/session.ts'
import { networksOfExchange } from '../http/clientAddress.ts'
import { type EventStream, openEventStream } from '../http/eventStream.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { text } from '../request/schema.ts'
import { SESSION_ID_PARAMETER } from './schema.ts'
import { readForPage, termsOf } from './sessions.ts'

/** GET /v1/checkout/sessions/:id/events: changes of a session as server-sent events (HTML, section 9.2). */

/** Reconnection time of pages, in ms. */
const RETRY_MS = 2_000
/** Retry-After of a refused page, in seconds. */
const RETRY_AFTER_S = 30

export const sessionEventsRoute = route({
  operation: 'GET /v1/checkout/sessions/:id/events',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  summary: 'Follow a checkout session',
  description:
    'Server-sent events: `view` with the complete view and its version as id, at once and after each ' +
    'change. After a lost connection nothing is missed. If too many streams are open, poll the session.',
  operationId: 'followCheckoutSession',
  successes: {
    200: {
      description: 'The stream.',
      schema: text('A sequence of events.', 'event: view\nid: 4\ndata: {}\n\n'),
      contentType: 'text/event-stream',
    },
  },
  errors: ['session_not_found', 'origin_not_allowed', 'too_many_streams'],
  handle: async (deps, { exchange, ids }) => {
    const { rows } = await readForPage(deps, exchange, ids.id)
    const stream = follow(deps, rows.session.id, exchange)
    if (stream === null) {
      exchange.set.headers['retry-after'] = String(RETRY_AFTER_S)
      throw new AppError('too_many_streams')
    }
    return stream.respond()
  },
})

/**
 * The stream of one reader; null when there are too many. For a slow reader only the newest view
 * is kept.
 */
function follow(
  deps: ApiDependencies,
  sessionId: SessionId,
  exchange: Exchange,
): EventStream | null {
  let waiting: string | null = `retry: ${RETRY_MS}\n\n`
  let shown = ''
  const stream = openEventStream(exchange, () => {
    const text = waiting
    waiting = null
    return text
  })
  const end = deps.checkout.feed.follow({
    sessionId,
    networks: networksOfExchange(deps, exchange),
    hear(rows: CheckoutRows) {
      const view = presentCheckout(rows, termsOf(deps), deps.now())
      const content = JSON.stringify({ ...view, now: '' })
      if (content === shown) return
      shown = content
      waiting = `event: view\nid: ${view.version}\ndata: ${JSON.stringify(view)}\n\n`
      stream.flush()
    },
    beat() {
      waiting ??= ': beat\n\n'
      stream.flush()
    },
  })
  if (end === null) return null
  stream.onEnd(end)
  return stream
}
