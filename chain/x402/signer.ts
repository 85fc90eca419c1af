import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { keccak256 } from '../../core/chain/keccak.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'

/**
 * Who signed a digest. Every verify and settle recovers a key, so this decides how many a process
 * can answer: libsecp256k1 does about ten times as many as JavaScript does.
 */

/** Answers the public key as 0x04 and 64 bytes; throws when no key can have made the signature. */
type Recover = (compact: Uint8Array, recoveryId: number, digest: Uint8Array) => Uint8Array

const native = await loadNative()

/** What recovers keys in this process, for its log: without the addon everything is slower. */
export const recoveryEngine: 'native' | 'javascript' = native === null ? 'javascript' : 'native'

/** Why a process that needs the addon must not start here, in a sentence; empty where it was loaded. */
export function recoveryProblems(isNeeded: boolean): string[] {
  if (!isNeeded || recoveryEngine === 'native') return []
  return [
    'SIGNATURE_RECOVERY is native and the addon of the package secp256k1 could not be loaded: install libstdc++ ' +
      '(package libstdc++6 of Debian), or set SIGNATURE_RECOVERY=any to recover signatures ten times as slowly',
  ]
}

/**
 * The account whose key made this signature, or null when no key can have made it. A high s is accepted here:
 * the parser refuses it, as the token does (EIP-2).
 * @param digest 32 bytes; a RangeError is thrown for any other length.
 */
export function recoverSigner(
  digest: Uint8Array,
  signature: EcdsaSignature,
  recover: Recover = native ?? inJavaScript,
): Address | null {
  if (digest.length !== 32) throw new RangeError(`a digest has 32 bytes, not ${digest.length}`)
  const compact = Uint8Array.fromHex(signature.r.slice(2) + signature.s.slice(2))
  if (compact.length !== 64) return null
  const publicKey = publicKeyOf(recover, compact, signature.v - 27, digest)
  if (publicKey === null) return null
  return lowerCaseAddress(`0x${keccak256(publicKey.subarray(1)).subarray(12).toHex()}`)
}

/** Every length has been checked, so that the one error left is that there is no such key. */
function publicKeyOf(
  recover: Recover,
  compact: Uint8Array,
  recoveryId: number,
  digest: Uint8Array,
): Uint8Array | null {
  try {
    return recover(compact, recoveryId, digest)
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

/** The way of machines for which there is no addon. */
export const inJavaScript: Recover = (compact, recoveryId, digest) =>
  secp256k1.Signature.fromBytes(compact, 'compact')
    .addRecoveryBit(recoveryId)
    .recoverPublicKey(digest)
    .toBytes(false)

/**
 * Loads the addon of the package secp256k1, and not the package itself: where no addon fits the
 * machine, that one turns to an implementation seventy times as slow without a word.
 */
async function loadNative(): Promise<Recover | null> {
  try {
    const { default: addon } = await import('secp256k1/bindings')
    return (compact, recoveryId, digest) => addon.ecdsaRecover(compact, recoveryId, digest, false)
  } catch (error) {
    // Missing, or made for another machine: recoveryEngine reports which one is used.
    if (error instanceof Error) return null
    throw error
  }
}
