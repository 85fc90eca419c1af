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

type Socket = Pick<ApiDependencies, 'config' | 'peer'>

/**
 * The address of a request's client, null where there is none. Any client can write X-Forwarded-For, so it is
 * read from its end, only through trusted proxies.
 */
function clientOf({ config, peer }: Socket, exchange: Exchange): IpAddress | null {
  const forwardedFor = exchange.request.headers.get('x-forwarded-for')
  return hopOf(peer(exchange), forwardedFor, config.trustedProxies)
}

/** Identifies the client of a request for the rate limits. */
export function clientOfExchange(deps: Socket, exchange: Exchange): string {
  const client = clientOf(deps, exchange)
  return client === null ? 'unknown' : clientKey(client)
}

/** The networks of a request's client, the narrowest first: the client itself. */
export function networksOfExchange(
  deps: Socket,
  exchange: Exchange,
): readonly [string, ...string[]] {
  const client = clientOf(deps, exchange)
  return client === null ? ['unknown'] : networkKeys(client)
}

/** The client's address for display; null where there is none. */
export function addressOfExchange(deps: Socket, exchange: Exchange): string | null {
  const client = clientOf(deps, exchange)
  return client && formatIp(client)
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1] ?? hop
  const withPort = /^([0-9.]+):\d+$/.exec(hop)
  return withPort ? (withPort[1] ?? hop) : hop
}
