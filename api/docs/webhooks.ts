import { EVENT_TYPE_NAMES, type EventType } from '../../core/events/eventTypes.ts'
import { text } from '../request/schema.ts'
import { eventBody } from '../webhook/eventSchema.ts'
import { EVENT_ID } from '../webhook/schema.ts'

/** The webhooks of the document, one for each type of event. */

const TAG = 'Events'

export const EVENTS_TAG = {
  name: TAG,
  description:
    'Posted to webhook endpoints, signed by [Standard Webhooks](https://www.standardwebhooks.com). ' +
    '`GET /v1/events` returns the same bodies with the `id` of the event.',
}

/** By the type of the event. */
export function describeWebhooks() {
  return Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, { post: describe(type) }]))
}

/** The schema of its body has the description. */
function describe(type: EventType) {
  return {
    summary: type,
    tags: [TAG],
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: eventBody(type) } } },
    responses: { '2XX': { $ref: '#/components/responses/Taken' } },
  }
}

/** The headers of Standard Webhooks, as components. */
export const WEBHOOK_HEADERS = {
  EventId: header('webhook-id', text('The event, the same at every attempt.', EVENT_ID)),
  Sent: header(
    'webhook-timestamp',
    text('When this attempt was sent, in Unix seconds.', '1785585600'),
  ),
  Signed: header(
    'webhook-signature',
    text(
      'HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, ' +
        'while a secret is being rotated.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ),
}

function header(name: string, { description, example, ...schema }: ReturnType<typeof text>) {
  return { name, in: 'header', required: true, description, example, schema }
}

export const WEBHOOK_RESPONSES = {
  Taken: {
    description: 'Received. A 410 disables the endpoint; anything else is retried.',
  },
}
