/** Why a request about channels is refused or has failed: the codes of the scheme "batch-settlement". */
export const CHANNEL_SENTENCES = {
  invalid_batch_settlement_evm_payload_type: 'the payload has a type that is not supported here',
  invalid_batch_settlement_evm_channel_id_mismatch: 'the id is not that of the channel',
  invalid_batch_settlement_evm_receiver_mismatch: 'the channel pays another receiver than payTo',
  invalid_batch_settlement_evm_receiver_authorizer_mismatch:
    'the channel names another authorizer of its receiver',
  invalid_batch_settlement_evm_token_mismatch: 'the channel holds another token than the asset',
  invalid_batch_settlement_evm_withdraw_delay_out_of_range:
    'the withdrawal delay is shorter or longer than the contract allows',
  invalid_batch_settlement_evm_erc3009_authorization_required:
    'the deposit has no EIP-3009 authorization',
  invalid_batch_settlement_evm_payload_authorization_valid_after:
    "the deposit's authorization is not valid yet",
  invalid_batch_settlement_evm_payload_authorization_valid_before:
    "the deposit's authorization ends too soon to be carried out in time",
  invalid_batch_settlement_evm_authorizer_not_configured:
    "the signature of the receiver's authorizer is missing, and we don’t sign for it",
  invalid_batch_settlement_evm_voucher_signature: "the voucher is not signed by the payer's side",
  invalid_batch_settlement_evm_channel_not_found: 'the channel holds nothing',
  invalid_batch_settlement_evm_cumulative_exceeds_balance:
    'the voucher promises more than the channel holds',
  invalid_batch_settlement_evm_cumulative_below_claimed:
    'the voucher promises no more than was claimed already',
  invalid_batch_settlement_evm_insufficient_balance:
    'the payer does not have what is to be deposited, or has promised it elsewhere',
  invalid_batch_settlement_evm_deposit_simulation_failed: 'the deposit would be refused on-chain',
  invalid_batch_settlement_evm_claim_simulation_failed: 'the claim would be refused on-chain',
  invalid_batch_settlement_evm_refund_simulation_failed: 'the refund would be refused on-chain',
  invalid_batch_settlement_evm_refund_no_balance: 'nothing of the channel is left to refund',
  invalid_batch_settlement_evm_nothing_to_settle: 'nothing was claimed that is not settled yet',
  invalid_batch_settlement_evm_deposit_transaction_failed: 'the deposit was refused on-chain',
  invalid_batch_settlement_evm_claim_transaction_failed: 'the claim was refused on-chain',
  invalid_batch_settlement_evm_settle_transaction_failed: 'the settlement was refused on-chain',
  invalid_batch_settlement_evm_refund_transaction_failed: 'the refund was refused on-chain',
} as const
