import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { apiKeyPrefix, formatApiKey, formatReference } from '../../../core/access/keys.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe('an API key', () => {
  test.each([
    ['secret', 'live', 'sk_live_'],
    ['secret', 'sandbox', 'sk_test_'],
    ['publishable', 'live', 'pk_live_'],
    ['publishable', 'sandbox', 'pk_test_'],
  ] as const)('that is %s has in %s the prefix %s', (kind, environment, prefix) => {
    expect(apiKeyPrefix(kind, environment)).toBe(prefix)
    expect(formatApiKey(kind, environment, new Uint8Array(32))).toStartWith(prefix)
  })

  test('holds all of its 32 random bytes, in letters that need no escaping', () => {
    fc.assert(
      fc.property(bytes(32), (random) => {
        const key = formatApiKey('secret', 'live', random)
        expect(key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/)
        const back = Uint8Array.fromBase64(key.slice(8), { alphabet: 'base64url' })
        expect(back).toEqual(random)
      }),
    )
  })

  test.each([0, 16, 31, 33])('is not made of %p bytes', (length) => {
    expect(() => formatApiKey('secret', 'live', new Uint8Array(length))).toThrow(RangeError)
  })
})

describe('a reference', () => {
  test('has ten characters and none that look alike: no 0 and O, no 1, I and L', () => {
    fc.assert(
      fc.property(bytes(20), (random) => {
        const reference = formatReference(random)
        if (reference !== null) expect(reference).toMatch(/^[2-9A-HJKMNP-Z]{10}$/)
      }),
    )
  })

  test('favours no character: every one of the 31 stands for 8 of the bytes, the rest for none', () => {
    const counts = new Map<string, number>()
    let skipped = 0
    for (let byte = 0; byte < 256; byte++) {
      const reference = formatReference(new Uint8Array(10).fill(byte))
      if (reference === null) skipped += 1
      else counts.set(reference.charAt(0), (counts.get(reference.charAt(0)) ?? 0) + 1)
    }
    expect([counts.size, skipped]).toEqual([31, 256 - 8 * 31])
    expect(new Set(counts.values())).toEqual(new Set([8]))
  })

  test('is null when the random bytes ran out', () => {
    expect(formatReference(new Uint8Array(9))).toBeNull()
    expect(formatReference(new Uint8Array(20).fill(255))).toBeNull()
  })
})
