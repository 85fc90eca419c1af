import { max, min } from '../../base/integers.ts'
import type { Address } from '../../chain/evm.ts'
import type { Facts } from '../facts.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../permitContracts.ts'
import type { Reason } from '../reasons.ts'
import type { PaymentRequest, Permit } from '../terms.ts'

/** Whether a payment by Permit2 may be carried out, beside what holds for every payment. */

interface Problem {
  readonly reason: Reason
  readonly message: string
}

/** What is wrong with what the payer signed; null when it is in order. `hub` is the deployment's. */
export function findPermitProblem(
  { scheme, permit, requirements }: PaymentRequest,
  hub: Address,
): Problem | null {
  if (permit === null) return null
  const { spender, token, facilitator } = permit
  const proxy = PERMIT_PROXIES[scheme]
  if (spender !== proxy) {
    const message = `spender is ${spender}; for the scheme "${scheme}" it must be ${proxy}`
    return { reason: 'invalid_permit2_spender', message }
  }
  if (facilitator !== null && facilitator !== hub) {
    const message = `witness.facilitator is ${facilitator}; extra.facilitatorAddress must be ${hub}, as in GET /supported`
    return { reason: 'upto_facilitator_mismatch', message }
  }
  if (token === requirements.asset) return null
  const message = `permitted.token is ${token}, the asset is ${requirements.asset}`
  return { reason: 'permit2_token_mismatch', message }
}

/** What the chain knows in addition of a payment by Permit2. */
export interface PermitFacts extends Facts {
  /** What the payer lets Permit2 take, in base units. */
  readonly allowance: bigint
  /** The nonce of the payer's next EIP-2612 permit; 0 for a token that has none. */
  readonly approvalNonce: bigint
  /** Whether Permit2 and the proxy are there. */
  readonly isDeployed: boolean
}

/**
 * What Permit2 may take of the balance, in base units. A permit that travels along sets the allowance to
 * what is signed for, once: while a payment is under way that it is for, there is nothing for another one.
 */
export function takeable(
  { allowance, balance }: Pick<PermitFacts, 'allowance' | 'balance'>,
  { value }: Pick<PaymentRequest['authorization'], 'value'>,
  isSponsored: boolean,
): bigint {
  const allowed = isSponsored ? max(allowance, value) : allowance
  return min(balance, allowed)
}

/** How Permit2 gets to the payer's money. */
export type Approval =
  /** The payer has approved it, or will have by the permit that travels along. */
  | { readonly ok: true; readonly isSponsored: boolean }
  | { readonly ok: false; readonly reason: Reason; readonly message: string }

/**
 * Checks the payer's approval of that amount. A permit that travels along is used only where it is needed;
 * it has been found good (`isSigned`) by then, and so much must be left before its deadline (Unix seconds, inclusive).
 */
export function findApproval(
  { authorization, permit, requirements }: PaymentRequest,
  facts: PermitFacts,
  isSigned: boolean,
  now: bigint,
  marginSeconds = 1n,
): Approval {
  if (!facts.isDeployed) return refused('permit2_proxy_not_deployed')
  if (facts.allowance >= authorization.value) return { ok: true, isSponsored: false }
  const sponsored = permit?.sponsored ?? null
  const what = `approve ${PERMIT2} (Permit2) for at least ${authorization.value} base units of ${requirements.asset}`
  if (sponsored === null) {
    return refused(
      'permit2_allowance_required',
      `${what}, or send an EIP-2612 permit by the extension eip2612GasSponsoring`,
    )
  }
  const until = now + marginSeconds
  const fault = faultOf(sponsored, authorization, requirements.asset, facts, isSigned, until)
  if (fault === null) return { ok: true, isSponsored: true }
  return refused('permit2_allowance_required', `extensions.eip2612GasSponsoring.info: ${fault}`)
}

function faultOf(
  sponsored: NonNullable<Permit['sponsored']>,
  { from, value }: PaymentRequest['authorization'],
  asset: Address,
  { approvalNonce, payerCodeHash }: PermitFacts,
  isSigned: boolean,
  until: bigint,
): string | null {
  if (payerCodeHash !== null) return 'a payer with code has to approve Permit2 itself'
  if (sponsored.owner !== from) return 'from must be the payer'
  if (sponsored.token !== asset) return 'asset must be the token of the payment'
  if (sponsored.spender !== PERMIT2) return `spender must be ${PERMIT2}`
  if (sponsored.value !== value) return `amount must be ${value}, as much as is permitted`
  if (sponsored.nonce !== approvalNonce) return `nonce must be ${approvalNonce}, the token's next`
  if (sponsored.deadline < until) return 'deadline has passed, or is too near'
  return isSigned ? null : "signature is not the payer's over this permit"
}

function refused(reason: Reason, message?: string): Approval {
  return {
    ok: false,
    reason,
    message: message ?? 'Permit2 or the x402 proxy is not on the network',
  }
}
