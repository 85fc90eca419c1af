import type { Keyring } from '../../core/secrets/keyring.ts'
import { NONCE_BYTES, type SecretPlace, sealWith } from '../../core/secrets/sealed.ts'

/** Encrypts a secret for its place with the current key, under a nonce of its own. */
export function seal(keys: Keyring, place: SecretPlace, plain: string): string {
  return sealWith(keys, place, plain, crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
}
