import type { Chain } from '../chain/registry.ts'
import type { X402Endpoint } from './endpoint.ts'
import { requirementsOf } from './endpoint.ts'
import type { Metadata } from './metadata.ts'
import { X402_VERSION } from './requirements.ts'

/** Resources as clients of the extension "bazaar" read them (@x402/extensions 2.27, DiscoveryResource). */

/** A URL that a merchant has listed, with all that it may be paid at, the newest price first. */
export interface Listed {
  readonly prices: readonly [X402Endpoint, ...X402Endpoint[]]
}

export type DiscoveryJson = ReturnType<typeof presentListed>

export function presentListed({ prices }: Listed, chains: readonly Chain[]) {
  const [newest] = prices
  const { info, schema, routeTemplate, ...about }: Metadata = newest.discovery ?? {}
  const bazaar = info && {
    info,
    ...(schema && { schema }),
    ...(routeTemplate && { routeTemplate }),
  }
  return {
    resource: newest.url,
    type: resourceType(newest.urlKey),
    x402Version: X402_VERSION,
    accepts: prices.map((price) => requirementsOf(price, chains)),
    lastUpdated: newest.updatedAt.toISOString(),
    description: newest.description,
    ...about,
    ...(bazaar && { extensions: { bazaar } }),
  }
}

/** The kind of a resource by the scheme of its URL: http, mcp or a2a. */
function resourceType(urlKey: string): string {
  return urlKey.startsWith('http') ? 'http' : urlKey.slice(0, 3)
}
