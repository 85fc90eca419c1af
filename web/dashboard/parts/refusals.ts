import type { Problem } from '../session/request.ts'
import type { DashboardWords } from './page.ts'

/** What the server refuses, by the code of the error; those of signing in are in capitals. */
const CODES = [
  'unauthorized',
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
  'idempotency_key_in_flight',
  'unknown_chain',
  'no_supported_chains',
  'chain_not_local',
  'body_too_large',
  'rate_unavailable',
  'service_unavailable',
  'INVITATION_NEEDED',
  'INVALID_NAME',
  'INVALID_EMAIL',
] as const

/** Of these there are many reasons, which the server names, in English. */
const OF_MANY_REASONS = [
  'invalid_request_body',
  'invalid_recipient',
  'other_person_required',
  'refund_not_possible',
  'refund_of_too_many_payments',
  'transfer_not_shown',
  'order_not_possible',
  'scenario_not_possible',
  'PASSWORD_REFUSED',
] as const

/** What it means that this was refused, in the reader's language. */
export function refusalText(
  words: DashboardWords,
  { code, message, status }: Pick<Problem, 'code' | 'message' | 'status'>,
): string {
  const known = CODES.find((one) => one === code)
  if (known !== undefined) return words.say(`refusal_${known}`)
  if (code === 'role_not_sufficient') return words.say('noPermission')
  if (code === 'fresh_sign_in_required') return words.say('confirmIdentity')
  if (status >= 500) return words.say('refusalFault')
  if (words.locale === 'en' && message !== '') return message
  const many = OF_MANY_REASONS.find((one) => one === code)
  if (many !== undefined) return words.say(`refusal_${many}`)
  return words.say(status === 404 ? 'refusalGone' : 'refusalOther')
}
