import { EVENT_TYPE_NAMES, isEventType } from '../../../core/events/eventTypes.ts'
import { requestSample } from '../../../store/webhook/samples.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { one } from '../../request/responses.ts'
import { object, text, uuid } from '../../request/schema.ts'
import { EVENT_ID } from '../../webhook/schema.ts'

const typeField = text('The type of the event.', 'invoice.paid', {
  enum: [...EVENT_TYPE_NAMES],
})

export const sendSampleRoute = route({
  operation: 'POST /v1/sandbox/events',
  access: 'merchant',
  body: bodyOf('The event to send.', { type: typeField }),
  summary: 'Send a test event of any type',
  description:
    'Sends sample data in the form of a real event, marked by `test: true`, to every endpoint with this type. ' +
    'Read the result at `/v1/webhooks/deliveries?eventId=`.',
  operationId: 'sendSampleEvent',
  successes: {
    202: one(
      'The event is being sent.',
      object('The event.', {
        eventId: uuid('Identifies the event.', EVENT_ID),
        type: text('Its type.', 'invoice.paid'),
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId }, body: { type } }) => {
    if (!isEventType(type)) {
      throw invalidBody([
        { path: 'type', message: `must be one of ${EVENT_TYPE_NAMES.join(', ')}` },
      ])
    }
    const eventId = await guardDatabase(deps, (sql) => requestSample(sql, merchantId, type))
    deps.wakeNotifier()
    return sendObject(exchange, 202, { eventId, type })
  },
})
