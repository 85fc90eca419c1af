import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes, numberToHex } from 'viem'
import { publicKeyToAddress } from 'viem/utils'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'

/** Signing 32 bytes with a key of secp256k1, wherever that key is. */
export interface DigestSigner {
  readonly address: Address
  /** Where the key is, for figures and logs. */
  readonly store: 'local' | 'awskms' | 'pkcs11'
  /** Signs within microseconds and can't fail: it need not be done outside of database transactions. */
  readonly isImmediate: boolean
  /**
   * Signs a digest; the result is what the chain takes (EIP-2: the lower s).
   * @throws SignerError when the store is away, too slow, or refuses.
   */
  sign(digest: Hex): Promise<DigestSignature>
  /** Closes connections and threads, which keep a process from exiting. */
  close(): void
}

export interface DigestSignature {
  readonly r: Hex
  readonly s: Hex
  readonly yParity: 0 | 1
}

/**
 * `absent`: the store is away, too slow or busy, and may answer later. `refused`: it has refused, or something
 * that no signature of the key is.
 */
export class SignerError extends Error {
  override readonly name = 'SignerError'

  constructor(
    readonly kind: 'absent' | 'refused',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const ORDER = secp256k1.Point.Fn.ORDER
/** SubjectPublicKeyInfo of an uncompressed key of secp256k1 (RFC 5480, SEC 2), up to the point. */
const SPKI_PREFIX = hexToBytes('0x3056301006072a8648ce3d020106052b8104000a034200')
/** An uncompressed point: 04, then both coordinates. */
const POINT_BYTES = 65

/** The point of a public key as stores export it. @throws SignerError for a key of another curve. */
export function pointOfSpki(der: Uint8Array): Uint8Array {
  const hasPrefix = SPKI_PREFIX.every((byte, i) => der[i] === byte)
  if (!hasPrefix || der.length !== SPKI_PREFIX.length + POINT_BYTES) {
    throw new SignerError('refused', 'its key is none of secp256k1 (KeySpec ECC_SECG_P256K1)')
  }
  return der.slice(SPKI_PREFIX.length)
}

export function addressOfPoint(point: Uint8Array): Address {
  return lowerCaseAddress(publicKeyToAddress(bytesToHex(point)))
}

/** Reads an ECDSA signature in DER (RFC 3279). @throws SignerError when it is none. */
export function readDer(der: Uint8Array): { readonly r: bigint; readonly s: bigint } {
  try {
    return secp256k1.Signature.fromBytes(der, 'der')
  } catch (cause) {
    throw new SignerError('refused', 'its answer is no signature in DER', { cause })
  }
}

/**
 * Makes of r and s what the chain takes: stores may answer with the higher s, which EIP-2 forbids, and none
 * tells which of the two possible keys has signed. The public key does; a signature of another key is refused.
 */
export function finishSignature(
  { r, s }: { readonly r: bigint; readonly s: bigint },
  digest: Hex,
  point: Uint8Array,
): DigestSignature {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) {
    throw new SignerError('refused', 'its answer is no signature')
  }
  const lower = s > ORDER / 2n ? ORDER - s : s
  const signature = new secp256k1.Signature(r, lower)
  const hash = hexToBytes(digest)
  for (const yParity of [0, 1] as const) {
    if (isOf(signature.addRecoveryBit(yParity), hash, point)) {
      return { r: numberToHex(r, { size: 32 }), s: numberToHex(lower, { size: 32 }), yParity }
    }
  }
  throw new SignerError('refused', 'its answer is the signature of another key or digest')
}

type Recoverable = InstanceType<typeof secp256k1.Signature>

function isOf(signature: Recoverable, hash: Uint8Array, point: Uint8Array): boolean {
  try {
    const recovered = signature.recoverPublicKey(hash).toBytes(false)
    return recovered.every((byte, i) => point[i] === byte)
  } catch {
    // Not every r is the coordinate of a point.
    return false
  }
}
