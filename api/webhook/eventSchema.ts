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
  version: integer('Increases with each event of the same object.', 4),
}
const test = flag('True in requested test events.', true)

const MARKS = named('EventMarks', 'The metadata of every event.', {
  ...marks,
  ...partial({ test }),
})

const COUNT = object(
  'The number of transactions.',
  partial({
    transactionCount: integer('All transactions of the invoice, including omitted ones.', 1),
  }),
)

/** An object in an event. */
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
    'The invoice at the time of the event. Of very many transactions, settlements, refunds and other deposits it ' +
      'has the newest.',
    invoiceRecordSchema,
    COUNT,
  ),
  refund: dataOf('RefundEventData', 'The refund at the time of the event.', refundSchema),
  'x402 payment': dataOf(
    'X402PaymentEventData',
    'The payment at the time of the event.',
    paymentSchema,
  ),
  'x402 channel': dataOf(
    'X402ChannelEventData',
    'The channel at the time of the event.',
    channelSchema,
  ),
  'webhook endpoint': dataOf(
    'WebhookEndpointEventData',
    'The endpoint at the time of the event.',
    webhookEndpointSchema,
  ),
  test: named('TestEventData', 'The common metadata only.', {
    id: uuid('An identifier of this test.', EVENT_ID),
    merchantId: uuid('The merchant who owns the endpoint.', MERCHANT_ID),
    ...marks,
    test,
  }),
}

/** The fields of all events, once for the document. */
const ANY_EVENT = named('AnyEvent', 'The fields of every event.', {
  type: text('The type of the event.', 'invoice.paid'),
  timestamp: time('When it happened.', '2026-08-01T12:00:00.000Z'),
  data: unchecked({ type: 'object', description: 'The object of the event.', example: {} }),
})

/** The body of a webhook of this type. */
export function eventBody(type: EventType): DocumentedSchema {
  const { about, object: kind } = EVENT_TYPES[type]
  const data = DATA[kind]
  return unchecked({
    title: `${eventName(type)}Event`,
    description: about,
    // The base has the descriptions of these two fields.
    allOf: [ANY_EVENT, { properties: { type: { const: type }, data } }],
  })
}

/** invoice.payment_detected becomes InvoicePaymentDetected. */
function eventName(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')
}

/** Without a discriminator: type generators take an extension of such a union for one of its members. */
const webhookEventSchema = unchecked({
  title: 'WebhookEvent',
  description: 'The body of a webhook, by `type`.',
  oneOf: EVENT_TYPE_NAMES.map(eventBody),
})

export const eventSchema = extended(
  'Event',
  "A change of a merchant's object.",
  webhookEventSchema,
  { id: uuid('Identifies the event; its webhooks have it as `webhook-id`.', EVENT_ID) },
)
