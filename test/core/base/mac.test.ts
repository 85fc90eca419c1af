import { expect, test } from 'bun:test'
import { createHmac, hkdfSync } from 'node:crypto'
import { keyringOf, type SecretKey, sandboxKeyring } from '../../../core/base/keyring.ts'
import { checkMac, type MacParts, macOf } from '../../../core/base/mac.ts'

const key = (id: string): SecretKey => ({ id, bytes: crypto.getRandomValues(new Uint8Array(32)) })
const [OLD, NEW] = [key('old'), key('new')]
const ring = (...keys: SecretKey[]) => keyringOf(keys) ?? sandboxKeyring([])
const PARTS: MacParts = ['vote', 'a', 'b', null, 1, true]

test('an HMAC is genuine for these parts in this order, and nothing else', () => {
  const mac = macOf(ring(NEW), PARTS)
  expect(checkMac(ring(NEW), PARTS, mac)).toBe('genuine')
  const others: MacParts[] = [
    ['request', 'a', 'b', null, 1, true],
    ['vote', 'b', 'a', null, 1, true],
    ['vote', 'ab', '', null, 1, true],
    ['vote', 'a,b', null, 1, true],
    ['vote', 'a', 'b', '', 1, true],
    ['vote', 'a', 'b', 'null', 1, true],
    ['vote', 'a', 'b', null, '1', true],
    ['vote', 'a', 'b', null, 1],
    ['vote","a', 'b', null, 1, true],
  ]
  for (const parts of others) expect(checkMac(ring(NEW), parts, mac)).toBe('wrong')
})

test('is made by the first key, and known by all of them', () => {
  const mac = macOf(ring(OLD), PARTS)
  expect(checkMac(ring(NEW, OLD), PARTS, mac)).toBe('genuine')
  expect(checkMac(ring(NEW), PARTS, mac)).toBe('unknown_key')
  // Under the name of another key it is none.
  expect(checkMac(ring(NEW, OLD), PARTS, mac.replace('old', 'new'))).toBe('wrong')
  const renamed = { ...NEW, id: 'old' }
  expect(checkMac(ring(renamed), PARTS, mac)).toBe('wrong')
})

test('the key of HMACs is derived by HKDF under a label of its own', () => {
  const label = 'remit 1 messages between processes'
  const own = new Uint8Array(hkdfSync('sha256', NEW.bytes, '', label, 32))
  const digest = createHmac('sha256', own)
    .update(JSON.stringify(['new', ...PARTS]))
    .digest()
  expect(macOf(ring(NEW), PARTS)).toBe(`mac:1:new:${digest.toString('base64url')}`)
})

test('none, and whatever else stands in its place, is wrong', () => {
  const mac = macOf(ring(NEW), PARTS)
  for (const other of [null, '', 'x', mac.slice(0, -1), `${mac}=`, `${mac}\n`, ` ${mac}`]) {
    expect(checkMac(ring(NEW), PARTS, other)).toBe('wrong')
  }
})
