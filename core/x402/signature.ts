import { type Address, type Hex, isLowerCaseAddress } from '../chain/evm.ts'

/** A signature of an externally owned account, as the token's own function takes it. */
export interface EcdsaSignature {
  readonly v: 27 | 28
  readonly r: Hex
  readonly s: Hex
}

/** A signature of a contract wallet that doesn't exist yet, with the call that creates it. */
export interface WrappedSignature {
  readonly factory: Address
  readonly factoryCalldata: Hex
  readonly signature: Hex
}

/** The order of secp256k1; SEC 2, section 2.4.1. */
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'
const ZERO = '0'.repeat(64)
/** The highest bit of a word, where EIP-2098 keeps the parity. */
const PARITY = 1n << 255n
/** The hexadecimal digits of a word of 32 bytes. */
const WORD = 64
const HEX = /^0x(?:[0-9a-f]{2})*$/

/**
 * Reads a signature in lower case: r, s and v in 65 bytes, or the 64 bytes of EIP-2098. v may be 0 or 1.
 * Null when the token would refuse it: another length or v, zero r or s, or an s in the upper half of
 * the order, which would give every signature a twin (EIP-2).
 */
export function parseSignature(signature: Hex): EcdsaSignature | null {
  if (!HEX.test(signature)) return null
  const digits = signature.slice(2)
  if (digits.length === 2 * WORD) return compactSignature(digits)
  if (digits.length !== 2 * WORD + 2) return null
  const last = Number.parseInt(digits.slice(-2), 16)
  const v = last < 27 ? last + 27 : last
  if (v !== 27 && v !== 28) return null
  return checked(v, digits.slice(0, WORD), digits.slice(WORD, 2 * WORD))
}

function compactSignature(digits: string): EcdsaSignature | null {
  const word = BigInt(`0x${digits.slice(WORD)}`)
  const s = word & (PARITY - 1n)
  return checked(word === s ? 27 : 28, digits.slice(0, WORD), s.toString(16).padStart(WORD, '0'))
}

/** Of the digits of two whole words, which are compared as texts: they have the order of their numbers. */
function checked(v: 27 | 28, r: string, s: string): EcdsaSignature | null {
  if (r === ZERO || r >= ORDER || s === ZERO || s > HALF_ORDER) return null
  return { v, r: `0x${r}`, s: `0x${s}` }
}

/** ERC-6492: the 32 bytes that no other signature ends with. */
const MAGIC = '6492'.repeat(16)

/**
 * Unwraps a signature of ERC-6492 in lower case: the ABI encoding of factory, call data and signature,
 * and the magic bytes. Null when it is no such signature, or its encoding is broken.
 */
export function unwrapErc6492(signature: Hex): WrappedSignature | null {
  if (!signature.endsWith(MAGIC) || !HEX.test(signature)) return null
  const digits = signature.slice(2, -MAGIC.length)
  const factory = addressAt(digits, 0)
  const factoryCalldata = bytesAt(digits, 1)
  const inner = bytesAt(digits, 2)
  if (factory === null || factoryCalldata === null || inner === null) return null
  return { factory, factoryCalldata, signature: inner }
}

function addressAt(digits: string, word: number): Address | null {
  const value = digits.slice(word * WORD, (word + 1) * WORD)
  const address = `0x${value.slice(24)}`
  return value.startsWith('0'.repeat(24)) && isLowerCaseAddress(address) ? address : null
}

/** The bytes that the ABI keeps where this word of the head points to. */
function bytesAt(digits: string, word: number): Hex | null {
  const offset = numberAt(digits, word * WORD)
  const length = offset === null ? null : numberAt(digits, offset * 2)
  if (offset === null || length === null) return null
  const start = offset * 2 + WORD
  const bytes = digits.slice(start, start + length * 2)
  return bytes.length === length * 2 ? `0x${bytes}` : null
}

/** A word as a number; null when it isn't there, or is larger than any text of ours. */
function numberAt(digits: string, position: number): number | null {
  const word = digits.slice(position, position + WORD)
  if (word.length !== WORD) return null
  const value = BigInt(`0x${word}`)
  return value <= BigInt(digits.length) ? Number(value) : null
}
