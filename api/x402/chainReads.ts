import type { FactsQuery } from '../../chain/x402/authorizationFacts.ts'
import { max } from '../../core/base/integers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { isOptional } from '../../core/chain/offered.ts'
import { approvalDigest, authorizationDigest, tokenDomain } from '../../core/x402/digest.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { permitDigest, sponsoredWords } from '../../core/x402/permitSigning.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { isTooEarly, type Timing, timingOf } from '../../core/x402/request/checks.ts'
import { findApproval, takeable } from '../../core/x402/request/permitChecks.ts'
import { parseSignature, unwrapErc6492, type WrappedSignature } from '../../core/x402/signature.ts'
import type { PaymentRequest, Permit } from '../../core/x402/terms.ts'
import { codeToCome, type Deployment, listedFactory } from '../../core/x402/walletDeployment.ts'
import type { Call } from './call.ts'
import type { Facilitator } from './facilitator.ts'

/** The state of a payment by EIP-3009 or Permit2 on the chain, and its signer. */

export interface ChainReading extends Read, Timing {
  /** The clock's time, in Unix seconds. */
  readonly now: bigint
  /** The signature for the token: unwrapped if it was wrapped by ERC-6492. */
  readonly signature: Hex
  readonly isWrapped: boolean
  /** The payer's own key made the signature. */
  readonly isSigned: boolean
}

interface Read {
  readonly facts: Facts
  /** Whether Permit2 is approved. EIP-3009 needs no approval. */
  readonly approval: FoundApproval
  /** The call that deploys the payer's code first (ERC-6492); null if it is deployed or not needed. */
  readonly deployment: Deployment | null
}

type FoundApproval =
  /** The payer's EIP-2612 permit to send along, in the hub's encoding; null if none is needed. */
  | { readonly ok: true; readonly words: Hex | null }
  | { readonly ok: false; readonly reason: Reason; readonly message: string }

/** Reads everything that decides about a payment. Rejects if no node responds. */
export async function readChain({ deps, purpose, request }: Call): Promise<ChainReading> {
  const { facilitator } = deps
  const { chain, permit } = request
  const now = BigInt(Math.floor(deps.now().getTime() / 1000))
  const wrapped = unwrapErc6492(request.signature)
  const signature = wrapped?.signature ?? request.signature
  const isSigned = await isSignedByPayer(facilitator, request, signature)
  const signed = { now, signature, isWrapped: wrapped !== null, isSigned }
  if (permit !== null) {
    const { margin } = timingOf(0n, now, chain.blockTimeMs)
    const read = await readPermit(facilitator, request, permit, signature, { now, margin })
    return { ...signed, ...read, ...timingOf(read.facts.blockTime, now, chain.blockTimeMs) }
  }
  // A payer who signs with a key needs no wallet to be deployed.
  const creation = isSigned ? null : wrapped
  const read = await readAuthorization(facilitator, request, signature, purpose, creation)
  const timing = timingOf(read.facts.blockTime, now, chain.blockTimeMs)
  const facts = await triedInTime(facilitator, request, read, timing.earliest)
  return { ...signed, ...read, facts, ...timing }
}

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
  const digest = authorizationDigest(domain, authorization)
  const signer = await signers.signerOf({ digest, signature: parts })
  return signer === authorization.from
}

/**
 * The state of an authorization by EIP-3009. If a listed factory is to deploy the payer's code, the simulation
 * includes that, and the payer is treated as one with code.
 */
async function readAuthorization(
  { isFactory, readFacts }: Facilitator,
  { authorization, chain, requirements }: PaymentRequest,
  signature: Hex,
  purpose: 'verify' | 'settle',
  wrapped: WrappedSignature | null,
): Promise<Read & { readonly query: FactsQuery }> {
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
  const read = { approval: { ok: true, words: null } as const, query }
  if (factory === null || facts.payerCodeHash !== null) return { ...read, facts, deployment: null }
  return { ...read, facts: { ...facts, payerCodeHash: codeToCome(factory) }, deployment }
}

/**
 * The facts. If the newest block is too old for the authorization, the simulation is repeated at the time of the next
 * possible block: only a simulation shows whether the signature of a payer with code is valid.
 */
async function triedInTime(
  facilitator: Facilitator,
  { authorization, chain }: PaymentRequest,
  { facts, query }: { readonly facts: Facts; readonly query: FactsQuery },
  earliest: bigint,
): Promise<Facts> {
  const isEarly = facts.trial.ok === false && isTooEarly(facts.trial.error)
  const isHelped = facts.payerCodeHash !== null && authorization.validAfter < earliest
  if (!isHelped || !isEarly) return facts
  const { trial } = await facilitator.readFactsAt(chain.networkId, query, earliest)
  return { ...facts, trial }
}

/** The state of a payment by Permit2, and the payer's approval of it. */
async function readPermit(
  { readPermitFacts, signers }: Facilitator,
  request: PaymentRequest,
  permit: Permit,
  signature: Hex,
  { now, margin }: { readonly now: bigint; readonly margin: bigint },
): Promise<Read> {
  const { authorization, chain, requirements, scheme } = request
  const { sponsored } = permit
  const parts = sponsored === null ? null : parseSignature(sponsored.signature)
  // A worker, which checks an approval again, has only the domains of the registry.
  const domain = isOptional(chain, requirements.asset)
    ? null
    : tokenDomain(chain, requirements.asset)
  const [facts, signer] = await Promise.all([
    readPermitFacts(chain.networkId, {
      token: requirements.asset,
      payer: authorization.from,
      payee: authorization.to,
      spender: permit.spender,
      nonce: permit.nonce,
      digest: `0x${permitDigest(chain.chainId, scheme, authorization, permit).toHex()}`,
      signature,
      walletGas: chain.gas.walletAuthorization,
    }),
    sponsored === null || parts === null || domain === null
      ? null
      : signers.signerOf({ digest: approvalDigest(domain, sponsored), signature: parts }),
  ])
  const time = max(facts.blockTime, now)
  const isSigned = signer === authorization.from
  const found = findApproval(request, facts, isSigned, time, margin)
  if (!found.ok) return { facts, approval: found, deployment: null }
  const isSponsored = found.isSponsored && sponsored !== null && parts !== null
  // Funds that Permit2 can't transfer don't count.
  const balance = takeable(facts, authorization, isSponsored)
  const words = isSponsored ? sponsoredWords(sponsored, parts) : null
  return { facts: { ...facts, balance }, approval: { ok: true, words }, deployment: null }
}
