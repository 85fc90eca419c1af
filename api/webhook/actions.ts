import { AppError } from '../../core/base/errors.ts'
import { INSTANT_FORM, parseInstant } from '../../core/base/instant.ts'
import { presentWebhookEndpoint } from '../../core/webhook/endpoint.ts'
import { testEvent } from '../../core/webhook/samples.ts'
import { insertEvent } from '../../store/events/outbox.ts'
import { rotateWebhookSecret } from '../../store/webhook/endpoints.ts'
import { type Replay, replayFailed } from '../../store/webhook/replay.ts'
import { guardDatabase } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody, NO_FIELDS, refined } from '../request/body.ts'
import { one } from '../request/responses.ts'
import { flag, integer, object, optional, time, uuid, withMessage } from '../request/schema.ts'
import { ONE_ENDPOINT, readWebhookEndpoint, SWITCHED_OFF } from './endpoints.ts'
import { EVENT_ID, endpointWithSecretSchema, WEBHOOK_ENDPOINT_ID } from './schema.ts'

/** Actions on a webhook endpoint: secret rotation, test events, and replay of failed deliveries. */

export const rotateSecretRoute = route({
  ...ONE_ENDPOINT,
  operation: 'POST /v1/webhooks/endpoints/:id/rotate-secret',
  body: bodyOf(
    'How to rotate the secret.',
    { overlap: optional(flag('False if the old secret has leaked.', true)) },
    { isRequired: false },
  ),
  summary: "Rotate an endpoint's secret",
  description:
    'Creates a new secret, which is shown only once. For 24 hours webhooks are signed with both secrets, unless ' +
    '`overlap` is false: then the old one is invalid at once.',
  operationId: 'rotateWebhookSecret',
  successes: { 200: one('The endpoint and its new secret.', endpointWithSecretSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const { overlap = true } = body
    const now = deps.now()
    const rotated = await guardDatabase(deps, (sql) =>
      rotateWebhookSecret(sql, deps.config, merchantId, ids.id, overlap, now),
    )
    const { endpoint, secret } = found(rotated, 'endpoint_not_found')
    return sendObject(exchange, 200, { ...presentWebhookEndpoint(endpoint, now), secret })
  },
})

export const testEndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'POST /v1/webhooks/endpoints/:id/test',
  body: NO_FIELDS,
  summary: 'Send a test event',
  description:
    'Sends an event of type `test` to this endpoint only, regardless of its event types. Read its delivery ' +
    'at `/v1/webhooks/deliveries?eventId=`.',
  operationId: 'testWebhookEndpoint',
  successes: {
    202: one(
      'The event is being sent.',
      object('The created event.', {
        eventId: uuid('Identifies the event.', EVENT_ID),
        endpointId: uuid('The endpoint.', WEBHOOK_ENDPOINT_ID),
      }),
    ),
  },
  errors: ['endpoint_not_found', 'endpoint_disabled'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const { id: endpointId, active } = await readWebhookEndpoint(deps, merchantId, ids.id)
    if (!active) throw new AppError('endpoint_disabled', [SWITCHED_OFF])
    const objectId = Bun.randomUUIDv7()
    const data = testEvent(objectId, merchantId, deps.config.environment)
    const event = { merchantId, type: 'test', objectId, version: 1, data, endpointId } as const
    const eventId = await guardDatabase(deps, (sql) => insertEvent(sql, event))
    deps.wakeNotifier()
    return sendObject(exchange, 202, { eventId, endpointId })
  },
})

const REPLAY = bodyOf('What to replay.', {
  since: withMessage(INSTANT_FORM, time('Events at this time or later.', '2026-08-01T00:00:00Z')),
})

export const replayEventsRoute = route({
  ...ONE_ENDPOINT,
  operation: 'POST /v1/webhooks/endpoints/:id/replay',
  body: refined(REPLAY, ({ since }) => {
    const instant = parseInstant(since)
    if (instant === null) throw invalidBody([{ path: 'since', message: INSTANT_FORM }])
    return { since: instant }
  }),
  summary: 'Replay failed deliveries',
  description:
    'Sends all webhooks that failed since a time, or were due while it was disabled, with the same `webhook-id`. ' +
    'Repeat while `hasMore` is true. A host receives ten of them per second, after a burst of 60; calls are refused ' +
    'while ten minutes of them are pending.',
  operationId: 'replayWebhooks',
  successes: {
    200: one(
      'The webhooks are being sent.',
      object('The counts.', {
        replayed: integer('The number of events.', 12),
        hasMore: flag('True if there are more: call again.', false),
      }),
    ),
  },
  errors: ['endpoint_not_found', 'endpoint_disabled', 'replay_limit_reached'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body: { since } }) => {
    const replay = await guardDatabase(deps, (sql) =>
      replayFailed(sql, merchantId, ids.id, since, deps.now()),
    )
    if (!replay.ok) throw refusalOf(replay, exchange)
    deps.wakeNotifier()
    const { replayed, hasMore } = replay
    return sendObject(exchange, 200, { replayed, hasMore })
  },
})

function refusalOf(replay: Replay & { readonly ok: false }, exchange: Exchange): AppError {
  switch (replay.reason) {
    case 'not_found':
      return new AppError('endpoint_not_found')
    case 'disabled':
      return new AppError('endpoint_disabled', [SWITCHED_OFF])
    case 'no_place':
      exchange.set.headers['retry-after'] = String(Math.ceil(replay.waitMs / 1_000))
      return new AppError('replay_limit_reached')
    default:
      return replay satisfies never
  }
}
