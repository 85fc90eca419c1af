import { presentCheckout } from '../../core/checkout/present.ts'
import type { CheckoutRows, SessionId } from '../../core/checkout/session.ts'
import { networksOfExchange } from '../http/clientAddress.ts'
import {
  type EventStream,
  openEventStream,
  RECONNECT,
  sendStream,
  streamed,
} from '../http/eventStream.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { SESSION_ID_PARAMETER } from './schema.ts'
import { readForPage, termsOf } from './sessions.ts'

/** GET /v1/checkout/sessions/:id/events: changes of a session as server-sent events (HTML, section 9.2). */

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
  successes: streamed('event: view\nid: 4\ndata: {}\n\n'),
  errors: ['session_not_found', 'origin_not_allowed', 'too_many_streams'],
  handle: async (deps, { exchange, ids }) => {
    const { rows } = await readForPage(deps, exchange, ids.id)
    return sendStream(exchange, follow(deps, rows.session.id, exchange))
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
  let waiting: string | null = RECONNECT
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
