import { Type } from '@sinclair/typebox'
import { AppError } from '../../core/errors.ts'
import { asWebhookEndpointId } from '../../core/ids.ts'
import { INSTANT_FORM, parseInstant } from '../../core/instant.ts'
import { presentWebhookEndpoint } from '../../core/webhook/endpoint.ts'
import { testEvent } from '../../core/webhook/samples.ts'
import { replayFailed } from '../../store/webhook/deliveries.ts'
import { rotateWebhookSecret } from '../../store/webhook/endpoints.ts'
import { storeEvent } from '../../store/webhook/outbox.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody, refuseFields } from '../http/body.ts'
import { ENDPOINT_ERRORS, endpointRoute } from '../http/endpointById.ts'
import { type ApiDependencies, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  type Documented,
  envelope,
  flag,
  integer,
  jsonBody,
  object,
  responses,
  time,
  uuid,
} from '../http/schema.ts'
import { readEndpoint } from './endpoints.ts'
import { ENDPOINT_ID, EVENT_ID, endpointWithSecretSchema } from './schema.ts'

/** What can be done with a webhook endpoint: a new secret, a test, and once more what has failed. */

const ROTATION = Type.Object(
  { overlap: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
const parseRotation = formParser(ROTATION, {
  '': 'must be a JSON object',
  overlap: 'must be true or false',
})

const REPLAY = Type.Object({ since: Type.String() }, { additionalProperties: false })
const parseReplay = formParser(REPLAY, { '': 'must be a JSON object', since: INSTANT_FORM })

export const rotateSecretDetail: Documented = {
  tags: ['Webhooks'],
  summary: "Rotate an endpoint's secret",
  description:
    'Makes a new secret, shown this once. For 24 hours webhooks carry a signature with each, unless ' +
    '`overlap` is false: then the old one is worth nothing at once.',
  operationId: 'rotateWebhookSecret',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(
    object(
      'How to go over to the new secret.',
      { overlap: flag('False when the old secret has leaked.', true) },
      [],
    ),
    { isRequired: false },
  ),
  responses: responses(
    {
      200: {
        description: 'The endpoint and its new secret.',
        schema: envelope(endpointWithSecretSchema),
      },
    },
    [...ENDPOINT_ERRORS, 'invalid_request_body', 'body_too_large'],
  ),
}

export const testEndpointDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Send a test event',
  description:
    'Sends an event of type `test` to this endpoint alone, whatever types it wants. What came of it ' +
    'is at `/v1/webhooks/deliveries?eventId=`. Takes no body.',
  operationId: 'testWebhookEndpoint',
  security: [{ secretKey: [] }],
  responses: responses(
    {
      202: {
        description: 'The event is on its way.',
        schema: envelope(
          object('The event that was made.', {
            eventId: uuid('Identifies the event.', EVENT_ID),
            endpointId: uuid('The endpoint that it is sent to.', ENDPOINT_ID),
          }),
        ),
      },
    },
    [...ENDPOINT_ERRORS, 'invalid_request_body', 'endpoint_disabled', 'body_too_large'],
  ),
}

export const replayDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Replay what failed',
  description:
    'Sends the endpoint all that it has not taken since a time: deliveries that failed, and events ' +
    'of the time in which it was disabled. Each begins its schedule anew, under the same ' +
    '`webhook-id`. Repeat the call while `hasMore` is true.',
  operationId: 'replayWebhooks',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(
    object('What to replay.', {
      since: time('Events of this time or later.', '2026-08-01T00:00:00Z'),
    }),
  ),
  responses: responses(
    {
      200: {
        description: 'They are on their way.',
        schema: envelope(
          object('How much there was.', {
            replayed: integer('How many events are sent.', 12),
            hasMore: flag('True when there was too much for one call.', false),
          }),
        ),
      },
    },
    [...ENDPOINT_ERRORS, 'invalid_request_body', 'endpoint_disabled', 'body_too_large'],
  ),
}

export function rotateSecretRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const { environment } = deps.config

  return endpointRoute(
    asWebhookEndpointId,
    authenticate,
    async (exchange, { merchantId, endpointId }) => {
      const { overlap = true } = parseRotation((await readJsonBody(exchange.request)) ?? {})
      const now = deps.now()
      const rotated = await availability.guard(() =>
        rotateWebhookSecret(database, environment, merchantId, endpointId, overlap, now),
      )
      if (rotated === null) throw new AppError('endpoint_not_found')
      const data = { ...presentWebhookEndpoint(rotated.endpoint, now), secret: rotated.secret }
      return sendObject(exchange, 200, JSON.stringify(data))
    },
  )
}

export function testEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps

  return endpointRoute(
    asWebhookEndpointId,
    authenticate,
    async (exchange, { merchantId, endpointId }) => {
      refuseFields(await readJsonBody(exchange.request))
      const endpoint = await readEndpoint(deps, { merchantId, endpointId })
      if (!endpoint.active) throw new AppError('endpoint_disabled')
      const objectId = Bun.randomUUIDv7()
      const data = testEvent(objectId, merchantId, deps.config.environment)
      const event = { merchantId, type: 'test', objectId, version: 1, data, endpointId } as const
      const eventId = await availability.guard(() => storeEvent(database, event))
      deps.ringNotifier()
      return sendObject(exchange, 202, JSON.stringify({ eventId, endpointId }))
    },
  )
}

export function replayRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps

  return endpointRoute(
    asWebhookEndpointId,
    authenticate,
    async (exchange, { merchantId, endpointId }) => {
      const request = parseReplay(await readJsonBody(exchange.request))
      const since = parseInstant(request.since)
      if (since === null) throw invalidBody([{ path: 'since', message: INSTANT_FORM }])
      const replay = await availability.guard(() =>
        replayFailed(database, merchantId, endpointId, since, deps.now()),
      )
      if (!replay.ok) {
        throw new AppError(
          replay.reason === 'disabled' ? 'endpoint_disabled' : 'endpoint_not_found',
        )
      }
      deps.ringNotifier()
      const { replayed, hasMore } = replay
      return sendObject(exchange, 200, JSON.stringify({ replayed, hasMore }))
    },
  )
}
