import type { Keyring } from '../../core/base/keyring.ts'
import { NONCE_BYTES, type SecretPlace, sealWith } from '../../core/base/sealed.ts'

/** Encrypts a secret for its column and row with the current key, under a nonce of its own. */
export function seal(keys: Keyring, place: SecretPlace, plain: string): string {
  return sealWith(keys, place, plain, crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
}
