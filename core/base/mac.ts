import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Keyring, SecretKey } from './keyring.ts'

/**
 * HMACs (RFC 2104, with SHA-256) of messages between API and workers through the database, so that its
 * credentials alone can't forge them. The key is derived (HKDF, RFC 5869) from one of the keyring, so that what
 * encrypts secrets authenticates nothing: `mac:1:<key>:<base64url>`.
 */

/** What it is about, then its parts in order. JSON keeps them apart: no two lists have one text. */
export type MacParts = readonly [about: string, ...parts: (string | number | boolean | null)[]]

const FORM = /^mac:1:([a-z0-9-]{1,32}):([A-Za-z0-9_-]{43})$/
const LABEL = 'remit 1 messages between processes'
const KEY_BYTES = 32
const derived = new WeakMap<SecretKey, Uint8Array>()

export function macOf({ current }: Keyring, parts: MacParts): string {
  return `mac:1:${current.id}:${digestOf(current, parts).toString('base64url')}`
}

/** Whether a process with the same keys has made it; `unknown_key` where it names one that the keyring lacks. */
export function checkMac(
  { all }: Keyring,
  parts: MacParts,
  mac: string | null,
): 'genuine' | 'wrong' | 'unknown_key' {
  const [, keyId = '', text = ''] = FORM.exec(mac ?? '') ?? []
  if (keyId === '') return 'wrong'
  const key = all.get(keyId)
  if (key === undefined) return 'unknown_key'
  const given = Buffer.from(text, 'base64url')
  const right = digestOf(key, parts)
  return given.length === right.length && timingSafeEqual(given, right) ? 'genuine' : 'wrong'
}

function digestOf(key: SecretKey, parts: MacParts): Buffer {
  return createHmac('sha256', macKeyOf(key))
    .update(JSON.stringify([key.id, ...parts]))
    .digest()
}

function macKeyOf(key: SecretKey): Uint8Array {
  const known = derived.get(key)
  if (known !== undefined) return known
  const made = new Uint8Array(hkdfSync('sha256', key.bytes, '', LABEL, KEY_BYTES))
  derived.set(key, made)
  return made
}
