import { type Address, type Hex, hashFrom } from '../../core/chain/evm.ts'
import { keccak256 } from '../../core/chain/keccak.ts'
import type { DigestSignature } from './signer.ts'

/**
 * Transactions of EIP-1559 in the encoding of EIP-2718. They are put together from hexadecimal digits by
 * hand: a batch of payments has tens of kilobytes, and a general encoder takes ten times as long.
 */

/** A transaction that moves no coin. Fees are in wei per unit of gas. */
export interface UnsignedTransaction {
  readonly chainId: number
  readonly nonce: bigint
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export interface SignedTransaction {
  /** What nodes take. */
  readonly raw: Hex
  readonly hash: Hex
}

const TYPE = '02'

/** Signs a transaction by its digest. Throws a TypeError for a receiver that is no address. */
export async function signTransaction(
  tx: UnsignedTransaction,
  sign: (digest: Hex) => Promise<DigestSignature>,
): Promise<SignedTransaction> {
  // Any other length would be some other account, or create a contract.
  if (!/^0x[0-9a-f]{40}$/i.test(tx.to)) throw new TypeError(`not an address: ${tx.to}`)
  const fields = [
    integer(tx.chainId),
    integer(tx.nonce),
    integer(tx.maxPriorityFeePerGas),
    integer(tx.maxFeePerGas),
    integer(tx.gas),
    bytes(tx.to.slice(2)),
    integer(0n),
    bytes(tx.data.slice(2)),
    list([]),
  ]
  const { yParity, r, s } = await sign(hashOf(TYPE + list(fields)))
  const signed = TYPE + list([...fields, integer(yParity), integer(BigInt(r)), integer(BigInt(s))])
  return { raw: `0x${signed}`, hash: hashOf(signed) }
}

function hashOf(digits: string): Hex {
  return hashFrom(`0x${keccak256(Uint8Array.fromHex(digits)).toHex()}`)
}

/** A list in RLP, the recursive length prefix of the Yellow Paper (appendix B), of items in it. */
function list(items: readonly string[]): string {
  const body = items.join('')
  return lengthOf(0xc0, body) + body
}

function bytes(digits: string): string {
  const isSingle = digits.length === 2 && Number.parseInt(digits, 16) < 0x80
  return isSingle ? digits : lengthOf(0x80, digits) + digits
}

/** Without leading zeros; 0 has no bytes at all. */
function integer(value: bigint | number): string {
  return bytes(BigInt(value) === 0n ? '' : wholeBytes(value))
}

/** How long the item is whose digits follow, and by the offset what it is. */
function lengthOf(offset: number, digits: string): string {
  const length = digits.length / 2
  if (length <= 55) return wholeBytes(offset + length)
  const long = wholeBytes(length)
  return wholeBytes(offset + 55 + long.length / 2) + long
}

function wholeBytes(value: bigint | number): string {
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}
