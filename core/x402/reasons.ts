/**
 * Why a payment is refused or has failed: the codes of the x402 specification's section on errors, and
 * after them facts that it has no code for. They are part of the public interface.
 */
export const REASONS = [
  'insufficient_funds',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'invalid_transaction_state',
  'unexpected_verify_error',
  'unexpected_settle_error',
  'payment_expired',
  'duplicate_settlement',
  'settlement_pending',
  'authorization_used',
  'authorization_cancelled',
  'payer_blacklisted',
  'payee_blacklisted',
  'token_paused',
  'asset_not_deployed',
  'invalid_exact_evm_payload_undeployed_smart_wallet',
] as const

export type Reason = (typeof REASONS)[number]

export function isReason(text: string): text is Reason {
  return REASONS.some((reason) => reason === text)
}
