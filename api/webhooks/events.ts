import { AppError } from '../../core/errors.ts'
import { asEventId } from '../../core/ids.ts'
import { EVENTS_KEPT_DAYS, eventJson } from '../../core/webhook/event.ts'
import { EVENT_TYPE_NAMES } from '../../core/webhook/eventTypes.ts'
import { type EventPlace, findEvent, listEvents } from '../../store/webhook/outbox.ts'
import type { Authenticate } from '../http/auth.ts'
import { type ApiDependencies, type Exchange, sendJson, sendObject } from '../http/exchange.ts'
import { parseId, pathId } from '../http/id.ts'
import { describeParameters, type QueryParameters, QueryReader } from '../http/query.ts'
import {
  type Documented,
  envelope,
  flag,
  integer,
  list,
  object,
  optionalText,
  responses,
  text,
  uuid,
} from '../http/schema.ts'
import { EVENT_ID, eventSchema, eventTypeField } from './schema.ts'

/** GET /v1/events and /v1/events/:id, for merchants who would rather ask than be told. */

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
const ORDERS = ['oldest', 'newest'] as const

const PARAMETERS = {
  limit: integer('The most events on a page.', DEFAULT_LIMIT, {
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  after: uuid('Read on after this event, the last one that was read.', EVENT_ID),
  first: text(
    'Without `after`: whether to begin with the oldest event, or to see the newest, backwards.',
    'oldest',
    { enum: [...ORDERS], default: 'oldest' },
  ),
  type: eventTypeField('Only events of this type.'),
  objectId: uuid('Only events about this object, e.g. an invoice.', EVENT_ID),
} satisfies QueryParameters

export const EVENT_ID_PARAMETER = pathId('event', EVENT_ID)

export const listEventsDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'List events',
  description:
    `The events of the last ${EVENTS_KEPT_DAYS} days. Ask with \`after\` set to \`nextAfter\` of the ` +
    'page before: no event is ever skipped or shown twice. With nothing new the page is empty and ' +
    '`nextAfter` is what was asked with.',
  operationId: 'listEvents',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    {
      200: {
        description: 'One page of events.',
        schema: object('The success envelope of a list that is read onwards.', {
          success: flag('True: the request was carried out.', true),
          data: list('The events in their order.', eventSchema),
          metadata: object('How to read on.', {
            pagination: object('Where this page ends.', {
              limit: integer('The most events that a page has.', DEFAULT_LIMIT),
              hasMore: flag('True when there are more events already.', false),
              nextAfter: optionalText('The `after` of the next page.', EVENT_ID, {
                format: 'uuid',
              }),
            }),
          }),
        }),
      },
    },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export const getEventDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Get an event',
  description: `The event as its webhook tells it, for ${EVENTS_KEPT_DAYS} days.`,
  operationId: 'getEvent',
  security: [{ secretKey: [] }],
  responses: responses({ 200: { description: 'The event.', schema: envelope(eventSchema) } }, [
    'invalid_event_id',
    'unauthorized',
    'event_not_found',
    'service_unavailable',
  ]),
}

export function listEventsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { filter, place, limit } = readQuery(exchange.request)
    const page = await deps.availability.guard(() =>
      listEvents(deps.database, merchantId, filter, place, limit),
    )
    if (page === null) {
      const message = `is no event of the last ${EVENTS_KEPT_DAYS} days that you could have read`
      throw new AppError('invalid_query_parameters', [{ path: 'after', message }])
    }
    const asked = place.type === 'after' ? place.eventId : null
    // Backwards, the newest event is the first one, after which nothing has happened yet.
    const last = place.type === 'newest' ? page.events[0] : page.events.at(-1)
    const pagination = { limit, hasMore: page.hasMore, nextAfter: last?.id ?? asked }
    const data = page.events.map(eventJson).join(',')
    const metadata = JSON.stringify({ pagination })
    return sendJson(exchange, 200, `{"success":true,"data":[${data}],"metadata":${metadata}}`)
  }
}

function readQuery(request: Request) {
  const reader = new QueryReader(request, PARAMETERS)
  const limit = reader.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT
  const eventId = reader.id('after', asEventId)
  const first = reader.oneOf('first', ORDERS)
  const filter = {
    type: reader.oneOf('type', EVENT_TYPE_NAMES),
    objectId: reader.id('objectId', (text) => text.toLowerCase()),
  }
  if (eventId !== undefined && first !== undefined) {
    reader.problem('first', 'excludes after: send one of them')
  }
  reader.finish()
  const place: EventPlace =
    eventId === undefined ? { type: first ?? 'oldest' } : { type: 'after', eventId }
  return { filter, place, limit }
}

export function getEventRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const eventId = parseId(asEventId, id, 'invalid_event_id')
    const event = await deps.availability.guard(() => findEvent(deps.database, merchantId, eventId))
    if (event === null) throw new AppError('event_not_found')
    return sendObject(exchange, 200, eventJson(event))
  }
}
