import type { Hex } from '../chain/evm.ts'
import type { Reader } from './reader.ts'

/**
 * Where the keys of a role are: in the process, or in a store that signs and never shows them. Given as a URL,
 * or as a private key in a variable of its own.
 */
export type SignerSource =
  | { readonly type: 'key'; readonly key: Hex }
  | { readonly type: 'file'; readonly path: string }
  | KmsSource
  | Pkcs11Source

/** A key of AWS KMS: its id, its alias or its ARN. */
export interface KmsSource {
  readonly type: 'awskms'
  readonly keyId: string
  /** Null: from AWS_REGION or the profile. */
  readonly region: string | null
  /** Null: AWS' own for the region. */
  readonly endpoint: string | null
}

/** A key of a token that is reached by a PKCS#11 module, as RFC 7512 names it. */
export interface Pkcs11Source {
  readonly type: 'pkcs11'
  /** The path of the module, a shared library. */
  readonly module: string
  /** The labels of the token and of the key pair on it. */
  readonly token: string
  readonly object: string
  /** The file with the user's PIN. */
  readonly pinFile: string
}

type Parsed =
  | { readonly ok: true; readonly source: SignerSource }
  | { readonly ok: false; readonly message: string }

const SCHEMES = /^(awskms|pkcs11|file):/
const ARN_REGION = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):/
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** True for what names a signer, and not an address. */
export function isSignerUrl(text: string): boolean {
  return SCHEMES.test(text)
}

/** Reads the URL of a signer. The message follows the variable's name. */
export function parseSignerUrl(text: string): Parsed {
  if (text.startsWith('awskms:')) return parseKms(text)
  if (text.startsWith('pkcs11:')) return parsePkcs11(text)
  if (text.startsWith('file:')) return parseFile(text)
  return wrong('must be a URL: awskms:///alias/NAME, pkcs11:token=…;object=…?… or file:///PATH')
}

function parseKms(text: string): Parsed {
  const url = URL.parse(text)
  const keyId = url === null ? '' : decoded(url.pathname.slice(1))
  if (url === null || url.host !== '' || keyId === null || !/^[\w/:-]{1,2048}$/.test(keyId)) {
    return wrong('must be awskms:///alias/NAME, awskms:///KEY-ID or awskms:///ARN')
  }
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isSafe(endpoint)) {
    return wrong('must name an endpoint by https, or by http on this machine')
  }
  const region = url.searchParams.get('region') ?? ARN_REGION.exec(keyId)?.[1] ?? null
  return { ok: true, source: { type: 'awskms', keyId, region, endpoint } }
}

/** Credentials of AWS are sent there. */
function isSafe(endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

/** RFC 7512, of which a token, an object, a module and a PIN's file are understood, and must be there. */
function parsePkcs11(text: string): Parsed {
  const [path = '', query = ''] = text.slice('pkcs11:'.length).split('?')
  const attributes = new Map<string, string>()
  for (const part of [...path.split(';'), ...query.split('&')]) {
    const at = part.indexOf('=')
    const value = decoded(part.slice(at + 1))
    if (at > 0 && value !== null) attributes.set(part.slice(0, at), value)
  }
  const module = attributes.get('module-path')
  const token = attributes.get('token')
  const object = attributes.get('object')
  const pinFile = attributes.get('pin-source')?.replace(/^file:(\/\/)?/, '')
  if (attributes.has('pin-value')) {
    return wrong('must name a file with the PIN (pin-source), not the PIN')
  }
  if (!module?.startsWith('/') || !token || !object || !pinFile?.startsWith('/')) {
    return wrong('must be pkcs11:token=T;object=O?module-path=/PATH.so&pin-source=/PATH')
  }
  return { ok: true, source: { type: 'pkcs11', module, token, object, pinFile } }
}

function parseFile(text: string): Parsed {
  const url = URL.parse(text)
  const path = url === null || url.host !== '' ? null : decoded(url.pathname)
  if (path === null || !text.startsWith('file:///') || path.length < 2) {
    return wrong('must be file:///PATH of a file with a private key')
  }
  return { ok: true, source: { type: 'file', path } }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function wrong(message: string): Parsed {
  return { ok: false, message }
}

/** One signer of a role: NAME with a URL, or NAME_KEY with a private key, and not both. */
export function signerOf(reader: Reader, name: string): SignerSource {
  const text = reader.optional(name)
  const isUrl = text !== null && isSignerUrl(text)
  // An address there is for `hub deploy`, and doesn't locate the key.
  if (!isUrl) return { type: 'key', key: reader.key(`${name}_KEY`, name) }
  if (reader.optional(`${name}_KEY`) !== null) {
    reader.problem(`${name} and ${name}_KEY are both set: unset ${name}_KEY`)
  }
  return sourceOf(reader, name, text) ?? { type: 'file', path: '' }
}

/** The keys of KEYS, as they are, and the signers that SIGNERS names by their URLs. */
export function signersOf(reader: Reader, keys: string, signers: string): SignerSource[] {
  const urls = reader.list(signers).flatMap((text) => sourceOf(reader, signers, text) ?? [])
  return [...reader.keys(keys).map((key) => ({ type: 'key' as const, key })), ...urls]
}

function sourceOf(reader: Reader, name: string, text: string): SignerSource | null {
  const parsed = parseSignerUrl(text)
  if (parsed.ok) return parsed.source
  reader.problem(`${name} ${parsed.message}`)
  return null
}
