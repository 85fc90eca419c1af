import { AppError } from '../../core/errors.ts'
import { asDeliveryId, asEventId, asWebhookEndpointId } from '../../core/ids.ts'
import {
  ATTEMPTS_TOLD,
  DELIVERY_STATES,
  presentAttempt,
  presentDelivery,
} from '../../core/webhook/delivery.ts'
import { EVENT_TYPE_NAMES } from '../../core/webhook/eventTypes.ts'
import {
  findDelivery,
  listAttempts,
  listDeliveries,
  redeliver,
} from '../../store/webhook/deliveries.ts'
import type { Authenticate } from '../http/auth.ts'
import { readJsonBody, refuseFields } from '../http/body.ts'
import { type ApiDependencies, type Exchange, sendList, sendObject } from '../http/exchange.ts'
import { parseId } from '../http/id.ts'
import {
  describeParameters,
  pageParameters,
  paginationOf,
  type QueryParameters,
  QueryReader,
  readPage,
} from '../http/query.ts'
import { type Documented, envelope, listEnvelope, responses, text, uuid } from '../http/schema.ts'
import {
  deliverySchema,
  deliveryWithAttemptsSchema,
  ENDPOINT_ID,
  EVENT_ID,
  eventTypeField,
} from './schema.ts'

/** GET /v1/webhooks/deliveries, /:id, and POST /:id/redeliver: what became of events. */

const PARAMETERS = {
  ...pageParameters('deliveries'),
  endpointId: uuid('Only deliveries to this endpoint.', ENDPOINT_ID),
  eventId: uuid('Only deliveries of this event.', EVENT_ID),
  state: text('Only deliveries in this state.', 'failed', { enum: [...DELIVERY_STATES] }),
  type: eventTypeField('Only deliveries of events of this type.'),
} satisfies QueryParameters

export const listDeliveriesDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'List deliveries',
  description:
    'The deliveries of the last 30 days, the newest first. Page through them with `page` or with ' +
    '`offset`; a page past the end is empty.',
  operationId: 'listWebhookDeliveries',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(deliverySchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export const getDeliveryDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Get a delivery',
  description: `The delivery with its attempts, the newest ${ATTEMPTS_TOLD}, and what was answered.`,
  operationId: 'getWebhookDelivery',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The delivery.', schema: envelope(deliveryWithAttemptsSchema) } },
    ['invalid_delivery_id', 'unauthorized', 'delivery_not_found', 'service_unavailable'],
  ),
}

export const redeliverDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Deliver once more',
  description:
    'Sends the event again at once, under the same `webhook-id`. A delivery that had ended begins ' +
    'its schedule anew. Takes no body.',
  operationId: 'redeliverWebhook',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'It is on its way.', schema: envelope(deliverySchema) } },
    [
      'invalid_delivery_id',
      'invalid_request_body',
      'unauthorized',
      'delivery_not_found',
      'endpoint_disabled',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function listDeliveriesRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const reader = new QueryReader(exchange.request, PARAMETERS)
    const page = readPage(reader)
    const filter = {
      endpointId: reader.id('endpointId', asWebhookEndpointId),
      eventId: reader.id('eventId', asEventId),
      state: reader.oneOf('state', DELIVERY_STATES),
      type: reader.oneOf('type', EVENT_TYPE_NAMES),
    }
    reader.finish()
    const { deliveries, total } = await deps.availability.guard(() =>
      listDeliveries(deps.database, merchantId, filter, page),
    )
    return sendList(exchange, deliveries.map(presentDelivery), paginationOf(page, total))
  }
}

export function getDeliveryRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const deliveryId = parseId(asDeliveryId, id, 'invalid_delivery_id')
    const delivery = await availability.guard(() => findDelivery(database, merchantId, deliveryId))
    if (delivery === null) throw new AppError('delivery_not_found')
    const attempts = await availability.guard(() => listAttempts(database, deliveryId))
    const data = { ...presentDelivery(delivery), attempts: attempts.map(presentAttempt) }
    return sendObject(exchange, 200, JSON.stringify(data))
  }
}

export function redeliverRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const deliveryId = parseId(asDeliveryId, id, 'invalid_delivery_id')
    refuseFields(await readJsonBody(exchange.request))
    const result = await availability.guard(() =>
      redeliver(database, merchantId, deliveryId, deps.now()),
    )
    if (!result.ok) {
      throw new AppError(result.reason === 'disabled' ? 'endpoint_disabled' : 'delivery_not_found')
    }
    deps.ringNotifier()
    return sendObject(exchange, 200, JSON.stringify(presentDelivery(result.delivery)))
  }
}
