import type { ApiConfig } from '../../../core/config/api.ts'
import { type Listed, presentListed } from '../../../core/x402/listing.ts'
import { X402_VERSION } from '../../../core/x402/requirements.ts'
import { searchQuery } from '../../../core/x402/searchWords.ts'
import {
  type ListingFilter,
  listListed,
  MOST_LISTED,
  searchListed,
} from '../../../store/x402/listings.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type ApiDependencies, type Exchange, sendJson } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import {
  addressParameter,
  integerParameter,
  networkParameter,
  textParameter,
} from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { text } from '../../request/schema.ts'
import { foundSchema, listedSchema } from './listingSchema.ts'
import { FORWARDER } from './schema.ts'

/** GET /v1/x402/discovery/*: the public catalogue of x402's extension "bazaar". */

const FILTERS = {
  type: textParameter('Only resources of this type: http, mcp or a2a.', 'http', 16),
  payTo: addressParameter(text('Only resources that pay this address.', FORWARDER)),
  scheme: textParameter('Only resources with this scheme.', 'exact', 32),
  network: networkParameter('Only resources on this chain.', 'eip155:84532'),
  extensions: textParameter('Only resources with this extension.', 'bazaar', 64),
  limit: integerParameter('The maximum number of results.', 20, {
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
}

/** New endpoints are found within a second. */
const CACHED = 'public, max-age=1'

export const listResourcesRoute = route({
  operation: 'GET /v1/x402/discovery/resources',
  access: 'utility',
  isCrossOrigin: true,
  query: queryOf({
    ...FILTERS,
    offset: integerParameter('The number of results to skip.', 0, {
      minimum: 0,
      maximum: MOST_LISTED,
      default: 0,
    }),
  }),
  summary: 'List payable resources',
  description: 'The endpoints registered as `discoverable`, the newest first.',
  operationId: 'listX402Resources',
  successes: { 200: { description: 'A page of the list.', schema: listedSchema } },
  handle: async (deps, { exchange, query: { limit = 20, offset = 0, ...filters } }) => {
    const { config } = deps
    const filter = filterOf(config, filters)
    const { listed, total } = filter
      ? await guardDatabase(deps, (sql) => listListed(sql, filter, { limit, offset }))
      : NOTHING
    const items = presented(deps, listed)
    const pagination = { limit, offset, total }
    return send(exchange, { x402Version: X402_VERSION, items, pagination })
  },
})

export const searchResourcesRoute = route({
  operation: 'GET /v1/x402/discovery/search',
  access: 'utility',
  isCrossOrigin: true,
  query: queryOf({
    ...FILTERS,
    query: { ...textParameter('Words or prefixes of words.', 'weather', 400), isRequired: true },
    cursor: integerParameter('The cursor of the last response.', 20, {
      minimum: 0,
      maximum: MOST_LISTED,
    }),
  }),
  summary: 'Search payable resources',
  description:
    'Resources with all words in URL, description, service, tags or tool, the newest first.',
  operationId: 'searchX402Resources',
  successes: { 200: { description: 'The results.', schema: foundSchema } },
  handle: async (deps, { exchange, query: { limit = 20, cursor = 0, query, ...filters } }) => {
    const { config } = deps
    const filter = filterOf(config, filters)
    const words = searchQuery(query ?? '')
    const place = { limit, offset: cursor }
    const { listed, isCut, hasMore } =
      filter && words !== null
        ? await guardDatabase(deps, (sql) => searchListed(sql, words, filter, place))
        : NOTHING
    return send(exchange, {
      x402Version: X402_VERSION,
      resources: presented(deps, listed),
      partialResults: isCut,
      pagination: { limit, cursor: hasMore ? String(cursor + limit) : null },
    })
  },
})

const NOTHING = { listed: [], total: 0, isCut: false, hasMore: false }

interface Filters {
  readonly type?: string | undefined
  readonly payTo?: ListingFilter['payTo']
  readonly scheme?: string | undefined
  readonly network?: string | undefined
  readonly extensions?: string | undefined
}

/** Null if nothing can match. */
function filterOf(
  { chains }: Pick<ApiConfig, 'chains'>,
  { type, payTo, scheme = 'exact', network, extensions }: Filters,
): ListingFilter | null {
  if (scheme !== 'exact' || (extensions !== undefined && extensions !== 'bazaar')) return null
  const networkIds = chains.map(({ networkId }) => networkId)
  return {
    type,
    payTo,
    networkIds: networkIds.filter((networkId) => network === undefined || networkId === network),
    hasInfo: extensions !== undefined,
  }
}

/** The payable prices of the listed resources. */
function presented({ tokens }: Pick<ApiDependencies, 'tokens'>, listed: readonly Listed[]) {
  const chains = tokens.chains()
  return listed.flatMap((one) => presentListed(one, chains) ?? [])
}

function send(exchange: Exchange, answer: object): string {
  exchange.set.headers['cache-control'] = CACHED
  return sendJson(exchange, 200, JSON.stringify(answer))
}
