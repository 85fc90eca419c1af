import { AppError } from '../../core/base/errors.ts'
import { pageOfWhole } from '../../core/base/page.ts'
import {
  endpointProblems,
  MAX_ENDPOINTS,
  presentWebhookEndpoint,
} from '../../core/webhook/endpoint.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
} from '../../store/webhook/endpoints.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { sendObject, sendPage } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { listQuery, PAGED } from '../request/page.ts'
import { one, paged } from '../request/responses.ts'
import { flag, literal, object, optional, uuid } from '../request/schema.ts'
import {
  endpointWithSecretSchema,
  eventTypesField,
  urlField,
  WEBHOOK_ENDPOINT_ID,
  WEBHOOK_ENDPOINT_ID_PARAMETER,
  webhookDescriptionField,
  webhookEndpointSchema,
} from './schema.ts'

/** Webhook endpoints of a merchant. */

export const createWebhookEndpointRoute = route({
  operation: 'POST /v1/webhooks/endpoints',
  access: 'merchant',
  body: bodyOf('The endpoint to create.', {
    url: urlField,
    description: optional(webhookDescriptionField),
    eventTypes: optional(eventTypesField),
  }),
  summary: 'Create a webhook endpoint',
  description:
    `New events are posted to it, signed by Standard Webhooks. A merchant has at most ` +
    `${MAX_ENDPOINTS} endpoints. The secret is shown only once.`,
  operationId: 'createWebhookEndpoint',
  successes: { 201: one('The new endpoint.', endpointWithSecretSchema) },
  errors: ['too_many_endpoints'],
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const { environment } = deps.config
    const details = endpointProblems(body, environment)
    if (details.length > 0) throw invalidBody(details)
    const { url, description = '', eventTypes = null } = body
    const wanted = { url, description, eventTypes }
    const now = deps.now()
    const created = await guardDatabase(deps, (sql) =>
      createWebhookEndpoint(sql, deps.config, merchantId, wanted, now),
    )
    if (!created.ok) {
      const message = `must be one of at most ${MAX_ENDPOINTS}: delete another endpoint first`
      throw new AppError('too_many_endpoints', [{ path: 'url', message }])
    }
    const { endpoint, secret } = created
    return sendObject(exchange, 201, { ...presentWebhookEndpoint(endpoint, now), secret })
  },
})

export const listWebhookEndpointsRoute = route({
  operation: 'GET /v1/webhooks/endpoints',
  access: 'merchant',
  query: listQuery({}),
  summary: 'List webhook endpoints',
  description: `The webhook endpoints of the merchant, the newest first. ${PAGED}`,
  operationId: 'listWebhookEndpoints',
  successes: { 200: paged('A page of the list.', webhookEndpointSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page } }) => {
    const endpoints = await guardDatabase(deps, (sql) => listWebhookEndpoints(sql, merchantId))
    return sendPage(exchange, page, pageOfWhole(endpoints, page), (endpoint) =>
      presentWebhookEndpoint(endpoint, deps.now()),
    )
  },
})

/** Refuses to send to an inactive endpoint. */
export const SWITCHED_OFF = {
  path: 'id',
  message: 'is an inactive endpoint: activate it with {"active": true} first',
}

/** Common to all routes of one endpoint. */
export const ONE_ENDPOINT = {
  access: 'merchant',
  ids: { id: WEBHOOK_ENDPOINT_ID_PARAMETER },
} as const

export const getWebhookEndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'GET /v1/webhooks/endpoints/:id',
  summary: 'Get a webhook endpoint',
  description: 'The endpoint, without its secret.',
  operationId: 'getWebhookEndpoint',
  successes: { 200: one('The endpoint.', webhookEndpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const endpoint = await readWebhookEndpoint(deps, merchantId, ids.id)
    return sendObject(exchange, 200, presentWebhookEndpoint(endpoint, deps.now()))
  },
})

export const changeWebhookEndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'PATCH /v1/webhooks/endpoints/:id',
  body: bodyOf('The fields to change.', {
    url: optional(urlField),
    description: optional(webhookDescriptionField),
    eventTypes: optional(eventTypesField),
    active: optional(flag('False deactivates the endpoint, true activates it.', true)),
  }),
  summary: 'Change a webhook endpoint',
  description:
    'Changes the given fields. An inactive endpoint receives nothing, and its pending ' +
    'deliveries fail: replay them later. Pending deliveries are sent to a new URL.',
  operationId: 'changeWebhookEndpoint',
  successes: { 200: one('The changed endpoint.', webhookEndpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const details = endpointProblems(body, deps.config.environment)
    if (details.length > 0) throw invalidBody(details)
    const changed = await guardDatabase(deps, (sql) =>
      changeWebhookEndpoint(sql, merchantId, ids.id, body, deps.now()),
    )
    const endpoint = found(changed, 'endpoint_not_found')
    return sendObject(exchange, 200, presentWebhookEndpoint(endpoint, deps.now()))
  },
})

export const deleteWebhookEndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'DELETE /v1/webhooks/endpoints/:id',
  summary: 'Delete a webhook endpoint',
  description: 'It receives nothing more, and its deliveries are deleted. Events are kept.',
  operationId: 'deleteWebhookEndpoint',
  successes: {
    200: one(
      'The endpoint was deleted.',
      object('The deleted endpoint.', {
        id: uuid('The id of the endpoint.', WEBHOOK_ENDPOINT_ID),
        deleted: literal('Always true.', true),
      }),
    ),
  },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) => {
    const isDeleted = await guardDatabase(deps, (sql) => deleteWebhookEndpoint(sql, merchantId, id))
    if (!isDeleted) throw new AppError('endpoint_not_found')
    return sendObject(exchange, 200, { id, deleted: true })
  },
})

export const readWebhookEndpoint = reading(findWebhookEndpoint, 'endpoint_not_found')
