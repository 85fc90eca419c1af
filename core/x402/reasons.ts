import { CHANNEL_SENTENCES } from './channelReasons.ts'

/**
 * Why a payment is refused or has failed, each with a sentence for developers: the codes of the x402
 * specification's section on errors, and facts that it has no code for. They are part of the public
 * interface.
 */
const SENTENCES = {
  insufficient_funds: 'the payer does not have enough of the token that is not promised already',
  invalid_exact_evm_payload_authorization_valid_after: 'the authorization is not valid yet',
  invalid_exact_evm_payload_authorization_valid_before:
    'the authorization ends too soon to be carried out in time',
  invalid_exact_evm_payload_authorization_value_mismatch:
    'the authorization is over another amount than the price',
  invalid_exact_evm_payload_signature:
    "the signature is not the payer's over this authorization and this token's EIP-712 domain",
  invalid_exact_evm_payload_recipient_mismatch: 'the authorization does not pay payTo',
  invalid_network: 'the network is unknown, or differs between payload and requirements',
  invalid_payload: 'the payment payload is malformed',
  invalid_payment_requirements: 'the payment requirements are malformed or not acceptable',
  pay_to_not_registered:
    "payTo is no merchant's forwarder, and is not registered as a merchant's own address",
  invalid_scheme: 'the payload was made for another scheme than the requirements name',
  unsupported_scheme: 'the scheme is none that GET /v1/x402/supported lists',
  invalid_x402_version: 'x402Version must be 1 or 2',
  invalid_transaction_state: 'the transfer can not be carried out on-chain',
  unexpected_verify_error: 'the payment could not be verified; try again',
  unexpected_settle_error: 'the payment could not be settled; try again',
  payment_expired: 'the authorization has expired',
  duplicate_settlement: 'this payment was settled, and its success was answered already',
  settlement_pending: 'the settlement is under way; repeat the call to wait for its outcome',
  authorization_used: 'the authorization was used on-chain already',
  authorization_cancelled: 'the payer cancelled the authorization on-chain',
  payer_blacklisted: "the token's issuer has blocked the payer",
  payer_on_hold: 'the check of the payer has not let it pass; nothing was begun',
  payee_blacklisted: "the token's issuer has blocked payTo",
  token_paused: "the token's issuer has paused it",
  asset_not_deployed: 'there is no contract at the address of the asset',
  invalid_exact_evm_payload_undeployed_smart_wallet:
    'the payer is a contract wallet that does not exist yet, of a factory that is not supported',
  ...CHANNEL_SENTENCES,
  invalid_permit2_spender: "the payer signed for another spender than the scheme's x402 proxy",
  invalid_permit2_signature: "the signature is not the payer's over this payment by Permit2",
  invalid_permit2_recipient_mismatch: 'the payer signed for another receiver than payTo',
  permit2_token_mismatch: 'the payer signed for another token than the asset',
  permit2_amount_mismatch: 'the payer signed for another amount than the price',
  permit2_not_yet_valid: 'what the payer signed is not valid yet',
  permit2_deadline_expired:
    'what the payer signed has expired, or ends too soon to be carried out in time',
  permit2_insufficient_balance:
    'the payer does not have enough of the token, or Permit2 may not take as much',
  permit2_allowance_required: 'the payer has to approve Permit2 to take the token',
  permit2_proxy_not_deployed: "Permit2 or the scheme's x402 proxy is not deployed on the network",
  upto_facilitator_mismatch:
    'the payer signed for another facilitator than extra.facilitatorAddress',
  invalid_upto_evm_payload_settlement_exceeds_amount:
    'the amount is more than the payer has signed for',
  upto_key_required: "less than the maximum is settled with the merchant's secret key only",
} as const

export type Reason = keyof typeof SENTENCES

export function isReason(text: string): text is Reason {
  return Object.hasOwn(SENTENCES, text)
}

export const REASONS: readonly Reason[] = Object.keys(SENTENCES).filter(isReason)

/** A reason as a sentence for developers. */
export function explainReason(reason: Reason): string {
  return SENTENCES[reason]
}
