import ipaddr from 'ipaddr.js'

/** Internet addresses and networks, for rate limits and for whom to trust. */

/** 4 or 16 bytes as one number. IPv4 addresses that are mapped into IPv6 are IPv4 here. */
export interface IpAddress {
  readonly version: 4 | 6
  readonly value: bigint
}

export interface IpNetwork extends IpAddress {
  readonly prefix: number
}

const { IPv4, IPv6 } = ipaddr
const FOUR_NUMBERS = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/
const BITS = { 4: 32, 6: 128 } as const
/** What one customer is given, or one site: RIPE-690, sections 4.2.1 to 4.2.3; of IPv4, the least that is routed. */
const WIDER = { 4: [24], 6: [56, 48] } as const

/** Reads an address; null when it is none. A zone (`%eth0`) is dropped. */
export function parseIp(text: string): IpAddress | null {
  const bare = text.replace(/%.*$/, '')
  return bare.includes(':') ? parseIpv6(bare) : parseIpv4(bare)
}

/** Four decimal numbers without leading zeros. By hand: each request has an address. */
function parseIpv4(text: string): IpAddress | null {
  const bytes = FOUR_NUMBERS.test(text) ? text.split('.').map(Number) : [256]
  if (bytes.some((byte) => byte > 255)) return null
  return { version: 4, value: BigInt(bytes.reduce((high, byte) => high * 256 + byte, 0)) }
}

/** Its last 32 bits may be written as IPv4. The library would take `::1.2.3.4` for IPv4 altogether. */
function parseIpv6(text: string): IpAddress | null {
  const [, beginning, embedded] = /^(.*:)([^:]*\..*)$/.exec(text) ?? []
  if (beginning === undefined || embedded === undefined) {
    return IPv6.isValid(text) ? fromBytes(ipaddr.process(text)) : null
  }
  const end = parseIpv4(embedded)?.value
  if (end === undefined) return null
  return parseIpv6(`${beginning}${(end >> 16n).toString(16)}:${(end & 0xffffn).toString(16)}`)
}

function fromBytes(parsed: ipaddr.IPv4 | ipaddr.IPv6): IpAddress {
  const bytes = parsed.toByteArray()
  const value = bytes.reduce((high, byte) => (high << 8n) | BigInt(byte), 0n)
  return { version: bytes.length === 4 ? 4 : 6, value }
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address; null when it is none of these. */
export function parseNetwork(text: string): IpNetwork | null {
  const [address = '', length, ...rest] = text.split('/')
  const ip = parseIp(address)
  if (ip === null || rest.length > 0) return null
  const bits = BITS[ip.version]
  if (length === undefined) return { ...ip, prefix: bits }
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return null
  return { ...ip, prefix: Number(length) }
}

export function contains(network: IpNetwork, ip: IpAddress): boolean {
  if (network.version !== ip.version) return false
  const shift = BigInt(BITS[ip.version] - network.prefix)
  return network.value >> shift === ip.value >> shift
}

/** The address in the one form in which it goes into a URL; IPv6 without brackets. */
export function formatIp({ version, value }: IpAddress): string {
  const bytes = Uint8Array.fromHex(value.toString(16).padStart(BITS[version] / 4, '0'))
  return (version === 4 ? new IPv4([...bytes]) : new IPv6([...bytes])).toNormalizedString()
}

/** Who counts as one client: an IPv4 address, or the /64 that an IPv6 customer is given. */
export function clientKey(ip: IpAddress): string {
  if (ip.version === 6) return `v6-${(ip.value >> 64n).toString(16)}`
  return `v4-${ip.value.toString(16)}`
}

/** The networks of an address from which limits count, the narrowest first: that of the client itself. */
export function networkKeys(ip: IpAddress): readonly [string, ...string[]] {
  const wider = (prefix: number) =>
    `v${ip.version}/${prefix}-${(ip.value >> BigInt(BITS[ip.version] - prefix)).toString(16)}`
  return [clientKey(ip), ...WIDER[ip.version].map(wider)]
}

/**
 * How many of something a network may have, where one client may have so many: the widest of its networks, which may
 * belong to several customers, twice as many. `place` is the network's among those of `networkKeys`.
 */
export function mostOfNetwork(
  place: number,
  networks: readonly unknown[],
  perClient: number,
): number {
  return place > 0 && place === networks.length - 1 ? 2 * perClient : perClient
}

export function isIn(among: readonly IpNetwork[], ip: IpAddress): boolean {
  return among.some((network) => contains(network, ip))
}

/** Networks whose notation is known to be right; throws an Error when it isn't. */
export function networks(texts: readonly string[]): readonly IpNetwork[] {
  return texts.map((text) => {
    const network = parseNetwork(text)
    if (network === null) throw new Error(`${text} is no network`)
    return network
  })
}
