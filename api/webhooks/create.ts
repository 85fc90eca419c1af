import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../core/errors.ts'
import {
  endpointProblems,
  MAX_ENDPOINTS,
  presentWebhookEndpoint,
} from '../../core/webhook/endpoint.ts'
import { createWebhookEndpoint } from '../../store/webhook/endpoints.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  jsonBody,
  object,
  responses,
} from '../http/schema.ts'
import { descriptionField, endpointWithSecretSchema, eventTypesField, urlField } from './schema.ts'

/** POST /v1/webhooks/endpoints. */

const REQUEST = Type.Object(
  {
    url: Type.String(),
    description: Type.Optional(Type.String()),
    eventTypes: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  },
  { additionalProperties: false },
)

export const ENDPOINT_FORMS = {
  '': 'must be a JSON object',
  url: 'must be a string, e.g. "https://shop.example.com/hooks/remit"',
  description: 'must be a string',
  eventTypes: 'must be an array of strings, or null for every type',
  active: 'must be true or false',
}

const parseRequest = formParser(REQUEST, ENDPOINT_FORMS)

const requestFields = {
  url: urlField,
  description: descriptionField,
  eventTypes: eventTypesField,
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

export const createEndpointDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Create a webhook endpoint',
  description:
    `Events are posted to it from now on, signed as Standard Webhooks says. A merchant has at most ` +
    `${MAX_ENDPOINTS} endpoints. The secret is shown this once.`,
  operationId: 'createWebhookEndpoint',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(object('The endpoint to create.', requestFields, ['url'])),
  responses: responses(
    { 201: { description: 'The new endpoint.', schema: envelope(endpointWithSecretSchema) } },
    [
      'invalid_request_body',
      'unauthorized',
      'too_many_endpoints',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function createEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const { environment } = deps.config

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const request = parseRequest(await readJsonBody(exchange.request))
    const details = endpointProblems(request, environment)
    if (details.length > 0) throw invalidBody(details)
    const { url, description = '', eventTypes = null } = request
    const wanted = { url, description, eventTypes }
    const now = deps.now()
    const created = await availability.guard(() =>
      createWebhookEndpoint(database, environment, merchantId, wanted, now),
    )
    if (!created.ok) throw new AppError('too_many_endpoints')
    const { endpoint, secret } = created
    const data = { ...presentWebhookEndpoint(endpoint, now), secret }
    return sendObject(exchange, 201, JSON.stringify(data))
  }
}
