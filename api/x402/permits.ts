import { max } from '../../core/base/integers.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { isOptional } from '../../core/chain/offered.ts'
import { approvalDigest, tokenDomain } from '../../core/x402/digest.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { permitDigest, sponsoredWords } from '../../core/x402/permitSigning.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { findApproval, takeable } from '../../core/x402/request/permitChecks.ts'
import { parseSignature } from '../../core/x402/signature.ts'
import type { PaymentRequest, Permit } from '../../core/x402/terms.ts'
import type { Facilitator } from './facilitator.ts'

/** What verify and settle find out about a payment by Permit2. */

export interface ReadFacts {
  readonly facts: Facts
  readonly approval: FoundApproval
}

/** Whether the money can be got at. */
type FoundApproval =
  /** The payer's EIP-2612 permit that has to go along, in the words of the hub; null where none has to. */
  | { readonly ok: true; readonly words: Hex | null }
  | { readonly ok: false; readonly reason: Reason; readonly message: string }

/** EIP-3009 moves money without one. */
export const APPROVAL_NOT_NEEDED: FoundApproval = { ok: true, words: null }

/** Asks the chain, and looks for the payer's approval. Rejects when no node answers. */
export async function readPermit(
  { readPermitFacts, signers }: Facilitator,
  request: PaymentRequest,
  permit: Permit,
  signature: Hex,
  { now, margin }: { readonly now: bigint; readonly margin: bigint },
): Promise<ReadFacts> {
  const { authorization, chain, requirements, scheme } = request
  const { sponsored } = permit
  const parts = sponsored === null ? null : parseSignature(sponsored.signature)
  // A worker, which looks at an approval once more, knows the domains of the registry only.
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
  if (!found.ok) return { facts, approval: found }
  const isSponsored = found.isSponsored && sponsored !== null && parts !== null
  // What Permit2 may not take is as good as not there.
  const balance = takeable(facts, authorization, isSponsored)
  const words = isSponsored ? sponsoredWords(sponsored, parts) : null
  return { facts: { ...facts, balance }, approval: { ok: true, words } }
}
