import { describe, expect, test } from 'bun:test'
import { formatIp, parseIp } from '../../../core/base/network.ts'
import { isPublicAddress } from '../../../core/webhook/publicAddress.ts'

function isPublic(text: string): boolean {
  const ip = parseIp(text)
  if (ip === null) throw new Error(`${text} is no address`)
  return isPublicAddress(ip)
}

describe('an address is public', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '64:ff9b::101:101',
    '::ffff:1.1.1.1',
  ])('when it is %s', (text) => {
    expect(isPublic(text)).toBe(true)
  })
})

describe('an address is not public', () => {
  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.255',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('when it is %s', (text) => {
    expect(isPublic(text)).toBe(false)
  })
})

test('an address is written in one form', () => {
  const forms = ['1.2.3.4', '::ffff:1.2.3.4', '::1', '2606:4700::1111'].map((text) => {
    const ip = parseIp(text)
    return ip === null ? null : formatIp(ip)
  })
  expect(forms).toEqual(['1.2.3.4', '1.2.3.4', '0:0:0:0:0:0:0:1', '2606:4700:0:0:0:0:0:1111'])
})
