import type { RecoveryJson } from '../../../core/invoice/recovery.ts'

/** Why money is held, in a word and in a sentence. */
export const REASONS = {
  late: { word: 'reasonLate', about: 'heldLate' },
  wrong_token: { word: 'reasonWrongToken', about: 'heldWrongToken' },
  wrong_chain: { word: 'reasonWrongChain', about: 'heldWrongChain' },
  partial: { word: 'partial', about: 'heldPartial' },
  underpaid: { word: 'reasonUnderpaid', about: 'heldUnderpaid' },
  no_recipient: { word: 'reasonNoAddress', about: 'heldNoRecipient' },
  below_gas_threshold: { word: 'reasonSmall', about: 'heldBelowThreshold' },
  screening: { word: 'reasonScreening', about: 'heldScreening' },
  blocked_recipient: { word: 'reasonBlocked', about: 'heldBlocked' },
  settlement_failed: { word: 'reasonFailed', about: 'heldFailed' },
} as const satisfies Record<RecoveryJson['reason'], { word: string; about: string }>
