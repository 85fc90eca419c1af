import { descriptionProblems } from '../../../core/base/description.ts'
import { AppError } from '../../../core/base/errors.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import {
  discoveryProblems,
  parsePrice,
  presentEndpoint,
  readDiscovery,
  type X402Endpoint,
} from '../../../core/x402/endpoint.ts'
import { changeEndpoint, type EndpointChange, findEndpoint } from '../../../store/x402/endpoints.ts'
import { guardDatabase, reading } from '../../http/backends.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf, invalidBody, type Sent } from '../../request/body.ts'
import { one } from '../../request/responses.ts'
import { flag, optional } from '../../request/schema.ts'
import {
  acceptsWalletsField,
  descriptionField,
  discoverableField,
  ownTransactionField,
  priceField,
  unitsField,
} from './create.ts'
import { discoverySchema, ENDPOINT_ID_PARAMETER, endpointSchema } from './schema.ts'

/** GET, PATCH and DELETE /v1/x402/endpoints/:id. */

const ONE_ENDPOINT = {
  access: 'merchant',
  ids: { id: ENDPOINT_ID_PARAMETER },
} as const

export const getX402EndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'GET /v1/x402/endpoints/:id',
  summary: 'Get an endpoint',
  description: 'The endpoint, whether it is active or not.',
  operationId: 'getX402Endpoint',
  successes: { 200: one('The endpoint.', endpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) =>
    send(deps, exchange, await readEndpoint(deps, merchantId, ids.id)),
})

const CHANGE = bodyOf('The fields to change.', {
  description: optional(descriptionField),
  amountUsd: optional(priceField),
  amount: optional(unitsField, { isShown: false }),
  active: optional(flag('False deactivates the endpoint, true activates it.', true)),
  ownTransaction: optional(ownTransactionField),
  acceptsWallets: optional(acceptsWalletsField),
  discoverable: optional(discoverableField, { isShown: false }),
  discovery: optional(discoverySchema, { isShown: false }),
})

export const changeX402EndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'PATCH /v1/x402/endpoints/:id',
  body: CHANGE,
  summary: 'Change an endpoint',
  description:
    'Changes the given fields. A replaced price can still be paid for 300 seconds; pending payments ' +
    'are executed.',
  operationId: 'changeX402Endpoint',
  successes: { 200: one('The changed endpoint.', endpointSchema) },
  errors: ['endpoint_not_found', 'endpoint_conflict'],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const endpoint = await readEndpoint(deps, merchantId, ids.id)
    const change = draftChange(deps, body, endpoint)
    return send(deps, exchange, await saveChange(deps, endpoint, change))
  },
})

export const deactivateX402EndpointRoute = route({
  ...ONE_ENDPOINT,
  operation: 'DELETE /v1/x402/endpoints/:id',
  summary: 'Deactivate an endpoint',
  description:
    'Payments for it are refused from now on. Idempotent. The endpoint is kept, ' +
    'and PATCH can activate it again.',
  operationId: 'deactivateX402Endpoint',
  successes: { 200: one('The deactivated endpoint.', endpointSchema) },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) =>
    send(deps, exchange, await saveChange(deps, { id, merchantId }, { active: false })),
})

export const readEndpoint = reading(findEndpoint, 'endpoint_not_found')

/** The changed endpoint; throws `invalid_request_body` if it would be invalid. */
function draftChange(
  { config }: ApiDependencies,
  request: Sent<typeof CHANGE>,
  endpoint: X402Endpoint,
): EndpointChange {
  const { description, amountUsd, amount: units, discovery, ...flags } = request
  const chain = config.chains.find(({ networkId }) => networkId === endpoint.networkId)
  const isPriced = amountUsd !== undefined || units !== undefined
  const price = isPriced
    ? parsePrice({ amountUsd, amount: units }, endpoint.tokenSymbol, chain)
    : null
  const details = [
    ...descriptionProblems(description),
    ...(price === null || price.ok ? [] : price.details),
    ...discoveryProblems(discovery),
  ]
  if (details.length > 0) throw invalidBody(details)
  const amount = price?.ok ? price.amount : undefined
  return { description, amount, discovery: readDiscovery(discovery) ?? undefined, ...flags }
}

async function saveChange(
  deps: ApiDependencies,
  endpoint: Pick<X402Endpoint, 'id' | 'merchantId'>,
  change: EndpointChange,
): Promise<X402Endpoint> {
  const { id, merchantId } = endpoint
  const result = await guardDatabase(deps, (sql) =>
    changeEndpoint(sql, merchantId, id, change, deps.now()),
  )
  if (result.ok) return result.endpoint
  if (result.reason === 'not_found') throw new AppError('endpoint_not_found')
  const path = change.amount === undefined ? 'active' : 'amountUsd'
  const message = 'has the URL and price of another active endpoint: deactivate that one first'
  throw new AppError('endpoint_conflict', [{ path, message }])
}

function send(
  { config, tokens }: ApiDependencies,
  exchange: Exchange,
  endpoint: X402Endpoint,
): string {
  const data = presentEndpoint(endpoint, chainsOf(config.environment), tokens.chains())
  return sendObject(exchange, 200, data)
}
