import { chainsOf } from '../../../core/chain/registry.ts'
import { presentEndpoint } from '../../../core/x402/endpoint.ts'
import { listEndpoints } from '../../../store/x402/endpoints.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendPage } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { listQuery, PAGED } from '../../request/page.ts'
import { flagParameter, networkParameter } from '../../request/parameter.ts'
import { paged } from '../../request/responses.ts'
import { endpointSchema } from './schema.ts'

export const listX402EndpointsRoute = route({
  operation: 'GET /v1/x402/endpoints',
  access: 'merchant',
  query: listQuery({
    active: flagParameter('Only endpoints that are active, or only others.', true),
    network: networkParameter(
      'Only endpoints on this chain, by CAIP-2 identifier or networkId.',
      'eip155:84532',
    ),
  }),
  summary: 'List endpoints',
  description: `The endpoints of the merchant, deactivated ones included, the newest first. ${PAGED}`,
  operationId: 'listX402Endpoints',
  successes: { 200: paged('A page of the list.', endpointSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { config } = deps
    const { active: isActive, network: networkId } = filter
    const found = await guardDatabase(deps, (sql) =>
      listEndpoints(sql, merchantId, { active: isActive, networkId }, page),
    )
    const chains = chainsOf(config.environment)
    const active = deps.tokens.chains()
    return sendPage(exchange, page, found, (endpoint) => presentEndpoint(endpoint, chains, active))
  },
})
