import { AppError } from '../../core/base/errors.ts'
import { asEventId, asWebhookEndpointId } from '../../core/base/ids.ts'
import {
  ATTEMPTS_SHOWN,
  DELIVERY_STATES,
  presentAttempt,
  presentDelivery,
} from '../../core/webhook/delivery.ts'
import {
  findDelivery,
  listAttempts,
  listDeliveries,
  redeliver,
} from '../../store/webhook/deliveries.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { sendObject, sendPage } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { NO_FIELDS } from '../request/body.ts'
import { ID_KEYS, listQuery, PAGED } from '../request/page.ts'
import { choiceParameter, idParameter } from '../request/parameter.ts'
import { one, paged } from '../request/responses.ts'
import { SWITCHED_OFF } from './endpoints.ts'
import {
  DELIVERY_ID_PARAMETER,
  deliverySchema,
  deliveryWithAttemptsSchema,
  EVENT_ID,
  eventTypeParameter,
  WEBHOOK_ENDPOINT_ID,
} from './schema.ts'

/** Deliveries of events, and redelivery. */

const FILTERS = {
  endpointId: idParameter(
    'Only deliveries to this endpoint.',
    WEBHOOK_ENDPOINT_ID,
    asWebhookEndpointId,
  ),
  eventId: idParameter('Only deliveries of this event.', EVENT_ID, asEventId),
  state: choiceParameter('Only deliveries in this state.', 'failed', DELIVERY_STATES),
  type: eventTypeParameter('Only deliveries of events of this type.'),
}

export const listDeliveriesRoute = route({
  operation: 'GET /v1/webhooks/deliveries',
  access: 'merchant',
  query: listQuery(FILTERS, ID_KEYS),
  summary: 'List deliveries',
  description: `The deliveries of the last 30 days, the newest first. ${PAGED}`,
  operationId: 'listWebhookDeliveries',
  successes: { 200: paged('A page of the list.', deliverySchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const found = await guardDatabase(deps, (sql) => listDeliveries(sql, merchantId, filter, page))
    return sendPage(exchange, page, found, presentDelivery)
  },
})

const readDelivery = reading(findDelivery, 'delivery_not_found')

export const getDeliveryRoute = route({
  operation: 'GET /v1/webhooks/deliveries/:id',
  access: 'merchant',
  ids: { id: DELIVERY_ID_PARAMETER },
  summary: 'Get a delivery',
  description: `The delivery with its attempts, the newest ${ATTEMPTS_SHOWN}, and their responses.`,
  operationId: 'getWebhookDelivery',
  successes: { 200: one('The delivery.', deliveryWithAttemptsSchema) },
  errors: ['delivery_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const data = presentDelivery(await readDelivery(deps, merchantId, ids.id))
    const attempts = await guardDatabase(deps, (sql) => listAttempts(sql, ids.id))
    return sendObject(exchange, 200, { ...data, attempts: attempts.map(presentAttempt) })
  },
})

export const redeliverEventRoute = route({
  operation: 'POST /v1/webhooks/deliveries/:id/redeliver',
  access: 'merchant',
  ids: { id: DELIVERY_ID_PARAMETER },
  body: NO_FIELDS,
  summary: 'Redeliver a webhook',
  description:
    'Sends the event again at once, with the same `webhook-id`. A finished delivery ' +
    'restarts its retry schedule.',
  operationId: 'redeliverWebhook',
  successes: { 200: one('The delivery.', deliverySchema) },
  errors: ['delivery_not_found', 'endpoint_disabled'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const result = await guardDatabase(deps, (sql) =>
      redeliver(sql, merchantId, ids.id, deps.now()),
    )
    if (!result.ok) {
      if (result.reason === 'disabled') throw new AppError('endpoint_disabled', [SWITCHED_OFF])
      throw new AppError('delivery_not_found')
    }
    deps.wakeNotifier()
    return sendObject(exchange, 200, presentDelivery(result.delivery))
  },
})
