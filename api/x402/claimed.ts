import type { EndpointId } from '../../core/base/ids.ts'
import { baseUnits } from '../../core/base/money.ts'
import type { PaymentRequest } from '../../core/x402/terms.ts'
import type { ClaimedPayment, TermsQuery } from '../../store/x402/terms.ts'

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
