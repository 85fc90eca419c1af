import { AppError } from '../../core/errors.ts'
import { asEventId, asWebhookEndpointId } from '../../core/ids.ts'
import {
  ATTEMPTS_TOLD,
  DELIVERY_STATES,
  presentAttempt,
  presentDelivery,
} from '../../core/webhook/delivery.ts'
import {
  findDelivery,
  listAttempts,
  listDeliveries as readDeliveries,
  redeliver,
} from '../../store/webhook/deliveries.ts'
import { NO_FIELDS } from '../http/body.ts'
import { found } from '../http/errors.ts'
import { sendList, sendObject } from '../http/exchange.ts'
import { listQuery, paginationOf } from '../http/page.ts'
import { choiceParameter, idParameter } from '../http/parameter.ts'
import { many, one } from '../http/responses.ts'
import { route } from '../http/route.ts'
import {
  DELIVERY_ID_PARAMETER,
  deliverySchema,
  deliveryWithAttemptsSchema,
  ENDPOINT_ID,
  EVENT_ID,
  eventTypeParameter,
} from './schema.ts'

/** What became of events: GET /v1/webhooks/deliveries and /:id, POST /:id/redeliver. */

const PATH = '/v1/webhooks/deliveries'

export const listDeliveries = route({
  method: 'GET',
  path: PATH,
  access: 'merchant',
  query: listQuery('deliveries', {
    endpointId: idParameter('Only deliveries to this endpoint.', ENDPOINT_ID, asWebhookEndpointId),
    eventId: idParameter('Only deliveries of this event.', EVENT_ID, asEventId),
    state: choiceParameter('Only deliveries in this state.', 'failed', DELIVERY_STATES),
    type: eventTypeParameter('Only deliveries of events of this type.'),
  }),
  tag: 'Webhooks',
  summary: 'List deliveries',
  description:
    'The deliveries of the last 30 days, the newest first. Page through them with `page` or with ' +
    '`offset`; a page past the end is empty.',
  operationId: 'listWebhookDeliveries',
  successes: { 200: many('One page of the list.', deliverySchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { deliveries, total } = await deps.availability.guard(() =>
      readDeliveries(deps.database, merchantId, filter, page),
    )
    return sendList(exchange, deliveries.map(presentDelivery), paginationOf(page, total))
  },
})

export const getDelivery = route({
  method: 'GET',
  path: `${PATH}/:id`,
  access: 'merchant',
  ids: { id: DELIVERY_ID_PARAMETER },
  tag: 'Webhooks',
  summary: 'Get a delivery',
  description: `The delivery with its attempts, the newest ${ATTEMPTS_TOLD}, and what was answered.`,
  operationId: 'getWebhookDelivery',
  successes: { 200: one('The delivery.', deliveryWithAttemptsSchema) },
  errors: ['delivery_not_found'],
  handle: async ({ availability, database }, { exchange, caller: { merchantId }, ids }) => {
    const delivery = await availability.guard(() => findDelivery(database, merchantId, ids.id))
    const data = presentDelivery(found(delivery, 'delivery_not_found'))
    const attempts = await availability.guard(() => listAttempts(database, ids.id))
    return sendObject(exchange, 200, { ...data, attempts: attempts.map(presentAttempt) })
  },
})

export const redeliverEvent = route({
  method: 'POST',
  path: `${PATH}/:id/redeliver`,
  access: 'merchant',
  ids: { id: DELIVERY_ID_PARAMETER },
  body: NO_FIELDS,
  tag: 'Webhooks',
  summary: 'Deliver once more',
  description:
    'Sends the event again at once, under the same `webhook-id`. A delivery that had ended begins ' +
    'its schedule anew. Takes no body.',
  operationId: 'redeliverWebhook',
  successes: { 200: one('It is on its way.', deliverySchema) },
  errors: ['delivery_not_found', 'endpoint_disabled'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const result = await deps.availability.guard(() =>
      redeliver(deps.database, merchantId, ids.id, deps.now()),
    )
    if (!result.ok) {
      throw new AppError(result.reason === 'disabled' ? 'endpoint_disabled' : 'delivery_not_found')
    }
    deps.wakeNotifier()
    return sendObject(exchange, 200, presentDelivery(result.delivery))
  },
})
