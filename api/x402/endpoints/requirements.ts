import { chainsOf } from '../../../core/chain/registry.ts'
import { AppError } from '../../../core/errors.ts'
import { asEndpointId } from '../../../core/ids.ts'
import { MAX_URL_LENGTH, requirementsOf, type X402Endpoint } from '../../../core/x402/endpoint.ts'
import { endpointUrlKey } from '../../../core/x402/url.ts'
import { findByUrl } from '../../../store/x402/endpoints.ts'
import type { Authenticate } from '../../http/auth.ts'
import { ENDPOINT_ERRORS, endpointRoute } from '../../http/endpointById.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../../http/exchange.ts'
import { describeParameters, type QueryParameters, QueryReader } from '../../http/query.ts'
import {
  type Documented,
  envelope,
  integer,
  list,
  object,
  responses,
  text,
} from '../../http/schema.ts'
import { readEndpoint } from './one.ts'
import { ENDPOINT_URL, requirementsSchema } from './schema.ts'

/** What a merchant's server puts into a 402 body, by URL and by id: specification section 2.5. */

const X402_VERSION = 2

const PARAMETERS = {
  url: text('The full URL of the protected endpoint, URL-encoded.', ENDPOINT_URL),
} satisfies QueryParameters

const requirementsEnvelope = envelope(
  object('The parts of a 402 body.', {
    x402Version: integer('The version to send in the 402 body and to verify and settle.', 2),
    requirements: requirementsSchema,
    accepts: list('All active prices of the URL, the newest first.', requirementsSchema),
  }),
)

export const findRequirementsDetail: Documented = {
  tags: ['x402'],
  summary: 'Get the payment requirements of a URL',
  description:
    'The price of a URL. When it has several, `requirements` is the newest and `accepts` has all. ' +
    'Capitals in scheme and host, the default port, a slash at the end, query and fragment of the ' +
    'URL make no difference.',
  operationId: 'findX402Requirements',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS, ['url']),
  responses: responses(
    { 200: { description: 'The payment requirements.', schema: requirementsEnvelope } },
    ['invalid_query_parameters', 'unauthorized', 'endpoint_not_found', 'service_unavailable'],
  ),
}

export const getRequirementsDetail: Documented = {
  tags: ['x402'],
  summary: 'Get the payment requirements of an endpoint',
  description: 'The price of one endpoint. A deactivated one is not found.',
  operationId: 'getX402Requirements',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The payment requirements.', schema: requirementsEnvelope } },
    ENDPOINT_ERRORS,
  ),
}

export function findRequirementsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const networkIds = deps.config.chains.map(({ networkId }) => networkId)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const urlKey = parseQuery(exchange.request)
    const endpoints = await availability.guard(() =>
      findByUrl(database, merchantId, urlKey, networkIds),
    )
    return send(deps, exchange, endpoints)
  }
}

export function getRequirementsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const networkIds = deps.config.chains.map(({ networkId }) => networkId)

  return endpointRoute(asEndpointId, authenticate, async (exchange, asked) => {
    const endpoint = await readEndpoint(deps, asked)
    const isPayable = endpoint.active && networkIds.includes(endpoint.networkId)
    return send(deps, exchange, isPayable ? [endpoint] : [])
  })
}

function parseQuery(request: Request): string {
  const reader = new QueryReader(request, PARAMETERS)
  reader.require('url')
  const text = reader.text('url', MAX_URL_LENGTH)
  const url = text === undefined ? undefined : endpointUrlKey(text)
  if (url?.ok === false) reader.problem('url', url.message)
  reader.finish()
  return url?.ok === true ? url.key : ''
}

function send(
  { config }: ApiDependencies,
  exchange: Exchange,
  endpoints: readonly X402Endpoint[],
): string {
  const chains = chainsOf(config.environment)
  const accepts = endpoints.map((endpoint) => requirementsOf(endpoint, chains))
  const [requirements] = accepts
  if (requirements === undefined) throw new AppError('endpoint_not_found')
  const data = { x402Version: X402_VERSION, requirements, accepts }
  return sendObject(exchange, 200, JSON.stringify(data))
}
