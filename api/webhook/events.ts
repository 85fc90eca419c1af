import { AppError } from '../../core/base/errors.ts'
import { asEventId } from '../../core/base/ids.ts'
import { EVENTS_KEPT_DAYS, eventJson } from '../../core/events/event.ts'
import { type EventPlace, findEvent, listEvents } from '../../store/events/outbox.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { sendJson, sendObjectJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { DEFAULT_LIMIT, limitParameter } from '../request/page.ts'
import { choiceParameter, idParameter } from '../request/parameter.ts'
import type { QueryReader } from '../request/query.ts'
import { one, SUCCESS } from '../request/responses.ts'
import { flag, integer, list, named, object, optionalText } from '../request/schema.ts'
import { eventSchema } from './eventSchema.ts'
import { EVENT_ID, EVENT_ID_PARAMETER, eventTypeParameter } from './schema.ts'

/** GET /v1/events and /v1/events/:id, for merchants who poll instead of receiving webhooks. */

const PARAMETERS = {
  limit: limitParameter(),
  after: idParameter('The cursor: the id of the last event that was read.', EVENT_ID, asEventId),
  first: choiceParameter(
    'Without `after`: whether to begin with the oldest event, the default, or to return the newest, ' +
      'backwards.',
    'oldest',
    ['oldest', 'newest'],
  ),
  type: eventTypeParameter('Only events of this type.'),
  objectId: idParameter('Only events about this object, e.g. an invoice.', EVENT_ID, (text) =>
    text.toLowerCase(),
  ),
}

function readRequest(reader: QueryReader) {
  const { limit = DEFAULT_LIMIT, after, first, type, objectId } = reader.read(PARAMETERS)
  if (after !== undefined && first !== undefined) {
    reader.problem('first', "can't be combined with after: send one of them")
  }
  const place: EventPlace =
    after === undefined ? { type: first ?? 'oldest' } : { type: 'after', eventId: after }
  return { filter: { type, objectId }, place, limit }
}

const eventsPage = object('The success envelope of a page of events.', {
  success: SUCCESS,
  data: list('The events, in order.', eventSchema),
  metadata: object('The metadata of the list.', {
    pagination: named('CursorPagination', 'The end of the page.', {
      limit: integer('The maximum number of events per page.', DEFAULT_LIMIT),
      hasMore: flag('True if there are more events.', false),
      nextAfter: optionalText('The `after` of the next page.', EVENT_ID, { format: 'uuid' }),
    }),
  }),
})

export const listEventsRoute = route({
  operation: 'GET /v1/events',
  access: 'merchant',
  query: { parameters: PARAMETERS, read: readRequest },
  summary: 'List events',
  description:
    `The events of the last ${EVENTS_KEPT_DAYS} days. Set \`after\` to the \`nextAfter\` of the ` +
    'previous page: no event is skipped or returned twice. Without new events the page is empty and ' +
    '`nextAfter` is the `after` of the request.',
  operationId: 'listEvents',
  successes: { 200: { description: 'One page of events.', schema: eventsPage } },
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const { filter, place, limit } = query
    const page = await guardDatabase(deps, (sql) =>
      listEvents(sql, merchantId, filter, place, limit),
    )
    if (page === null) {
      const message = `must be one of your events of the last ${EVENTS_KEPT_DAYS} days`
      throw new AppError('invalid_query_parameters', [{ path: 'after', message }])
    }
    const previousAfter = place.type === 'after' ? place.eventId : null
    // In descending order the first event is the newest, so reading continues after it.
    const last = place.type === 'newest' ? page.events[0] : page.events.at(-1)
    const pagination = { limit, hasMore: page.hasMore, nextAfter: last?.id ?? previousAfter }
    const data = page.events.map(eventJson).join(',')
    const metadata = JSON.stringify({ pagination })
    return sendJson(exchange, 200, `{"success":true,"data":[${data}],"metadata":${metadata}}`)
  },
})

const readEvent = reading(findEvent, 'event_not_found')

export const getEventRoute = route({
  operation: 'GET /v1/events/:id',
  access: 'merchant',
  ids: { id: EVENT_ID_PARAMETER },
  summary: 'Get an event',
  description: `The event as its webhooks deliver it, for ${EVENTS_KEPT_DAYS} days.`,
  operationId: 'getEvent',
  successes: { 200: one('The event.', eventSchema) },
  errors: ['event_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const event = await readEvent(deps, merchantId, ids.id)
    return sendObjectJson(exchange, 200, eventJson(event))
  },
})
