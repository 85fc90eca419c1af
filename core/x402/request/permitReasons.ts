import type { Reason } from '../reasons.ts'

/** The names that x402 clients know for reasons when a payment goes by Permit2. */
const NAMES: Partial<Record<Reason, Reason>> = {
  invalid_exact_evm_payload_signature: 'invalid_permit2_signature',
  invalid_exact_evm_payload_recipient_mismatch: 'invalid_permit2_recipient_mismatch',
  invalid_exact_evm_payload_authorization_value_mismatch: 'permit2_amount_mismatch',
  invalid_exact_evm_payload_authorization_valid_after: 'permit2_not_yet_valid',
  invalid_exact_evm_payload_authorization_valid_before: 'permit2_deadline_expired',
  payment_expired: 'permit2_deadline_expired',
  insufficient_funds: 'permit2_insufficient_balance',
}

/** A reason as returned to the caller. */
export function reasonFor(request: { readonly permit: object | null }, reason: Reason): Reason {
  return request.permit === null ? reason : (NAMES[reason] ?? reason)
}
