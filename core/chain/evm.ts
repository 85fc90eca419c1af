import { isAddress } from 'viem'
import { keccak256 } from './keccak.ts'

declare const addressBrand: unique symbol

/** Twenty bytes in lower-case hexadecimal, the one form in which addresses are stored and compared. */
export type Address = `0x${string}` & { readonly [addressBrand]: 'lower case' }
/** The same with the EIP-55 checksum in its capitals: for display and JSON, never compared. */
export type ChecksumAddress = `0x${string}` & { readonly [addressBrand]: 'checksum' }
/** Any bytes in hexadecimal. */
export type Hex = `0x${string}`

const LOWER_CASE_ADDRESS = /^0x[0-9a-f]{40}$/
const ANY_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-f]{64}$/

export function isLowerCaseAddress(text: string): text is Address {
  return LOWER_CASE_ADDRESS.test(text)
}

export function isHash(text: string): text is Hex {
  return HASH.test(text)
}

/**
 * Reads an address: all lower case, or with a correct EIP-55 checksum. Returns it
 * in lower case, or null when it is no address or its checksum is wrong.
 */
export function parseAddress(text: string): Address | null {
  if (isLowerCaseAddress(text)) return text
  // viem caches every input.
  if (!ANY_ADDRESS.test(text)) return null
  return isAddress(text, { strict: true }) ? anyCaseAddress(text) : null
}

/** Reads an address whose capitals don't matter; null when it is none. */
export function anyCaseAddress(text: string): Address | null {
  const lower = ANY_ADDRESS.test(text) ? text.toLowerCase() : text
  return isLowerCaseAddress(lower) ? lower : null
}

/** Lower-cases an address that a node or library returned. Throws a TypeError when it isn't one. */
export function lowerCaseAddress(text: string): Address {
  const address = anyCaseAddress(text)
  if (address === null) throw new TypeError(`not an address: ${text}`)
  return address
}

export const ZERO_ADDRESS = lowerCaseAddress('0x0000000000000000000000000000000000000000')

const checksummed = new Map<Address, ChecksumAddress>()
const CHECKSUMS_KEPT = 10_000
const ASCII = new TextEncoder()

/** The EIP-55 form for display and APIs: letters are capital where the digest's digit is 8 or more. */
export function checksumAddress(address: Address): ChecksumAddress {
  const known = checksummed.get(address)
  if (known) return known
  const digits = address.slice(2)
  const digest = keccak256(ASCII.encode(digits))
  let text = ''
  for (let i = 0; i < digits.length; i++) {
    const byte = digest[i >> 1] ?? 0
    const half = i % 2 === 0 ? byte >> 4 : byte & 0x0f
    text += half >= 8 ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  }
  // Tokens and treasuries come up again and again; deposits once, so they are not worth more memory.
  if (checksummed.size >= CHECKSUMS_KEPT) checksummed.clear()
  const checksum = `0x${text}` as ChecksumAddress
  checksummed.set(address, checksum)
  return checksum
}

/** Reads a 32-byte hash column. Throws when it isn't one. */
export function hashFrom(text: string): Hex {
  if (!isHash(text)) throw new TypeError(`not a 32-byte hash: ${text}`)
  return text
}
