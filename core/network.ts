/** Internet addresses and networks, as far as limits and trust depend on them. */

/** 4 or 16 bytes as one number. IPv4 addresses that are mapped into IPv6 are IPv4 here. */
export interface IpAddress {
  readonly version: 4 | 6
  readonly value: bigint
}

export interface IpNetwork extends IpAddress {
  readonly prefix: number
}

const BITS = { 4: 32, 6: 128 } as const
/** ::ffff:0:0/96 of RFC 4291, section 2.5.5.2. */
const MAPPED = 0xffffn

/** Reads an address; null when it is none. A zone (`%eth0`) is dropped. */
export function parseIp(text: string): IpAddress | null {
  const bare = text.replace(/%.*$/, '')
  if (!bare.includes(':')) {
    const value = ipv4Value(bare)
    return value === null ? null : { version: 4, value }
  }
  const value = ipv6Value(bare)
  if (value === null) return null
  return value >> 32n === MAPPED
    ? { version: 4, value: value & 0xffffffffn }
    : { version: 6, value }
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
  const [parts, bits, radix] = version === 4 ? [4, 8n, 10] : [8, 16n, 16]
  const groups = Array.from({ length: parts }, (_, i) => {
    const shift = bits * BigInt(parts - 1 - i)
    return ((value >> shift) & ((1n << bits) - 1n)).toString(radix)
  })
  return groups.join(version === 4 ? '.' : ':')
}

/** Who counts as one client: an IPv4 address, or the /64 that an IPv6 customer is given. */
export function clientKey(ip: IpAddress): string {
  if (ip.version === 6) return `v6-${(ip.value >> 64n).toString(16)}`
  return `v4-${ip.value.toString(16)}`
}

function ipv4Value(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function ipv6Value(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = groupsOf(halves[0] ?? '', halves.length === 1)
  const tail = groupsOf(halves[1] ?? '', true)
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** The 16-bit groups of one side of `::`; an IPv4 address at the very end makes two of them. */
function groupsOf(text: string, isEnd: boolean): bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (isEnd && index === parts.length - 1 && part.includes('.')) {
      const value = ipv4Value(part)
      if (value === null) return null
      groups.push(value >> 16n, value & 0xffffn)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return null
      groups.push(BigInt(`0x${part}`))
    }
  }
  return groups
}
