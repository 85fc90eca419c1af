import { isUuid } from '../base/ids.ts'
import { type Address, anyCaseAddress, type Hex, ZERO_ADDRESS } from '../chain/evm.ts'
import type { Reason } from './reasons.ts'

/**
 * Reads requests field by field. The first problem is kept and harmless values replace what is wrong, so
 * that a reader of many fields needs no branch after each of them.
 */

export type JsonObject = Readonly<Record<string, unknown>>

/** An object and how the request names it, for messages. */
export interface Fields {
  readonly path: string
  readonly fields: JsonObject
  /** Why a request is refused in which one of these fields is malformed. */
  readonly reason: Reason
}

const WORD = /^0x[0-9a-fA-F]{64}$/
const BYTES = /^0x(?:[0-9a-fA-F]{2})+$/
/** The largest uint256 has 78 digits. */
const DIGITS = /^[0-9]{1,78}$/
const UINT256_MAX = 2n ** 256n - 1n
/** Passkeys and wrapped wallets need a few kilobytes; longer ones only cost gas. */
const SIGNATURE_BYTES_MAX = 8192

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export class FieldReader {
  /** The first thing that was wrong. */
  problem: { readonly reason: Reason; readonly message: string } | null = null

  refuse(reason: Reason, message: string): void {
    this.problem ??= { reason, message }
  }

  object(from: Fields, name: string): Fields {
    const value = from.fields[name]
    if (!isObject(value)) this.complain(from, name, value, 'an object')
    return { ...from, path: `${from.path}.${name}`, fields: isObject(value) ? value : {} }
  }

  text(from: Fields, name: string): string {
    const value = from.fields[name]
    if (typeof value === 'string') return value
    this.complain(from, name, value, 'a string')
    return ''
  }

  /** A text that may be missing. */
  optionalText(from: Fields, name: string): string | null {
    return isMissing(from.fields[name]) ? null : this.text(from, name)
  }

  /** An id of the kind that `brand` makes; it may be missing. */
  optionalId<Id>(from: Fields, name: string, brand: (text: string) => Id): Id | null {
    const value = from.fields[name]
    if (isMissing(value)) return null
    if (typeof value === 'string' && isUuid(value)) return brand(value)
    this.complain(from, name, value, 'a UUID')
    return null
  }

  /** A uint256. JSON numbers are refused: a double would round them. */
  uint256(from: Fields, name: string): bigint {
    const value = from.fields[name]
    const number = typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : null
    if (number !== null && number <= UINT256_MAX) return number
    this.complain(from, name, value, 'a string of decimal digits, at most 2^256 - 1')
    return 0n
  }

  /** An address in lower case. Checksums are not verified: clients write what their library returns. */
  address(from: Fields, name: string): Address {
    const value = from.fields[name]
    const address = typeof value === 'string' ? anyCaseAddress(value) : null
    if (address !== null) return address
    this.complain(from, name, value, 'an address, 0x and 40 hexadecimal digits')
    return ZERO_ADDRESS
  }

  /** 32 bytes in lower case. */
  word(from: Fields, name: string): Hex {
    const value = from.fields[name]
    if (isHexOf(WORD, value)) return lower(value)
    this.complain(from, name, value, '32 bytes, 0x and 64 hexadecimal digits')
    return '0x'
  }

  /** A signature of any kind, in lower case. Text that isn't hexadecimal is a bad signature, not malformed. */
  signature(from: Fields, name: string): Hex {
    const text = this.text(from, name)
    if (isHexOf(BYTES, text) && text.length <= 2 + 2 * SIGNATURE_BYTES_MAX) return lower(text)
    this.refuse(
      'invalid_exact_evm_payload_signature',
      `${from.path}.${name} must be 0x and 1 to ${SIGNATURE_BYTES_MAX} bytes in hexadecimal digits`,
    )
    return '0x'
  }

  private complain(from: Fields, name: string, value: unknown, wanted: string): void {
    const verb = isMissing(value) ? 'is missing; it must be' : 'must be'
    this.refuse(from.reason, `${from.path}.${name} ${verb} ${wanted}`)
  }
}

/** Some languages write null for what they leave out. */
export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function isHexOf(form: RegExp, value: unknown): value is Hex {
  return typeof value === 'string' && form.test(value)
}

function lower(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`
}
