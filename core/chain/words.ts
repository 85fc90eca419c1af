import type { Address, Hex } from './evm.ts'

/**
 * Words of the contract ABI as 64 hexadecimal digits, without 0x. Salts, digests and batches are put
 * together from them by hand: a general encoder takes many times as long, and there are hundreds of
 * payments a second.
 */

const DIGITS = 64

/** A UUID as the bytes16 by which the hub knows a merchant or an invoice. */
export function uuidToBytes16(uuid: string): Hex {
  return `0x${uuid.replaceAll('-', '').toLowerCase()}`
}

/** The UUID of a bytes16 of the hub. */
export function bytes16ToUuid(bytes: Hex): string {
  return bytes.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** An unsigned integer; throws a RangeError when it doesn't fit. */
export function integerWord(value: bigint | number): string {
  const digits = value.toString(16)
  if (value < 0 || digits.length > DIGITS) throw new RangeError(`not a uint256: ${value}`)
  return digits.padStart(DIGITS, '0')
}

export function addressWord(address: Address): string {
  return address.slice(2).padStart(DIGITS, '0')
}

/** A UUID as bytes16, which are left-aligned in their word. */
export function uuidWord(uuid: string): string {
  return uuidToBytes16(uuid).slice(2).padEnd(DIGITS, '0')
}

/** A bytes32. */
export function bytesWord(bytes: Hex): string {
  if (bytes.length !== DIGITS + 2) throw new RangeError(`not 32 bytes: ${bytes}`)
  return bytes.slice(2)
}

/** Bytes of any length: the length, then the bytes filled up with zeros to whole words. */
export function bytesTail(bytes: Hex): string {
  const digits = bytes.slice(2)
  const length = integerWord(digits.length / 2)
  return length + digits.padEnd(Math.ceil(digits.length / DIGITS) * DIGITS, '0')
}

/** The number of bytes that the digits represent, as an offset or length in the ABI. */
export function bytesIn(digits: string): number {
  return digits.length / 2
}
