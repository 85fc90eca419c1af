import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ElysiaAdapter } from '@bull-board/elysia'
import { Elysia } from 'elysia'
import { chainMailbox, NOTIFIER_MAILBOX } from '../../core/events/messages.ts'
import { openQueues, type Queues } from '../../store/redis/queues.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../http/exchange.ts'
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

interface Board {
  handle(request: Request): Promise<Response>
}

export function openQueuesBoard(
  deps: ApiDependencies,
  dashboard: Dashboard,
  limits: Limits,
): (exchange: Exchange) => Promise<Response> {
  let board: Promise<Board> | null = null

  /** Its files are read at the first request; a failure is retried at the next. */
  function opened(): Promise<Board> {
    board ??= openBoard(deps, dashboard).catch((error) => {
      board = null
      throw error
    })
    return board
  }

  return async (exchange) => {
    await requireOperator(deps, dashboard, limits, exchange)
    const { pathname, search } = targetOf(exchange.request)
    const answer = await (await opened()).handle(
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

async function openBoard({ config }: ApiDependencies, dashboard: Dashboard): Promise<Board> {
  const names = [...config.chains.map(({ chainId }) => chainMailbox(chainId)), NOTIFIER_MAILBOX]
  const queues: Queues = openQueues(config, names)
  dashboard.onClose(() => queues.close())
  const adapter = new ElysiaAdapter(QUEUES_PATH)
  createBullBoard({
    queues: queues.all.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Remit' } },
  })
  return new Elysia({ name: 'queues' }).use(await adapter.registerPlugin())
}
