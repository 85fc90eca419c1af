import { type Static, Type } from '@sinclair/typebox'
import { chainsOf } from '../../../core/chain/registry.ts'
import { AppError } from '../../../core/errors.ts'
import { asEndpointId } from '../../../core/ids.ts'
import {
  descriptionProblems,
  parsePrice,
  presentEndpoint,
  type X402Endpoint,
} from '../../../core/x402/endpoint.ts'
import { changeEndpoint, type EndpointChange, findEndpoint } from '../../../store/x402/endpoints.ts'
import type { Authenticate } from '../../http/auth.ts'
import { invalidBody, readJsonBody } from '../../http/body.ts'
import { ENDPOINT_ERRORS, endpointReader, endpointRoute } from '../../http/endpointById.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../../http/exchange.ts'
import { formParser } from '../../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  flag,
  jsonBody,
  object,
  responses,
} from '../../http/schema.ts'
import { amountField, descriptionField, ownTransactionField } from './create.ts'
import { endpointSchema } from './schema.ts'

/** GET, PATCH and DELETE /v1/x402/endpoints/:id. */

const CHANGE = Type.Object(
  {
    description: Type.Optional(Type.String()),
    amountUsd: Type.Optional(Type.Union([Type.Number(), Type.String()])),
    active: Type.Optional(Type.Boolean()),
    ownTransaction: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const parseChange = formParser(CHANGE, {
  '': 'must be a JSON object',
  description: 'must be a string',
  amountUsd: 'must be a number or a decimal string, e.g. "0.01"',
  active: 'must be true or false',
  ownTransaction: 'must be true or false',
})

const changeFields = {
  description: descriptionField,
  amountUsd: amountField,
  active: flag('False deactivates the endpoint, true takes it into service again.', true),
  ownTransaction: ownTransactionField,
} satisfies Record<keyof Static<typeof CHANGE>, DocumentedSchema>

/** The merchant's endpoint, or a fault that says that there is none. */
export const readEndpoint = endpointReader(findEndpoint)

export const getEndpointDetail: Documented = {
  tags: ['x402'],
  summary: 'Get an endpoint',
  description: 'The endpoint, whether it is active or not.',
  operationId: 'getX402Endpoint',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The endpoint.', schema: envelope(endpointSchema) } },
    ENDPOINT_ERRORS,
  ),
}

export const changeEndpointDetail: Documented = {
  tags: ['x402'],
  summary: 'Change an endpoint',
  description:
    'Changes the fields that are given. A payer who has signed for the old price is refused from ' +
    'now on; payments that have begun are carried out.',
  operationId: 'changeX402Endpoint',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(object('What to change.', changeFields, [])),
  responses: responses(
    { 200: { description: 'The endpoint, changed.', schema: envelope(endpointSchema) } },
    [...ENDPOINT_ERRORS, 'invalid_request_body', 'endpoint_conflict', 'body_too_large'],
  ),
}

export const deactivateEndpointDetail: Documented = {
  tags: ['x402'],
  summary: 'Deactivate an endpoint',
  description:
    'Payments for it are refused from now on. Deactivating it again changes nothing. It is kept, ' +
    'and PATCH can take it into service again.',
  operationId: 'deactivateX402Endpoint',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The endpoint, deactivated.', schema: envelope(endpointSchema) } },
    ENDPOINT_ERRORS,
  ),
}

export function getEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return endpointRoute(asEndpointId, authenticate, async (exchange, asked) =>
    send(deps, exchange, await readEndpoint(deps, asked)),
  )
}

export function changeEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return endpointRoute(asEndpointId, authenticate, async (exchange, asked) => {
    const request = parseChange(await readJsonBody(exchange.request))
    const endpoint = await readEndpoint(deps, asked)
    const change = draftChange(deps, request, endpoint)
    return send(deps, exchange, await saveChange(deps, endpoint, change))
  })
}

export function deactivateEndpointRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return endpointRoute(asEndpointId, authenticate, async (exchange, { merchantId, endpointId }) => {
    const endpoint = await saveChange(deps, { id: endpointId, merchantId }, { active: false })
    return send(deps, exchange, endpoint)
  })
}

/** What the endpoint becomes; throws `invalid_request_body` when it can't. */
function draftChange(
  { config }: ApiDependencies,
  request: Static<typeof CHANGE>,
  endpoint: X402Endpoint,
): EndpointChange {
  const { description, amountUsd, active, ownTransaction } = request
  const chain = config.chains.find(({ networkId }) => networkId === endpoint.networkId)
  const price = amountUsd === undefined ? null : parsePrice(amountUsd, chain)
  const details = [
    ...(description === undefined ? [] : descriptionProblems(description)),
    ...(price === null || price.ok ? [] : price.details),
  ]
  if (details.length > 0) throw invalidBody(details)
  return { description, amount: price?.ok ? price.amount : undefined, active, ownTransaction }
}

async function saveChange(
  { availability, database, now }: ApiDependencies,
  endpoint: Pick<X402Endpoint, 'id' | 'merchantId'>,
  change: EndpointChange,
): Promise<X402Endpoint> {
  const { id, merchantId } = endpoint
  const result = await availability.guard(() =>
    changeEndpoint(database, merchantId, id, change, now()),
  )
  if (result.ok) return result.endpoint
  if (result.reason === 'not_found') throw new AppError('endpoint_not_found')
  const path = change.amount === undefined ? 'active' : 'amountUsd'
  const message = 'is the URL and price of another active endpoint: deactivate that one first'
  throw new AppError('endpoint_conflict', [{ path, message }])
}

function send({ config }: ApiDependencies, exchange: Exchange, endpoint: X402Endpoint): string {
  const data = presentEndpoint(endpoint, chainsOf(config.environment), config.chains)
  return sendObject(exchange, 200, JSON.stringify(data))
}
