import { chainsOf } from '../../../core/chain/registry.ts'
import { presentEndpoint } from '../../../core/x402/endpoint.ts'
import { listEndpoints } from '../../../store/x402/endpoints.ts'
import type { Authenticate } from '../../http/auth.ts'
import { type ApiDependencies, type Exchange, sendList } from '../../http/exchange.ts'
import {
  describeParameters,
  pageParameters,
  paginationOf,
  type QueryParameters,
  QueryReader,
  readPage,
} from '../../http/query.ts'
import { type Documented, flag, listEnvelope, responses, text } from '../../http/schema.ts'
import { endpointSchema } from './schema.ts'

/** GET /v1/x402/endpoints. */

const PARAMETERS = {
  ...pageParameters('endpoints'),
  active: flag('Only endpoints that are active, or only others.', true),
  network: text('Only endpoints on this chain, by CAIP-2 identifier or networkId.', 'eip155:84532'),
} satisfies QueryParameters

export const listEndpointsDetail: Documented = {
  tags: ['x402'],
  summary: 'List endpoints',
  description:
    'The endpoints of the merchant, deactivated ones included, the newest first. Page through them ' +
    'with `page` or with `offset`; a page past the end is empty.',
  operationId: 'listX402Endpoints',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(endpointSchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export function listEndpointsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { config, database, availability } = deps
  const chains = chainsOf(config.environment)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const reader = new QueryReader(exchange.request, PARAMETERS)
    const page = readPage(reader)
    const filter = {
      active: reader.flag('active'),
      networkId: reader.network('network', chains)?.networkId,
    }
    reader.finish()
    const { endpoints, total } = await availability.guard(() =>
      listEndpoints(database, merchantId, filter, page),
    )
    const data = endpoints.map((endpoint) => presentEndpoint(endpoint, chains, config.chains))
    return sendList(exchange, data, paginationOf(page, total))
  }
}
