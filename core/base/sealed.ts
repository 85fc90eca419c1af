import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Keyring } from './keyring.ts'

/**
 * Secrets as they lie in the database: `sealed:1:<key>:<base64url>`, of which the last part is the nonce,
 * the ciphertext and the tag of AES-256-GCM (NIST SP 800-38D). The place is authenticated with it, so that
 * what was written into one row decrypts in no other, nor in another column.
 */

/** What of the database a secret belongs to. */
export interface SecretPlace {
  /** What kind of secret it is: a column, by the name that it has had from the beginning. */
  readonly column: SecretColumn
  readonly rowId: string
}

/** A replaced webhook secret moves from one column to another as it is, so that both are one place. */
export type SecretColumn = 'webhook_endpoint.secret' | 'twoFactor.secret' | 'twoFactor.backupCodes'

export const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = /^sealed:1:([a-z0-9-]{1,32}):([A-Za-z0-9_-]+)$/

/** A stored secret that can't be read. The message has nothing of it. */
export class SealedSecretError extends Error {
  override readonly name = 'SealedSecretError'
}

/** Encrypts with the current key; `nonce` is 96 random bits that were never used before. */
export function sealWith(
  { current }: Keyring,
  place: SecretPlace,
  plain: string,
  nonce: Uint8Array,
): string {
  const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce)
  cipher.setAAD(authenticated(current.id, place))
  const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `sealed:1:${current.id}:${Buffer.concat(parts).toString('base64url')}`
}

/**
 * Decrypts.
 *
 * @throws SealedSecretError when its key is missing, or when it is of another place or was changed.
 */
export function unseal({ all }: Keyring, place: SecretPlace, stored: string): string {
  const [, keyId = '', text = ''] = FORM.exec(stored) ?? []
  const key = all.get(keyId)
  if (key === undefined) {
    const name = keyId === '' ? 'no key' : `the key "${keyId}", which ENCRYPTION_KEYS lacks`
    throw new SealedSecretError(`${place.column} of ${place.rowId} is encrypted with ${name}`)
  }
  const bytes = Buffer.from(text, 'base64url')
  try {
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(authenticated(keyId, place))
    decipher.setAuthTag(bytes.subarray(end))
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8')
    )
  } catch {
    throw new SealedSecretError(
      `${place.column} of ${place.rowId} was written for another row, or with another key "${keyId}"`,
    )
  }
}

/** How every secret begins that this key has encrypted. */
export function sealedPrefix(keyId: string): string {
  return `sealed:1:${keyId}:`
}

function authenticated(keyId: string, { column, rowId }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(['remit', 1, keyId, column, rowId]))
}
