import { lookup } from 'node:dns/promises'
import { formatIp, type IpAddress, type IpNetwork, parseIp } from '../../core/network.ts'
import { isIn, isPublicAddress } from '../../core/publicAddress.ts'
import type { DeliveryFault } from '../../core/webhook/schedule.ts'

/**
 * Where a merchant's URL really leads. Names are resolved here, once, and the connection goes to the
 * very address that was checked: a name that resolves to something else a moment later changes nothing.
 */

/** The addresses of a host, as text. Rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>

export type Destination =
  | { readonly ok: true; readonly host: string; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly fault: DeliveryFault }

/** More addresses of one host than this are not tried. */
const ADDRESSES_TRIED = 3

export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/**
 * The addresses to connect to, IPv4 first, in the form in which a URL holds them. One address that is
 * neither public nor allowed refuses all of them: nobody has such a mixture by accident.
 */
export async function findDestination(
  url: URL,
  allowed: readonly IpNetwork[],
  resolve: Resolve,
): Promise<Destination> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = parseIp(host)
  const found = literal === null ? await resolved(host, resolve) : [literal]
  if (found.length === 0) return { ok: false, fault: 'unknown_host' }
  const isAllowed = (ip: IpAddress | null): ip is IpAddress =>
    ip !== null && (isPublicAddress(ip) || isIn(allowed, ip))
  if (!found.every(isAllowed)) return { ok: false, fault: 'address_not_allowed' }
  const addresses = found
    .toSorted((a, b) => a.version - b.version)
    .slice(0, ADDRESSES_TRIED)
    .map((ip) => (ip.version === 6 ? `[${formatIp(ip)}]` : formatIp(ip)))
  return { ok: true, host: literal === null ? host : '', addresses }
}

async function resolved(host: string, resolve: Resolve): Promise<readonly (IpAddress | null)[]> {
  try {
    return (await resolve(host)).map(parseIp)
  } catch {
    // However a resolver says it, there is no address to connect to.
    return []
  }
}
