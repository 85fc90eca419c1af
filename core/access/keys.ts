import type { Environment } from '../chain/table.ts'

export type ApiKeyKind = 'secret' | 'publishable'

/** The prefix of an API key, e.g. `sk_live_` or `pk_test_`. */
export function apiKeyPrefix(kind: ApiKeyKind, environment: Environment): string {
  return `${kind === 'secret' ? 'sk' : 'pk'}_${environment === 'live' ? 'live' : 'test'}_`
}

/** Builds an API key from 32 random bytes. The key is shown once and stored only as its SHA-256. */
export function formatApiKey(
  kind: ApiKeyKind,
  environment: Environment,
  random: Uint8Array,
): string {
  if (random.length !== 32) throw new RangeError('an API key is made of 32 random bytes')
  return (
    apiKeyPrefix(kind, environment) + random.toBase64({ alphabet: 'base64url', omitPadding: true })
  )
}

/** Digits and letters without look-alikes: no 0 and O, no 1, I and L. */
const REFERENCE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const REFERENCE_LENGTH = 10

/**
 * Turns random bytes into a human-readable invoice reference. Bytes that would favour some letters are skipped,
 * so pass a few more than 10; returns null when they ran out.
 */
export function formatReference(random: Uint8Array): string | null {
  const limit = 256 - (256 % REFERENCE_ALPHABET.length)
  let reference = ''
  for (const byte of random) {
    if (byte >= limit) continue
    reference += REFERENCE_ALPHABET.charAt(byte % REFERENCE_ALPHABET.length)
    if (reference.length === REFERENCE_LENGTH) return reference
  }
  return null
}

/** This many letters of a reference match few invoices of all merchants. */
const LEAST_START = 4

/** True for a reference, or a prefix long enough to search for. */
export function isReferenceStart(text: string): boolean {
  const isLong = text.length >= LEAST_START && text.length <= REFERENCE_LENGTH
  return isLong && [...text].every((letter) => REFERENCE_ALPHABET.includes(letter))
}

/** The last reference that begins so, in the order of the alphabet. */
export function lastReference(start: string): string {
  return start.padEnd(REFERENCE_LENGTH, REFERENCE_ALPHABET.slice(-1))
}
