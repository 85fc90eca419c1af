import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  keyringOf,
  parseSecretKeys,
  type SecretKey,
  sandboxKeyring,
} from '../../../core/base/keyring.ts'
import { SealedSecretError, unseal } from '../../../core/base/sealed.ts'
import { seal } from '../../../store/database/seal.ts'

const key = (id: string): SecretKey => ({ id, bytes: crypto.getRandomValues(new Uint8Array(32)) })
const [OLD, NEW] = [key('old'), key('new')]
const ring = (...keys: SecretKey[]) => {
  const keyring = keyringOf(keys)
  if (keyring === null) throw new Error('there is no key')
  return keyring
}
const PLACE = { column: 'webhook_endpoint.secret', rowId: 'a' } as const

describe('a sealed secret', () => {
  test('opens in its own place, regardless of what it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        expect(unseal(ring(OLD), PLACE, seal(ring(OLD), PLACE, plain))).toBe(plain)
      }),
    )
  })

  test('opens in no other row and no other column', () => {
    const stored = seal(ring(OLD), PLACE, 'whsec_1')
    expect(() => unseal(ring(OLD), { ...PLACE, rowId: 'b' }, stored)).toThrow(SealedSecretError)
    const elsewhere = { ...PLACE, column: 'twoFactor.secret' } as const
    expect(() => unseal(ring(OLD), elsewhere, stored)).toThrow(SealedSecretError)
  })

  test('is refused when one bit of it was changed', () => {
    const stored = seal(ring(OLD), PLACE, 'whsec_1')
    const at = stored.lastIndexOf(':') + 1
    const bytes = Buffer.from(stored.slice(at), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const text = stored.slice(0, at) + changed.toString('base64url')
      expect(() => unseal(ring(OLD), PLACE, text)).toThrow(SealedSecretError)
    }
  })

  test('never reads the same twice, and shows nothing of what it holds', () => {
    const [one, other] = [seal(ring(OLD), PLACE, 'whsec_1'), seal(ring(OLD), PLACE, 'whsec_1')]
    expect(one).not.toBe(other)
    expect(one).toStartWith('sealed:1:old:')
    expect(one).not.toContain('whsec')
  })

  test('of an old key opens as long as that is there, and says which one it lacks', () => {
    const stored = seal(ring(OLD), PLACE, 'whsec_1')
    expect(unseal(ring(NEW, OLD), PLACE, stored)).toBe('whsec_1')
    expect(seal(ring(NEW, OLD), PLACE, 'whsec_1')).toStartWith('sealed:1:new:')
    expect(() => unseal(ring(NEW), PLACE, stored)).toThrow('the key "old", which ENCRYPTION_KEYS')
    const forged = { id: 'old', bytes: NEW.bytes }
    expect(() => unseal(ring(forged), PLACE, stored)).toThrow('another key "old"')
  })

  test('of an unknown form is refused, and so is one that is not encrypted', () => {
    for (const text of [
      'whsec_1',
      'sealed:',
      'sealed:2:old:AAAA',
      'sealed:1:old:',
      'sealed:1:old:AAAA',
    ]) {
      expect(() => unseal(ring(OLD), PLACE, text)).toThrow(SealedSecretError)
    }
  })
})

describe('keys', () => {
  const BASE64 = Buffer.alloc(32, 7).toString('base64')

  test('are read in their order, the first of them encrypts', () => {
    const parsed = parseSecretKeys(`b:${BASE64}, a:${BASE64}`)
    expect(parsed.ok && parsed.keys.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(ring(NEW, OLD).current.id).toBe('new')
  })

  test.each([
    [BASE64, 'pairs of a name'],
    [`K:${BASE64}`, 'pairs of a name'],
    [`k:${BASE64.slice(4)}`, 'no key of 32 bytes in base64 under the name k'],
    ['k:secret words', 'no key of 32 bytes in base64 under the name k'],
    [`k:${BASE64},k:${BASE64}`, 'a name of its own'],
    [`public:${BASE64}`, 'a name of its own'],
  ])('%s is refused, without a word of it', (text, problem) => {
    const parsed = parseSecretKeys(text)
    if (parsed.ok) throw new Error('it was taken')
    expect(parsed.problem).toContain(problem)
    expect(parsed.problem).not.toContain('Bwc')
    expect(parsed.problem).not.toContain('words')
  })

  test('of a sandbox end with the one that it has without any', () => {
    const before = sandboxKeyring([])
    const after = sandboxKeyring([NEW])
    const stored = seal(before, PLACE, 'whsec_1')
    expect(after.current.id).toBe('new')
    expect(unseal(after, PLACE, stored)).toBe('whsec_1')
  })
})
