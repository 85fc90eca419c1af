import { type IpAddress, isIn, networks } from '../base/network.ts'

/**
 * Which addresses a merchant may make us connect to. Any address that is not unicast on the public internet
 * could be a machine beside ours: IANA's registries of special-purpose addresses, RFC 6890.
 */

const SPECIAL_IPV4 = networks([
  '0.0.0.0/8', // "This network", RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carriers' own (CGNAT), RFC 6598
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's service for its machines, at a public address
  '169.254.0.0/16', // link-local, RFC 3927: the clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private
  '198.18.0.0/15', // measurements, RFC 2544
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
])

/** All that is allocated as global unicast: RFC 4291, section 2.4. */
const GLOBAL_IPV6 = networks(['2000::/3'])
const SPECIAL_IPV6 = networks([
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which leads to an IPv4 address of the sender's choice
  '3fff::/20', // documentation
])
/** NAT64 leads to the IPv4 address in its last 32 bits: RFC 6052. */
const NAT64 = networks(['64:ff9b::/96'])

/** True for an address of the public internet, which can't lead into a network of ours. */
export function isPublicAddress(ip: IpAddress): boolean {
  if (ip.version === 4) return !isIn(SPECIAL_IPV4, ip)
  if (isIn(NAT64, ip)) return isPublicAddress({ version: 4, value: ip.value & 0xffffffffn })
  return isIn(GLOBAL_IPV6, ip) && !isIn(SPECIAL_IPV6, ip)
}
