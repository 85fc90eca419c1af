import { parentPort } from 'node:worker_threads'
import { recoverSigner } from '../../chain/authorization/signer.ts'
import type { Address } from '../../core/chain/evm.ts'
import { authorizationDigest, type TokenDomain } from '../../core/x402/digest.ts'
import type { EcdsaSignature } from '../../core/x402/signature.ts'
import type { Authorization } from '../../core/x402/terms.ts'

/** The thread that recovers signers. It answers in the order of what it is sent. */

/** An authorization, the domain of its token, and the signature that its payer allegedly made. */
export interface Signed {
  readonly domain: TokenDomain
  readonly authorization: Authorization
  readonly signature: EcdsaSignature
}

export interface Questions {
  readonly id: number
  readonly signed: readonly Signed[]
}

export interface Answers {
  readonly id: number
  readonly signers: readonly (Address | null)[]
}

/** EIP-3009 over EIP-712. */
export function recover({ domain, authorization, signature }: Signed): Address | null {
  return recoverSigner(authorizationDigest(domain, authorization), signature)
}

parentPort?.on('message', ({ id, signed }: Questions) => {
  parentPort?.postMessage({ id, signers: signed.map(recover) } satisfies Answers)
})
