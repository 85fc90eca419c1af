import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../core/errors.ts'
import { asWebhookEndpointId } from '../../core/ids.ts'
import {
  endpointProblems,
  presentWebhookEndpoint,
  type WebhookEndpoint,
} from '../../core/webhook/endpoint.ts'
import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
} from '../../store/webhook/endpoints.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { ENDPOINT_ERRORS, endpointReader, endpointRoute } from '../http/endpointById.ts'
import { type ApiDependencies, type Exchange, sendList, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  describeParameters,
  pageParameters,
  paginationOf,
  QueryReader,
  readPage,
} from '../http/query.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  flag,
  jsonBody,
  listEnvelope,
  object,
  responses,
  uuid,
} from '../http/schema.ts'
import { ENDPOINT_FORMS } from './create.ts'
import {
  descriptionField,
  ENDPOINT_ID,
  endpointSchema,
  eventTypesField,
  urlField,
} from './schema.ts'

/** GET, PATCH and DELETE /v1/webhooks/endpoints and /v1/webhooks/endpoints/:id. */

const CHANGE = Type.Object(
  {
    url: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    eventTypes: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const parseChange = formParser(CHANGE, ENDPOINT_FORMS)

const changeFields = {
  url: urlField,
  description: descriptionField,
  eventTypes: eventTypesField,
  active: flag('False switches the endpoint off, true switches it on again.', true),
} satisfies Record<keyof Static<typeof CHANGE>, DocumentedSchema>

/** The merchant's endpoint, or a fault that says that there is none. */
export const readEndpoint = endpointReader(findWebhookEndpoint)

const PARAMETERS = pageParameters('endpoints')

export const listEndpointsDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'List webhook endpoints',
  description: 'The webhook endpoints of the merchant, the newest first.',
  operationId: 'listWebhookEndpoints',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(endpointSchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export const getEndpointDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Get a webhook endpoint',
  description: 'The endpoint, without its secret.',
  operationId: 'getWebhookEndpoint',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The endpoint.', schema: envelope(endpointSchema) } },
    ENDPOINT_ERRORS,
  ),
}

export const changeEndpointDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Change a webhook endpoint',
  description:
    'Changes the fields that are given. Switched off, the endpoint is sent nothing, and what waits ' +
    'for it ends as failed: a replay sends it later. Deliveries that wait go to the new URL.',
  operationId: 'changeWebhookEndpoint',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(object('What to change.', changeFields, [])),
  responses: responses(
    { 200: { description: 'The endpoint, changed.', schema: envelope(endpointSchema) } },
    [...ENDPOINT_ERRORS, 'invalid_request_body', 'body_too_large'],
  ),
}

export const deleteEndpointDetail: Documented = {
  tags: ['Webhooks'],
  summary: 'Delete a webhook endpoint',
  description: 'It is sent nothing more, and its deliveries are forgotten. Events stay.',
  operationId: 'deleteWebhookEndpoint',
  security: [{ secretKey: [] }],
  responses: responses(
    {
      200: {
        description: 'It is gone.',
        schema: envelope(
          object('What was deleted.', {
            id: uuid('The endpoint that was.', ENDPOINT_ID),
            deleted: flag('True: it is gone.', true),
          }),
        ),
      },
    },
    ENDPOINT_ERRORS,
  ),
}

export function listEndpointsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const reader = new QueryReader(exchange.request, PARAMETERS)
    const page = readPage(reader)
    reader.finish()
    const endpoints = await deps.availability.guard(() =>
      listWebhookEndpoints(deps.database, merchantId),
    )
    const start = Number(page.offset)
    const shown = endpoints.slice(start, start + page.limit)
    const data = shown.map((endpoint) => presentWebhookEndpoint(endpoint, deps.now()))
    return sendList(exchange, data, paginationOf(page, endpoints.length))
  }
}

export function getEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return endpointRoute(asWebhookEndpointId, authenticate, async (exchange, asked) =>
    sendEndpoint(deps, exchange, await readEndpoint(deps, asked)),
  )
}

export function changeEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability, config } = deps

  return endpointRoute(
    asWebhookEndpointId,
    authenticate,
    async (exchange, { merchantId, endpointId }) => {
      const change = parseChange(await readJsonBody(exchange.request))
      const details = endpointProblems(change, config.environment)
      if (details.length > 0) throw invalidBody(details)
      const endpoint = await availability.guard(() =>
        changeWebhookEndpoint(database, merchantId, endpointId, change, deps.now()),
      )
      if (endpoint === null) throw new AppError('endpoint_not_found')
      return sendEndpoint(deps, exchange, endpoint)
    },
  )
}

export function deleteEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return endpointRoute(
    asWebhookEndpointId,
    authenticate,
    async (exchange, { merchantId, endpointId }) => {
      const isDeleted = await deps.availability.guard(() =>
        deleteWebhookEndpoint(deps.database, merchantId, endpointId),
      )
      if (!isDeleted) throw new AppError('endpoint_not_found')
      return sendObject(exchange, 200, JSON.stringify({ id: endpointId, deleted: true }))
    },
  )
}

function sendEndpoint(deps: ApiDependencies, exchange: Exchange, endpoint: WebhookEndpoint) {
  return sendObject(exchange, 200, JSON.stringify(presentWebhookEndpoint(endpoint, deps.now())))
}
