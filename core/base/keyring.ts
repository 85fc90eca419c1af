/** The keys with which secrets in the database are encrypted: one that encrypts, and all that decrypt. */

/** 256 bits, by a name that each ciphertext carries. */
export interface SecretKey {
  readonly id: string
  readonly bytes: Uint8Array
}

export interface Keyring {
  /** Encrypts new values. */
  readonly current: SecretKey
  /** Every key that decrypts, the current one among them, by its id. */
  readonly all: ReadonlyMap<string, SecretKey>
}

const SECRET_KEY_BYTES = 32
const KEY_ID = /^[a-z0-9][a-z0-9-]{0,31}$/

/**
 * The key of sandboxes that have none of their own. Everybody can read it here, and live never takes it:
 * what it encrypts is as open as it would be without it.
 */
const PUBLIC_KEY: SecretKey = {
  id: 'public',
  bytes: new Uint8Array(SECRET_KEY_BYTES).fill(0x52),
}

export type ParsedKeyring =
  | { readonly ok: true; readonly keys: readonly SecretKey[] }
  /** What is wrong, without a character of any key. */
  | { readonly ok: false; readonly problem: string }

/** Reads `name:base64` pairs, separated by commas. The first is the current one. */
export function parseSecretKeys(text: string): ParsedKeyring {
  const keys: SecretKey[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    const at = part.indexOf(':')
    const id = part.slice(0, Math.max(0, at))
    if (!KEY_ID.test(id)) {
      return {
        ok: false,
        problem: 'must be pairs of a name (a-z, 0-9, -) and a key: `k1:<base64>`',
      }
    }
    const bytes = bytesOf(part.slice(at + 1))
    if (bytes === null) {
      return { ok: false, problem: `has no key of 32 bytes in base64 under the name ${id}` }
    }
    if (id === PUBLIC_KEY.id || keys.some((key) => key.id === id)) {
      return { ok: false, problem: `must give each key a name of its own, and none is "public"` }
    }
    keys.push({ id, bytes })
  }
  return { ok: true, keys }
}

/** The keyring of these keys, of which the first encrypts; null without any. */
export function keyringOf(keys: readonly SecretKey[]): Keyring | null {
  const [current] = keys
  return current === undefined ? null : { current, all: new Map(keys.map((key) => [key.id, key])) }
}

/** The same with what a sandbox encrypted before it had a key of its own. */
export function sandboxKeyring(keys: readonly SecretKey[]): Keyring {
  const all = [...keys, PUBLIC_KEY]
  return { current: keys[0] ?? PUBLIC_KEY, all: new Map(all.map((key) => [key.id, key])) }
}

function bytesOf(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(text)
    return bytes.length === SECRET_KEY_BYTES ? bytes : null
  } catch {
    return null
  }
}
