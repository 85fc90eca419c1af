import type { RecoveryJson } from '../../../core/invoice/recovery.ts'

/** Why money is held, as the catalogue has it. */
export const REASONS = {
  late: 'heldLate',
  wrong_token: 'heldWrongToken',
  wrong_chain: 'heldWrongChain',
  partial: 'heldPartial',
  underpaid: 'heldUnderpaid',
  no_recipient: 'heldNoRecipient',
  below_gas_threshold: 'heldBelowThreshold',
  screening: 'heldScreening',
  blocked_recipient: 'heldBlocked',
  settlement_failed: 'heldFailed',
} as const satisfies Record<RecoveryJson['reason'], string>
