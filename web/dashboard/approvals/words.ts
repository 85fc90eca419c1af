import type { ApprovalJson, PolicyJson } from '../../../core/merchant/approval.ts'
import type { DashboardWords } from '../parts/page.ts'

/** What a request would do, in a sentence. */
export function requestText(words: DashboardWords, request: ApprovalJson): string {
  const reference = request.invoiceRef ?? ''
  switch (request.kind) {
    case 'recipient':
      return words.say('approvalRecipient')
    case 'refund':
      return request.amount === null
        ? words.say('approvalRefundOther', { reference })
        : words.say('approvalRefund', {
            amount: words.money(request.amount, request.asset ?? ''),
            reference,
          })
    case 'policy':
      return words.say('approvalPolicy', { rules: rulesText(words, request.policy) })
    default:
      return request.kind satisfies never
  }
}

/** What needs a second person, in some words. */
export function rulesText(words: DashboardWords, policy: PolicyJson | null): string {
  const rules = [
    ...(policy?.recipient ? [words.say('policyRuleRecipient')] : []),
    ...(policy?.refundsAbove
      ? [words.say('policyRuleRefunds', { amount: words.amount(policy.refundsAbove) })]
      : []),
  ]
  return rules.length === 0 ? words.say('policyNone') : rules.join(', ')
}
