import { isIP } from 'node:net'
import { formatIp, type IpAddress, type IpNetwork, isIn, parseIp } from '../../core/base/network.ts'
import { isPublicAddress } from '../../core/webhook/publicAddress.ts'
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
/** Addresses whose check is remembered. */
const ADDRESSES_REMEMBERED = 1_000

/**
 * Queries /etc/hosts and the nameservers of /etc/resolv.conf, of which the latter is read once per process.
 * Other backends, and this one for `.local` and `.localhost`, hold a thread per name until a nameserver
 * answers; a few silent ones would stop every other lookup, connection and file of the process.
 */
export const resolveBySystem: Resolve = async (host) => {
  const found = await Bun.dns.lookup(host, { backend: 'c-ares' })
  return found.map(({ address }) => address)
}

/** Finds the addresses to connect to, IPv4 first, in the form in which a URL holds them. */
export type FindDestination = (url: URL) => Destination | Promise<Destination>

/**
 * Finds where URLs lead. One address that is neither public nor in an allowed network refuses all of a host's
 * addresses: no host has such a mixture by accident.
 */
export function createDestinations(
  allowed: readonly IpNetwork[],
  resolve: Resolve,
): FindDestination {
  const checked = new Map<string, Checked>()

  function check(text: string): Checked {
    const known = checked.get(text)
    if (known !== undefined) return known
    if (checked.size >= ADDRESSES_REMEMBERED) checked.clear()
    const ip = parseIp(text)
    const isAllowed = ip !== null && (isPublicAddress(ip) || isIn(allowed, ip))
    const found = isAllowed ? { version: ip.version, text: textInUrl(ip) } : null
    checked.set(text, found)
    return found
  }

  return (url) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0) return destination('', [check(host)])
    return resolved(host, resolve).then((found) => destination(host, found.map(check)))
  }
}

/** An address in the form in which a URL holds it; null for one that may not be sent to. */
type Checked = { readonly version: 4 | 6; readonly text: string } | null

function destination(host: string, found: readonly Checked[]): Destination {
  if (found.length === 0) return { ok: false, fault: 'unknown_host' }
  const allowed = found.filter((address) => address !== null)
  if (allowed.length < found.length) return { ok: false, fault: 'address_not_allowed' }
  const tried = allowed.toSorted((a, b) => a.version - b.version).slice(0, ADDRESSES_TRIED)
  return { ok: true, host, addresses: tried.map(({ text }) => text) }
}

function textInUrl(ip: IpAddress): string {
  return ip.version === 6 ? `[${formatIp(ip)}]` : formatIp(ip)
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host)
  } catch {
    // On any error of the resolver there is no address to connect to.
    return []
  }
}
