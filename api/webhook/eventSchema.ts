import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventObject,
  type EventType,
} from '../../core/events/eventTypes.ts'
import { channelSchema } from '../channels/schema.ts'
import { invoiceRecordSchema, refundSchema } from '../invoice/schema.ts'
import { MERCHANT_ID } from '../request/examples.ts'
import {
  type DocumentedSchema,
  extended,
  flag,
  integer,
  named,
  object,
  partial,
  text,
  time,
  unchecked,
  uuid,
} from '../request/schema.ts'
import { paymentSchema } from '../x402/endpoints/paymentSchema.ts'
import { EVENT_ID, webhookEndpointSchema } from './schema.ts'

/** Events in the OpenAPI document: a schema for each type, with `type` as discriminator. */

const marks = {
  environment: text('Where it happened.', 'sandbox', { enum: ['sandbox', 'live'] }),
  version: integer('It grows with each event of the same object.', 4),
}
const test = flag('True in requested test events.', true)

const MARKS = named('EventMarks', 'The metadata of every event.', {
  ...marks,
  ...partial({ test }),
})

const COUNT = object(
  'How much there is of it.',
  partial({ transactionCount: integer('All transactions of it, those not shown included.', 1) }),
)

/** An object as an event shows it. */
function dataOf(
  title: string,
  description: string,
  ...parts: readonly DocumentedSchema[]
): DocumentedSchema {
  const allOf = [...parts, MARKS]
  return unchecked({ title, description, allOf })
}

const DATA: Readonly<Record<EventObject, DocumentedSchema>> = {
  invoice: dataOf(
    'InvoiceEventData',
    'The invoice as it stood. Of very many transactions, settlements, refunds and other deposits it ' +
      'has the newest.',
    invoiceRecordSchema,
    COUNT,
  ),
  refund: dataOf('RefundEventData', 'The refund as it stood.', refundSchema),
  'x402 payment': dataOf('X402PaymentEventData', 'The payment as it stood.', paymentSchema),
  'x402 channel': dataOf('X402ChannelEventData', 'The channel as it stood.', channelSchema),
  'webhook endpoint': dataOf(
    'WebhookEndpointEventData',
    'The endpoint as it stood.',
    webhookEndpointSchema,
  ),
  test: named('TestEventData', 'Nothing but what every event has.', {
    id: uuid('An identifier of this test.', EVENT_ID),
    merchantId: uuid('The merchant who owns the endpoint.', MERCHANT_ID),
    ...marks,
    test,
  }),
}

/** The fields of all events, once for the document. */
const ANY_EVENT = named('AnyEvent', 'What every event has.', {
  type: text('What happened.', 'invoice.paid'),
  timestamp: time('When it happened.', '2026-08-01T12:00:00.000Z'),
  data: unchecked({ type: 'object', description: 'What it is about.', example: {} }),
})

/** The body of a webhook of this type. */
export function eventBody(type: EventType): DocumentedSchema {
  const { about, object: kind } = EVENT_TYPES[type]
  const data = DATA[kind]
  return unchecked({
    title: `${eventName(type)}Event`,
    description: about,
    // What these two mean is said by the base; here are their values.
    allOf: [ANY_EVENT, { properties: { type: { const: type }, data } }],
  })
}

/** invoice.payment_detected is InvoicePaymentDetected. */
function eventName(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')
}

/** Without a discriminator: generators of types take what extends such a union for one of its members. */
const webhookEventSchema = unchecked({
  title: 'WebhookEvent',
  description: 'The body of a webhook, by `type`.',
  oneOf: EVENT_TYPE_NAMES.map(eventBody),
})

export const eventSchema = extended(
  'Event',
  'Something that happened to what belongs to the merchant.',
  webhookEventSchema,
  { id: uuid('Identifies the event; its webhooks have it as `webhook-id`.', EVENT_ID) },
)
