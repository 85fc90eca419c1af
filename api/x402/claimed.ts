import { PRICES } from '../../core/access/costs.ts'
import type { EndpointId } from '../../core/base/ids.ts'
import { max } from '../../core/base/integers.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { Facts } from '../../core/x402/facts.ts'
import { checkFacts } from '../../core/x402/request/checks.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { ClaimedPayment, TermsQuery } from '../../store/x402/terms.ts'
import { spend } from '../http/budget.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Examined, refused, type Terms } from './examined.ts'
import type { X402Dependencies } from './facilitator.ts'

/** What the ledger is asked about a payment, and whether it was claimed before on the same terms. */

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
    // The price of an `upto` payment is the most that may be paid.
    amount: scheme === 'upto' ? baseUnits(authorization.value) : requirements.amount,
    resource,
  }
}

/** Payments that the chain may have carried out already. */

/**
 * A payment that is held is not claimed anew, and has not failed either: the chain may have carried it
 * out by now, or would do so, or it waits on.
 */
export async function examineHeld(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  facts: Facts,
  terms: Terms,
  payment: ClaimedPayment,
): Promise<Examined> {
  const held = { type: 'claimed', payment, mayContinue: false } as const
  // What it has itself promised is no obstacle to it.
  if (!facts.isUsed) {
    return { ...held, mayContinue: checkFacts(request, facts, 0n, payment.amount) === null }
  }
  const now = BigInt(Math.floor(deps.now().getTime() / 1000))
  const used = await examineUse(deps, exchange, request, facts, terms, now)
  return used.type === 'carried_out' ? used : held
}

/**
 * A used authorization is accepted if it paid what it should, and the call is in time. One look decides,
 * as far back as it reaches. Nothing is recorded of what it doesn't find: a later call looks again, and a
 * payment that was claimed is found by the chain's actor, which searches all blocks since the claim.
 */
export async function examineUse(
  deps: X402Dependencies,
  exchange: Exchange,
  request: PaymentRequest,
  facts: Facts,
  terms: Terms,
  now: bigint,
): Promise<Examined> {
  const { authorization, chain, requirements } = request
  const { from: payer, nonce, validAfter, validBefore } = authorization
  const time = facts.blockTime > now ? facts.blockTime : now
  if (time >= validBefore) return refused('payment_expired')
  // Permit2 logs nothing. What was claimed is followed by the chain's actor; of anything else nobody tells.
  if (request.permit !== null) return refused('authorization_used')
  // Before it was valid it can't have been carried out.
  const blocks = ((facts.blockTime - validAfter) * 1000n) / BigInt(chain.blockTimeMs) + 64n
  const fromBlock = max(facts.blockNumber - max(blocks, 0n), 0n)
  const query = { token: requirements.asset, payer, nonce, fromBlock, head: facts.blockNumber }
  const looks = deps.facilitator.useLooks(chain.networkId)
  if (looks.known(query) === undefined) await spend(deps, exchange, PRICES.lookForUse)
  const use = await looks.look(query)
  if (use?.type === 'cancelled') return refused('authorization_cancelled')
  const isRight =
    use?.type === 'paid' && use.to === authorization.to && use.value === authorization.value
  return isRight ? { type: 'carried_out', use, facts, terms } : refused('authorization_used')
}
