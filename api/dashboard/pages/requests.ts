import { formatCursor, parseCursor } from '../../../core/base/page.ts'
import {
  findRequest,
  listRequests,
  REQUESTS_KEPT_DAYS,
  type RequestFilter,
  type RequestRecord,
} from '../../../store/access/requests.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { MOMENT_KEYS } from '../../request/page.ts'
import { flagParameter, idParameter, parameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import { integer, list, object, optionalText, text, time, uuid } from '../../request/schema.ts'

/** Requests with a merchant's API keys, and their responses. */

const PAGE = 50
const A_TRACE = '5f0c2c1e-8f4a-4d0e-9a53-0f6f3f1f7f10'

const requestSchema = object('A request.', {
  traceId: uuid('The `X-Trace-Id` of its response.', A_TRACE),
  at: time('When the response was sent.', '2026-08-01T12:00:00.000Z'),
  method: text('Its method.', 'POST'),
  route: text('Its route, with placeholders for identifiers.', '/v1/invoices/:id'),
  path: text('Its path, without the query.', '/v1/invoices'),
  status: integer('The HTTP status of the response.', 201),
  ms: integer('Duration in milliseconds.', 12),
  keyHint: optionalText('The last characters of its key.', 'x9Qa'),
  reason: optionalText('Why it failed.', 'invalid_request_body'),
})

export const listRequestsRoute = route({
  operation: 'GET /v1/requests',
  access: 'merchant',
  query: queryOf({
    traceId: idParameter('Only this request.', A_TRACE, (sent) => sent.toLowerCase()),
    failed: flagParameter('Only failed requests, or only successful ones.', true),
    before: parameter(text('The next page.', 'MTc…'), 'must be the `next` of a page', cursorOf),
  }),
  summary: 'List requests',
  description:
    `The requests of the last ${REQUESTS_KEPT_DAYS} days with a key of the merchant, the newest ` +
    `first, ${PAGE} at a time.`,
  operationId: 'listRequests',
  successes: {
    200: one(
      'A page of requests.',
      object('The page.', {
        requests: list('The requests.', requestSchema),
        next: optionalText('The `before` of the next page; null at the end.', null),
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const { traceId, failed = false, before = null } = query
    const found = await guardDatabase(deps, async (sql) => {
      if (traceId === undefined) {
        return listRequests(sql, merchantId, { isFailed: failed, before }, PAGE)
      }
      const record = await findRequest(sql, merchantId, traceId)
      return record === null ? [] : [record]
    })
    const last = found.length === PAGE ? found.at(-1) : undefined
    const next = last && formatCursor([String(last.at.getTime()), last.traceId])
    return sendObject(exchange, 200, { requests: found.map(present), next: next ?? null })
  },
})

function cursorOf(sent: string): RequestFilter['before'] {
  const [at, traceId] = parseCursor(sent, MOMENT_KEYS) ?? []
  if (at === undefined || traceId === undefined) return null
  const moment = new Date(Number(at))
  return Number.isNaN(moment.getTime()) ? null : { at: moment, traceId }
}

function present({ merchantId: _, ...request }: RequestRecord) {
  return request
}
