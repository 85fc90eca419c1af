import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  clientKey,
  contains,
  mostOfNetwork,
  networkKeys,
  parseIp,
  parseNetwork,
} from '../../../core/base/network.ts'

const ipv4 = fc.ipV4()
const ipv6 = fc.ipV6()

describe('an address', () => {
  test('of either version is read, regardless of its form', () => {
    fc.assert(fc.property(ipv4, (text) => parseIp(text)?.version === 4))
    fc.assert(fc.property(ipv6, (text) => parseIp(text) !== null))
  })

  test('means the same in its long and its short form', () => {
    expect(parseIp('2001:db8::1')).toEqual(parseIp('2001:0db8:0:0:0:0:0:0001'))
    expect(parseIp('::')).toEqual({ version: 6, value: 0n })
    expect(parseIp('fe80::1%eth0')).toEqual(parseIp('fe80::1'))
    expect(parseIp('::ffff:192.0.2.1')).toEqual(parseIp('192.0.2.1'))
    expect(parseIp('64:ff9b::192.0.2.33')).toEqual(parseIp('64:ff9b::c000:221'))
  })

  test.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.x',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    '1.2.3.4::',
    '::01.2.3.4',
    '0x7f.1',
    'localhost',
  ])('is not %j', (text) => {
    expect(parseIp(text)).toBeNull()
  })

  test('is one client with its /64 in version 6, and alone in version 4', () => {
    const key = (text: string) => {
      const ip = parseIp(text)
      return ip === null ? null : clientKey(ip)
    }
    expect(key('2001:db8:0:1::1')).toBe(key('2001:db8:0:1:ffff:ffff:ffff:ffff'))
    expect(key('2001:db8:0:1::1')).not.toBe(key('2001:db8:0:2::1'))
    expect(key('192.0.2.1')).not.toBe(key('192.0.2.2'))
    expect(key('::c000:201')).not.toBe(key('192.0.2.1'))
    expect(key('::192.0.2.1')).toBe(key('::c000:201'))
  })
})

describe('the networks of an address', () => {
  const keysOf = (text: string) => {
    const ip = parseIp(text)
    if (ip === null) throw new Error(`${text} is read`)
    return networkKeys(ip)
  }

  test('are its /64, /56 and /48, or it alone and its /24', () => {
    const [client, ...wider] = keysOf('2001:db8:1:2ff::1')
    expect(keysOf('2001:db8:1:2ff:8000::')).toEqual([client, ...wider])
    expect(keysOf('2001:db8:1:200::1').slice(1)).toEqual(wider)
    expect(keysOf('2001:db8:1:200::1')[0]).not.toBe(client)
    expect(keysOf('2001:db8:1:300::1').map((key, n) => key === [client, ...wider][n])).toEqual([
      false,
      false,
      true,
    ])
    expect(keysOf('192.0.2.1')[1]).toBe(keysOf('192.0.2.255')[1] ?? '')
    expect(keysOf('192.0.2.1')[1]).not.toBe(keysOf('192.0.3.1')[1] ?? '')
    const all = ['192.0.2.1', '::c000:201', '2001:db8::1'].flatMap(keysOf)
    expect(new Set(all).size).toBe(all.length)
  })

  test('have as much as a client, and the widest of several twice as much', () => {
    const of = (networks: readonly string[]) =>
      networks.map((_, n) => mostOfNetwork(n, networks, 5))
    expect(of(['unknown'])).toEqual([5])
    expect(of(['client', '/24'])).toEqual([5, 10])
    expect(of(['client', '/56', '/48'])).toEqual([5, 5, 10])
  })
})

describe('a network', () => {
  test('contains exactly the addresses that begin like it', () => {
    const bits = fc.integer({ min: 0, max: 32 })
    fc.assert(
      fc.property(ipv4, ipv4, bits, (base, other, prefix) => {
        const network = parseNetwork(`${base}/${prefix}`)
        const [a, b] = [parseIp(base), parseIp(other)]
        if (network === null || a === null || b === null) return false
        const begin = (value: bigint) => value.toString(2).padStart(32, '0').slice(0, prefix)
        return contains(network, a) && contains(network, b) === (begin(a.value) === begin(b.value))
      }),
    )
  })

  test('of one version contains nothing of the other', () => {
    const everything = parseNetwork('::/0')
    const four = parseIp('192.0.2.1')
    if (everything === null || four === null) throw new Error('they are read')
    expect(contains(everything, four)).toBe(false)
  })

  test.each(['10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', 'x/8'])(
    'is not %j',
    (text) => {
      expect(parseNetwork(text)).toBeNull()
    },
  )
})
