import { isRole } from '../../../core/access/roles.ts'
import type { ApprovalJson, PolicyJson } from '../../../core/merchant/approval.ts'
import type { DashboardWords } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'

/** What a request would do, in a sentence. */
export function requestText(words: DashboardWords, request: ApprovalJson): string {
  const reference = request.invoiceRef ?? ''
  switch (request.kind) {
    case 'recipient':
      return words.say('approvalRecipient')
    case 'refund': {
      if (request.amount === null) return words.say('refundTitle', { reference })
      const amount = words.money(request.amount, request.asset ?? '')
      return request.invoiceId === null
        ? words.say('approvalRefundX402', { amount })
        : words.say('approvalRefund', { amount, reference })
    }
    case 'policy':
      return words.say('approvalPolicy', { rules: rulesText(words, request.policy) })
    case 'address':
      return words.say('approvalAddress')
    case 'member': {
      const name = request.member ?? ''
      const { role } = request
      return role !== null && isRole(role)
        ? words.say('approvalRole', { name, role: roleName(words, role) })
        : words.say('removeMember', { name })
    }
    default:
      return request.kind satisfies never
  }
}

/** An approval request in a few words. */
export function rulesText(words: DashboardWords, policy: PolicyJson | null): string {
  const rules = [
    ...(policy?.recipient ? [words.say('policyRuleRecipient')] : []),
    ...(policy?.refundsAbove
      ? [words.say('policyRuleRefunds', { amount: words.amount(policy.refundsAbove) })]
      : []),
  ]
  return rules.length === 0 ? words.say('policyNone') : rules.join(', ')
}
