import { asDeliveryId, asEventId, asWebhookEndpointId } from '../../core/base/ids.ts'
import { EVENT_TYPE_NAMES } from '../../core/events/eventTypes.ts'
import {
  ATTEMPTS_SHOWN,
  type AttemptJson,
  DELIVERY_STATES,
  type DeliveryJson,
} from '../../core/webhook/delivery.ts'
import type { WebhookEndpointJson } from '../../core/webhook/endpoint.ts'
import { MERCHANT_ID } from '../request/examples.ts'
import { pathId } from '../request/id.ts'
import { choiceParameter } from '../request/parameter.ts'
import {
  type DocumentedSchema,
  extended,
  flag,
  integer,
  list,
  named,
  nullable,
  optionalText,
  optionalTime,
  text,
  time,
  uuid,
  urlField as webAddressField,
  withMessage,
} from '../request/schema.ts'

/** Webhook endpoints and deliveries in the OpenAPI document. */

export const WEBHOOK_ENDPOINT_ID = '0198c1f3-70aa-7000-8000-2f4e8a6c1d55'
const DELIVERY_ID = '5f0c2c1e-8f4a-4d0e-9a53-0f6f3f1f7f10'
export const EVENT_ID = '0198c1f4-02be-7000-8000-7d1b9e3c5a21'
const CREATED = '2026-08-01T12:00:00.000Z'

export const WEBHOOK_ENDPOINT_ID_PARAMETER = pathId(
  'webhook endpoint',
  WEBHOOK_ENDPOINT_ID,
  'invalid_endpoint_id',
  asWebhookEndpointId,
)
export const EVENT_ID_PARAMETER = pathId('event', EVENT_ID, 'invalid_event_id', asEventId)
export const DELIVERY_ID_PARAMETER = pathId(
  'delivery',
  DELIVERY_ID,
  'invalid_delivery_id',
  asDeliveryId,
)

const EVENT_TYPE = 'EventType'

const typeOfEvent = (description: string) => ({
  title: EVENT_TYPE,
  ...text(description, 'invoice.paid', { enum: [...EVENT_TYPE_NAMES] }),
})

export const eventTypeParameter = (description: string) => {
  const { documented, ...parameter } = choiceParameter(
    description,
    'invoice.paid',
    EVENT_TYPE_NAMES,
  )
  return { ...parameter, documented: { title: EVENT_TYPE, ...documented } }
}

/** The fields of an endpoint that the merchant sets. */
export const urlField = webAddressField(
  'https, in the sandbox also http, on the public internet, without credentials or ' + 'fragment.',
  'https://shop.example.com/hooks/remit',
)
export const webhookDescriptionField = text('A description, at most 1000 characters.', 'The shop')
/** More than there are types: duplicates count. */
const MOST_TYPES = 100

export const eventTypesField = withMessage(
  `must be an array of at most ${MOST_TYPES} strings, or null for every type`,
  nullable({
    ...list('The event types to send; null for all.', typeOfEvent('A type.')),
    maxItems: MOST_TYPES,
    example: ['invoice.paid', 'invoice.completed'],
  }),
)

const secretField = text(
  'The signing secret: its prefix and 32 bytes in base64. Shown only once.',
  'test_whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw6JfQvZ0H9qE=',
)

const endpointFields = {
  id: uuid('Identifies the endpoint.', WEBHOOK_ENDPOINT_ID),
  merchantId: uuid('The merchant who owns it.', MERCHANT_ID),
  url: urlField,
  description: webhookDescriptionField,
  eventTypes: eventTypesField,
  active: flag('False if it receives nothing.', true),
  disabledReason: optionalText(
    'Why it is inactive: deactivated by the `merchant`, `gone` (it responded with 410), or `failing` ' +
      '(only failures for five days).',
    null,
    { enum: ['merchant', 'gone', 'failing'] },
  ),
  disabledAt: optionalTime('When it was deactivated.', null),
  failingSince: optionalTime('The first failure since the last success.', null),
  provenAt: optionalTime(
    'When the URL first responded with 2xx; until then it receives one webhook per minute.',
    '2026-08-01T12:00:05.211Z',
  ),
  previousSecretUntil: optionalTime('Until when the previous secret signs as well.', null),
  createdAt: time('When it was created.', CREATED),
  updatedAt: time('When it was last changed.', CREATED),
} satisfies Record<keyof WebhookEndpointJson, DocumentedSchema>

export const webhookEndpointSchema = named('WebhookEndpoint', 'A webhook endpoint.', endpointFields)
export const endpointWithSecretSchema = extended(
  'WebhookEndpointWithSecret',
  'The endpoint, with its new secret.',
  webhookEndpointSchema,
  { secret: secretField },
)

const deliveryFields = {
  id: uuid('Identifies the delivery.', DELIVERY_ID),
  endpointId: uuid('The endpoint.', WEBHOOK_ENDPOINT_ID),
  eventId: uuid('The event, also the `webhook-id` of every attempt.', EVENT_ID),
  eventType: typeOfEvent('The type of the event.'),
  state: text(
    '`pending` while an attempt is due, `succeeded` after a 2xx response, `failed` ' +
      'when no attempt is due.',
    'pending',
    { enum: [...DELIVERY_STATES] },
  ),
  attemptCount: integer('The number of attempts.', 1),
  lastStatus: nullable(integer('The HTTP status of the last response; null without one.', 500)),
  lastError: optionalText(
    'Why the last attempt failed, e.g. `timeout`, `redirect`, `http_500`, `tls_error`.',
    'http_500',
  ),
  nextAttemptAt: optionalTime('When the next attempt is due.', '2026-08-01T12:00:05.211Z'),
  createdAt: time('When the delivery was created.', CREATED),
  finishedAt: optionalTime('When it succeeded or failed.', null),
} satisfies Record<keyof DeliveryJson, DocumentedSchema>

const attemptFields = {
  number: integer('Counted from 1, including redeliveries.', 1),
  at: time('When it started.', CREATED),
  latencyMs: integer('Duration in milliseconds.', 84),
  status: nullable(integer('The HTTP status; null without a response.', 500)),
  error: optionalText('The reason of a failure; null for a success.', 'http_500'),
  answer: optionalText('The first 4 KB of the response body.', 'oops'),
} satisfies Record<keyof AttemptJson, DocumentedSchema>

export const deliverySchema = named(
  'Delivery',
  'The delivery of an event to an endpoint.',
  deliveryFields,
)
export const deliveryWithAttemptsSchema = extended(
  'DeliveryWithAttempts',
  'A delivery with its attempts.',
  deliverySchema,
  {
    attempts: list(
      `The newest ${ATTEMPTS_SHOWN}, in order.`,
      named('DeliveryAttempt', 'One attempt.', attemptFields),
    ),
  },
)
