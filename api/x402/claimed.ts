import { PRICES } from '../../core/access/costs.ts'
import type { EndpointId } from '../../core/base/ids.ts'
import { max } from '../../core/base/integers.ts'
import { baseUnits } from '../../core/base/money.ts'
import { checkFacts } from '../../core/x402/request/checks.ts'
import { unwrapErc6492 } from '../../core/x402/signature.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { ClaimedPayment, FoundTerms, TermsQuery } from '../../store/x402/terms.ts'
import { spend } from '../http/budget.ts'
import { type Call, type Examined, type Refused, refused, type Terms } from './call.ts'
import { type ChainReading, isSignedByPayer } from './chainReads.ts'
import type { Facilitator } from './facilitator.ts'

/** Payments that an earlier call has claimed, or that may already be executed on the chain. */

/** The query of the ledger about a payment. */
export function termsQuery({
  authorization,
  chain,
  requirements,
  resource,
  scheme,
}: PaymentRequest): TermsQuery {
  return {
    networkId: chain.networkId,
    asset: requirements.asset,
    payer: authorization.from,
    authorizationNonce: authorization.nonce,
    payTo: requirements.payTo,
    endpointId: requirements.endpointId,
    // The price of an `upto` payment is the maximum.
    amount: scheme === 'upto' ? baseUnits(authorization.value) : requirements.amount,
    resource,
  }
}

/** The result of an earlier claim; null if there is none, or if the chain must be read. */
export async function checkClaim(
  { deps, request }: Call,
  { endpoint, payee, payment: claimed }: FoundTerms,
): Promise<Examined | null> {
  if (claimed === null) return null
  if (!isSameClaim(request, claimed, endpoint?.id ?? null)) return refused('authorization_used')
  if (claimed.status === 'failed') {
    // A payment that failed for a previous merchant of the address is not retried for the current one.
    return claimed.merchantId === payee?.merchantId ? null : refused('authorization_used')
  }
  if (claimed.isHeld) return null
  return (await isSignedFor(deps.facilitator, request, claimed))
    ? { type: 'claimed', payment: claimed, mayContinue: false, obstacle: null }
    : refused('invalid_exact_evm_payload_signature')
}

/**
 * An earlier claim on the same terms, by the same payer, that has not failed; or null. Reads no
 * node.
 */
export async function findClaim(
  facilitator: Facilitator,
  request: PaymentRequest,
): Promise<ClaimedPayment | null> {
  const { payment, endpoint } = await facilitator.findTerms(termsQuery(request))
  if (payment === null || payment.status === 'failed') return null
  if (!isSameClaim(request, payment, endpoint?.id ?? null)) return null
  return (await isSignedFor(facilitator, request, payment)) ? payment : null
}

/**
 * Whether a payment was claimed on the same terms: a payer can sign one nonce many times. A caller
 * with other terms learns nothing about the payment.
 */
export function isSameClaim(
  { authorization, permit, scheme }: PaymentRequest,
  claim: ClaimedPayment,
  endpointId: EndpointId | null,
): boolean {
  return (
    claim.payTo === authorization.to &&
    claim.scheme === scheme &&
    (claim.permitted === null) === (permit === null) &&
    (claim.permitted ?? claim.amount) === authorization.value &&
    claim.validAfter === authorization.validAfter &&
    claim.validBefore === authorization.validBefore &&
    claim.endpointId === endpointId
  )
}

/** Everything but the signature is public once a payment is on-chain, so the signature must match. */
async function isSignedFor(
  facilitator: Facilitator,
  request: PaymentRequest,
  claimed: ClaimedPayment,
): Promise<boolean> {
  const signature = unwrapErc6492(request.signature)?.signature ?? request.signature
  return claimed.signature === signature || isSignedByPayer(facilitator, request, signature)
}

/**
 * A payment on hold is neither claimed again nor failed: it may be executed by now, may still be
 * executed, or remain on hold. `wallet` is why its payer’s wallet is refused now. Null for a payment that is neither executed nor on hold.
 */
export async function checkCarriedOut(
  call: Call,
  read: ChainReading,
  terms: Terms,
  claimed: ClaimedPayment | null,
  wallet: Refused | null,
): Promise<Examined | null> {
  const { facts } = read
  if (!claimed?.isHeld) return facts.isUsed ? examineUse(call, read, terms) : null
  const held = { type: 'claimed', payment: claimed } as const
  if (!facts.isUsed) {
    // Its own reservation doesn't count against it.
    const reason = checkFacts(call.request, facts, 0n, claimed.amount)
    const obstacle = reason === null ? wallet : refused(reason)
    return { ...held, mayContinue: reason === null, obstacle }
  }
  const used = await examineUse(call, read, terms)
  if (used.type === 'carried_out') return used
  return { ...held, mayContinue: false, obstacle: refused('authorization_used') }
}

/**
 * A used authorization is accepted if it made the required payment, and the call is in time. One search decides,
 * as far back as it reaches. Not finding the payment is not recorded: a later call searches again, and a
 * claimed payment is found by the chain's actor, which searches all blocks since the claim.
 */
async function examineUse(
  { deps, exchange, request }: Call,
  { facts, now }: ChainReading,
  terms: Terms,
): Promise<Examined> {
  const { authorization, chain, requirements } = request
  const { from: payer, nonce, validAfter, validBefore } = authorization
  if (max(facts.blockTime, now) >= validBefore) return refused('payment_expired')
  // Permit2 logs nothing. The chain's actor follows claimed payments; others are not detected.
  if (request.permit !== null) return refused('authorization_used')
  // It can't have been executed before it was valid.
  const blocks = ((facts.blockTime - validAfter) * 1000n) / BigInt(chain.blockTimeMs) + 64n
  const fromBlock = max(facts.blockNumber - max(blocks, 0n), 0n)
  const query = { token: requirements.asset, payer, nonce, fromBlock, head: facts.blockNumber }
  const searches = deps.facilitator.useLooks(chain.networkId)
  if (searches.known(query) === undefined) await spend(deps, exchange, PRICES.searchUse)
  const use = await searches.search(query)
  if (use?.type === 'cancelled') return refused('authorization_cancelled')
  const isRight =
    use?.type === 'paid' && use.to === authorization.to && use.value === authorization.value
  return isRight ? { type: 'carried_out', use, facts, terms } : refused('authorization_used')
}
