import { MAX_URL_LENGTH } from '../../../core/base/description.ts'
import { AppError } from '../../../core/base/errors.ts'
import { requirementsOf, type X402Endpoint } from '../../../core/x402/endpoint.ts'
import { toolOf } from '../../../core/x402/metadata.ts'
import { X402_VERSION } from '../../../core/x402/requirements.ts'
import { endpointUrlKey } from '../../../core/x402/url.ts'
import { findByUrl } from '../../../store/x402/endpoints.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { type Parameter, textParameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import { integer, list, named } from '../../request/schema.ts'
import { readEndpoint } from './one.ts'
import { ENDPOINT_ID_PARAMETER, ENDPOINT_URL, requirementsSchema } from './schema.ts'

/** Payment requirements for the 402 body of a merchant's server, by URL and by id. */

const url = textParameter(
  'The full URL of the protected endpoint, URL-encoded.',
  ENDPOINT_URL,
  MAX_URL_LENGTH,
)

/** A URL in normal form, for comparison. */
const urlKeyParameter: Parameter<string> = {
  documented: url.documented,
  isRequired: true,
  read(text, config) {
    const limited = url.read(text, config)
    if (!limited.ok) return limited
    const parsed = endpointUrlKey(text)
    return parsed.ok ? { ok: true, value: parsed.key } : parsed
  },
}

const requirements = one(
  'The payment requirements.',
  named('PaymentRequired', 'The content of a 402 body.', {
    x402Version: integer('The version for the 402 body, verify and settle.', 2),
    requirements: requirementsSchema,
    accepts: list('All payable prices, the newest first.', requirementsSchema),
  }),
)

export const findRequirementsRoute = route({
  operation: 'GET /v1/x402/endpoints/requirements',
  access: 'x402Merchant',
  query: queryOf({
    url: urlKeyParameter,
    toolName: textParameter(
      'The tool, if the URL is an MCP server with several tools.',
      'search',
      128,
    ),
  }),
  summary: 'Get the payment requirements of a URL',
  description:
    'The price of a URL, matched as described at its registration. If it has several, `requirements` is the newest ' +
    'and `accepts` has all. Patterns match URLs without their own price.',
  operationId: 'findX402Requirements',
  successes: { 200: requirements },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, query: { url: urlKey, toolName } }) => {
    const networkIds = deps.config.chains.map(({ networkId }) => networkId)
    const endpoints = await guardDatabase(deps, (sql) =>
      findByUrl(sql, merchantId, urlKey, networkIds),
    )
    return send(deps, exchange, ofOneTool(endpoints, toolName))
  },
})

export const getRequirementsRoute = route({
  operation: 'GET /v1/x402/endpoints/:id/requirements',
  access: 'x402Merchant',
  ids: { id: ENDPOINT_ID_PARAMETER },
  summary: 'Get the payment requirements of an endpoint',
  description: 'The price of one endpoint. A deactivated one is not found.',
  operationId: 'getX402Requirements',
  successes: { 200: requirements },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const endpoint = await readEndpoint(deps, merchantId, ids.id)
    return send(deps, exchange, [endpoint])
  },
})

/** The prices of one tool only: the requested one, or that of the newest price. */
function ofOneTool(endpoints: readonly X402Endpoint[], name: string | undefined): X402Endpoint[] {
  const of = (tool: string | null) =>
    endpoints.filter(({ discovery }) => toolOf(discovery) === tool)
  const named = name === undefined ? of(toolOf(endpoints[0]?.discovery ?? null)) : of(name)
  // A price without a tool applies to all tools without their own price.
  return named.length > 0 ? named : of(null)
}

function send(
  { tokens }: ApiDependencies,
  exchange: Exchange,
  endpoints: readonly X402Endpoint[],
): string {
  const accepts = requirementsOf(endpoints, tokens.chains())
  const [requirements] = accepts
  if (requirements === undefined) throw new AppError('endpoint_not_found')
  const data = { x402Version: X402_VERSION, requirements, accepts }
  return sendObject(exchange, 200, data)
}
