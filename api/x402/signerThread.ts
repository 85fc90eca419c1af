import { parentPort } from 'node:worker_threads'
import { recoverSigner } from '../../chain/x402/signer.ts'
import type { Address } from '../../core/chain/evm.ts'
import { authorizationDigest, type TokenDomain } from '../../core/x402/digest.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'
import type { Authorization } from '../../core/x402/terms.ts'

/** The thread that recovers signers. It responds in the order of its input. */

/**
 * An authorization of EIP-3009 with the domain of its token, or the digest of another signed message, and the
 * alleged signature of its payer.
 */
export type Signed = (
  | { readonly domain: TokenDomain; readonly authorization: Authorization }
  | { readonly digest: Uint8Array }
) & { readonly signature: EcdsaSignature }

export interface Questions {
  readonly id: number
  readonly signed: readonly Signed[]
}

export interface Answers {
  readonly id: number
  readonly signers: readonly (Address | null)[]
}

/** The signer's account; null if the signature is invalid for every key. */
export function recover(signed: Signed): Address | null {
  const digest =
    'digest' in signed ? signed.digest : authorizationDigest(signed.domain, signed.authorization)
  return recoverSigner(digest, signed.signature)
}

parentPort?.on('message', ({ id, signed }: Questions) => {
  parentPort?.postMessage({ id, signers: signed.map(recover) } satisfies Answers)
})
