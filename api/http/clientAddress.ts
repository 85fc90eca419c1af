import {
  clientKey,
  formatIp,
  type IpAddress,
  type IpNetwork,
  isIn,
  networkKeys,
  parseIp,
} from '../../core/base/network.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * Identifies the client for the rate limits. Anybody can write X-Forwarded-For, so it is read from
 * its end, and only as far as the hops are trusted proxies.
 */
export function clientOf(
  peer: string | null,
  forwardedFor: string | null,
  trusted: readonly IpNetwork[],
): string {
  const client = hopOf(peer, forwardedFor, trusted)
  return client === null ? 'unknown' : clientKey(client)
}

function hopOf(
  peer: string | null,
  forwardedFor: string | null,
  trusted: readonly IpNetwork[],
): IpAddress | null {
  let client = peer === null ? null : parseIp(peer)
  if (client === null) return null
  const hops = trusted.length === 0 ? [] : (forwardedFor ?? '').split(',')
  for (const hop of hops.reverse()) {
    if (!isIn(trusted, client)) break
    const next = parseIp(withoutPort(hop.trim()))
    if (next === null) break
    client = next
  }
  return client
}

/** The client of a request. */
export function clientOfExchange(
  { config, peer }: Pick<ApiDependencies, 'config' | 'peer'>,
  exchange: Exchange,
): string {
  const forwardedFor = exchange.request.headers.get('x-forwarded-for')
  return clientOf(peer(exchange), forwardedFor, config.trustedProxies)
}

/** The networks that the client of a request is in, the narrowest first: the client itself. */
export function networksOfExchange(
  { config, peer }: Pick<ApiDependencies, 'config' | 'peer'>,
  exchange: Exchange,
): readonly [string, ...string[]] {
  const forwardedFor = exchange.request.headers.get('x-forwarded-for')
  const client = hopOf(peer(exchange), forwardedFor, config.trustedProxies)
  return client === null ? ['unknown'] : networkKeys(client)
}

/** The address itself of a request's client, for people to read; null where there is none. */
export function addressOfExchange(
  { config, peer }: Pick<ApiDependencies, 'config' | 'peer'>,
  exchange: Exchange,
): string | null {
  const forwardedFor = exchange.request.headers.get('x-forwarded-for')
  const client = hopOf(peer(exchange), forwardedFor, config.trustedProxies)
  return client && formatIp(client)
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1] ?? hop
  const withPort = /^([0-9.]+):\d+$/.exec(hop)
  return withPort ? (withPort[1] ?? hop) : hop
}
