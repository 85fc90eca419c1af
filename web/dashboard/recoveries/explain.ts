import type { DashboardWords } from '../parts/page.ts'
import { Problem } from '../session/request.ts'

/** Why an action is impossible, in the user's words; null where there are none and the server's apply. */
export function explainAction(words: DashboardWords, error: unknown): string | null {
  if (!(error instanceof Problem)) return null
  switch (error.code) {
    case 'fresh_sign_in_required':
      return words.say('confirmIdentity')
    case 'second_factor_required':
      return words.say('needsSecondFactor')
    case 'refund_address_not_allowed':
      return words.say('refundAddressNotAllowed')
    case 'refund_by_person_only':
      return words.say('refundByPersonOnly')
    default:
      return null
  }
}
