import type { Problem } from '../session/request.ts'
import type { DashboardWords } from './page.ts'

/** What the server refuses, in the reader's language: by the code of the error. */
const CODES = [
  'second_factor_required',
  'recipient_change_open',
  'recipient_change_not_found',
  'approval_open',
  'approval_ended',
  'approval_not_found',
  'approver_missing',
  'last_owner',
  'refund_settled',
  'refund_address_not_allowed',
  'invoice_already_paid',
  'nothing_received',
  'transaction_not_late',
  'transaction_reverted',
  'transaction_refunded',
  'transfer_already_recorded',
  'endpoint_conflict',
  'endpoint_disabled',
  'too_many_endpoints',
  'external_ref_conflict',
  'service_unavailable',
] as const

/** Of these there are many reasons, which the server names in English. */
const OF_MANY_REASONS = [
  'invalid_request_body',
  'invalid_recipient',
  'other_person_required',
  'refund_not_possible',
  'transfer_not_shown',
  'scenario_not_possible',
] as const

/** What it means that this was refused; null where only the server knows. */
export function refusalText(
  words: DashboardWords,
  { code, message }: Pick<Problem, 'code' | 'message'>,
): string | null {
  const known = CODES.find((one) => one === code)
  if (known !== undefined) return words.say(`refusal_${known}`)
  const many = OF_MANY_REASONS.find((one) => one === code)
  if (many === undefined || (words.locale === 'en' && message !== '')) return null
  return words.say(`refusal_${many}`)
}
