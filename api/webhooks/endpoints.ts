import { AppError } from '../../core/errors.ts'
import type { MerchantId, WebhookEndpointId } from '../../core/ids.ts'
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
import { invalidBody } from '../http/body.ts'
import { found } from '../http/errors.ts'
import { type ApiDependencies, sendList, sendObject } from '../http/exchange.ts'
import { bodyOf, flagField, optional } from '../http/field.ts'
import { listQuery, paginationOf } from '../http/page.ts'
import { many, one } from '../http/responses.ts'
import { route } from '../http/route.ts'
import { flag, object, uuid } from '../http/schema.ts'
import {
  descriptionField,
  ENDPOINT_ID,
  ENDPOINT_ID_PARAMETER,
  endpointSchema,
  endpointWithSecretSchema,
  eventTypesField,
  urlField,
} from './schema.ts'

/** Webhook endpoints: where a merchant is told of events. */

const PATH = '/v1/webhooks/endpoints'

export const createEndpoint = route({
  method: 'POST',
  path: PATH,
  access: 'merchant',
  body: bodyOf('The endpoint to create.', {
    url: urlField,
    description: optional(descriptionField),
    eventTypes: optional(eventTypesField),
  }),
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    `Events are posted to it from now on, signed as Standard Webhooks says. A merchant has at most ` +
    `${MAX_ENDPOINTS} endpoints. The secret is shown this once.`,
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
    const created = await deps.availability.guard(() =>
      createWebhookEndpoint(deps.database, environment, merchantId, wanted, now),
    )
    if (!created.ok) throw new AppError('too_many_endpoints')
    const { endpoint, secret } = created
    return sendObject(exchange, 201, { ...presentWebhookEndpoint(endpoint, now), secret })
  },
})

export const listEndpoints = route({
  method: 'GET',
  path: PATH,
  access: 'merchant',
  query: listQuery('endpoints', {}),
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'The webhook endpoints of the merchant, the newest first.',
  operationId: 'listWebhookEndpoints',
  successes: { 200: many('One page of the list.', endpointSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page } }) => {
    const endpoints = await deps.availability.guard(() =>
      listWebhookEndpoints(deps.database, merchantId),
    )
    const start = Number(page.offset)
    const shown = endpoints.slice(start, start + page.limit)
    const data = shown.map((endpoint) => presentWebhookEndpoint(endpoint, deps.now()))
    return sendList(exchange, data, paginationOf(page, endpoints.length))
  },
})

/** What every route of one endpoint has in common. */
export const ONE_ENDPOINT = {
  access: 'merchant',
  ids: { id: ENDPOINT_ID_PARAMETER },
  tag: 'Webhooks',
} as const

export const getEndpoint = route({
  ...ONE_ENDPOINT,
  method: 'GET',
  path: `${PATH}/:id`,
  summary: 'Get a webhook endpoint',
  description: 'The endpoint, without its secret.',
  operationId: 'getWebhookEndpoint',
  successes: { 200: one('The endpoint.', endpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const endpoint = await readEndpoint(deps, merchantId, ids.id)
    return sendObject(exchange, 200, presentWebhookEndpoint(endpoint, deps.now()))
  },
})

export const changeEndpoint = route({
  ...ONE_ENDPOINT,
  method: 'PATCH',
  path: `${PATH}/:id`,
  body: bodyOf('What to change.', {
    url: optional(urlField),
    description: optional(descriptionField),
    eventTypes: optional(eventTypesField),
    active: optional(
      flagField(flag('False switches the endpoint off, true switches it on again.', true)),
    ),
  }),
  summary: 'Change a webhook endpoint',
  description:
    'Changes the fields that are given. Switched off, the endpoint is sent nothing, and what waits ' +
    'for it ends as failed: a replay sends it later. Deliveries that wait go to the new URL.',
  operationId: 'changeWebhookEndpoint',
  successes: { 200: one('The endpoint, changed.', endpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const details = endpointProblems(body, deps.config.environment)
    if (details.length > 0) throw invalidBody(details)
    const changed = await deps.availability.guard(() =>
      changeWebhookEndpoint(deps.database, merchantId, ids.id, body, deps.now()),
    )
    const endpoint = found(changed, 'endpoint_not_found')
    return sendObject(exchange, 200, presentWebhookEndpoint(endpoint, deps.now()))
  },
})

export const deleteEndpoint = route({
  ...ONE_ENDPOINT,
  method: 'DELETE',
  path: `${PATH}/:id`,
  summary: 'Delete a webhook endpoint',
  description: 'It is sent nothing more, and its deliveries are forgotten. Events stay.',
  operationId: 'deleteWebhookEndpoint',
  successes: {
    200: one(
      'It is gone.',
      object('What was deleted.', {
        id: uuid('The endpoint that was.', ENDPOINT_ID),
        deleted: flag('True: it is gone.', true),
      }),
    ),
  },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) => {
    const isDeleted = await deps.availability.guard(() =>
      deleteWebhookEndpoint(deps.database, merchantId, id),
    )
    if (!isDeleted) throw new AppError('endpoint_not_found')
    return sendObject(exchange, 200, { id, deleted: true })
  },
})

/** The merchant's endpoint. Throws `endpoint_not_found`, also for somebody else's. */
export async function readEndpoint(
  { availability, database }: ApiDependencies,
  merchantId: MerchantId,
  endpointId: WebhookEndpointId,
) {
  const endpoint = await availability.guard(() =>
    findWebhookEndpoint(database, merchantId, endpointId),
  )
  return found(endpoint, 'endpoint_not_found')
}
