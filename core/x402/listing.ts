import type { ActiveChain } from '../config/chains.ts'
import type { X402Endpoint } from './endpoint.ts'
import { isPayable, requirementsOf } from './endpoint.ts'
import { isObject } from './fields.ts'
import { shownMetadata } from './metadata.ts'
import { X402_VERSION } from './requirements.ts'

/** Resources as clients of the extension "bazaar" read them (@x402/extensions 2.27, DiscoveryResource). */

/** What a merchant has listed: a URL, or a tool of an MCP server there, with all its prices, the newest first. */
export interface Listed {
  readonly prices: readonly [X402Endpoint, ...X402Endpoint[]]
}

export type DiscoveryJson = NonNullable<ReturnType<typeof presentListed>>

/** What is shown of it, by its newest price that can be paid on these chains; null when none can be. */
export function presentListed({ prices }: Listed, chains: readonly ActiveChain[]) {
  const [newest, ...more] = prices.filter((price) => isPayable(price, chains))
  if (newest === undefined) return null
  const { info, schema, routeTemplate, ...about } = shownMetadata({ ...newest.discovery })
  const bazaar = info && {
    info,
    ...(schema && { schema }),
    ...(routeTemplate && { routeTemplate }),
  }
  return {
    resource: newest.url,
    type: resourceType(newest),
    x402Version: X402_VERSION,
    accepts: requirementsOf([newest, ...more], chains),
    lastUpdated: newest.updatedAt.toISOString(),
    description: newest.description,
    ...about,
    ...(bazaar && { extensions: { bazaar } }),
  }
}

/** The kind of a resource: from its metadata, or else by the scheme of its URL: http, mcp or a2a. */
function resourceType({ urlKey, discovery }: X402Endpoint): string {
  const input = discovery?.info?.input
  if (isObject(input) && typeof input.type === 'string') return input.type
  return urlKey.startsWith('http') ? 'http' : urlKey.slice(0, 3)
}
