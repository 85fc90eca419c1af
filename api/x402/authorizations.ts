import type { Hex } from '../../core/chain/evm.ts'
import { tokenDomain } from '../../core/x402/digest.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { permitDigest } from '../../core/x402/permitSigning.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { parseSignature, type WrappedSignature } from '../../core/x402/signature.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import { codeToCome, type Deployment, listedFactory } from '../../core/x402/walletDeployment.ts'
import type { Facilitator, FactsQuery } from './facilitator.ts'
import { APPROVAL_NOT_NEEDED, type ReadFacts } from './permits.ts'

/** Who signed a payment, and what the chain says of an authorization by EIP-3009. */

/** Whether the payer's own key made the signature, over EIP-712: EIP-3009, or for Permit2. */
export async function isSignedByPayer(
  { signers }: Facilitator,
  { authorization, chain, permit, requirements, scheme }: PaymentRequest,
  signature: Hex,
): Promise<boolean> {
  const parts = parseSignature(signature)
  if (parts === null) return false
  if (permit !== null) {
    const digest = permitDigest(chain.chainId, scheme, authorization, permit)
    return (await signers.signerOf({ digest, signature: parts })) === authorization.from
  }
  const domain = tokenDomain(chain, requirements.asset)
  if (domain === null) return false
  const signer = await signers.signerOf({ domain, authorization, signature: parts })
  return signer === authorization.from
}

/** For a payer with code the simulated transfer has checked the signature (ERC-1271). */
export function checkSignature(facts: Facts, isSigned: boolean, isWrapped: boolean): Reason | null {
  if (facts.payerCodeHash !== null) return null
  if (isWrapped) return 'invalid_exact_evm_payload_undeployed_smart_wallet'
  return isSigned ? null : 'invalid_exact_evm_payload_signature'
}

/**
 * What the chain says, with the creation of the payer's code before the trial where a listed factory is to
 * do that and there is none. Such a payer is treated as one with code in all that follows.
 */
export async function readAuthorization(
  { isFactory, readFacts }: Facilitator,
  { authorization, chain, requirements }: PaymentRequest,
  signature: Hex,
  purpose: 'verify' | 'settle',
  wrapped: WrappedSignature | null,
): Promise<ReadFacts & { readonly deployment: Deployment | null; readonly query: FactsQuery }> {
  const listed = wrapped && listedFactory(chain.walletFactories, wrapped)
  const factory = listed && (await isFactory(chain.networkId, listed)) ? listed : null
  const deployment =
    wrapped && factory ? { factory: factory.address, data: wrapped.factoryCalldata } : null
  const query = {
    token: requirements.asset,
    authorization,
    signature,
    walletGas: chain.gas.walletAuthorization,
    preparation: deployment && { to: deployment.factory, data: deployment.data },
    isTried: purpose === 'settle',
  }
  const facts = await readFacts(chain.networkId, query)
  const read = { approval: APPROVAL_NOT_NEEDED, query }
  if (factory === null || facts.payerCodeHash !== null) return { ...read, facts, deployment: null }
  return { ...read, facts: { ...facts, payerCodeHash: codeToCome(factory) }, deployment }
}
