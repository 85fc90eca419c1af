import type { ApprovalRequestId, InvoiceId, PersonId, RefundId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import { type BaseUnits, formatAmount, tokenDecimals } from '../base/money.ts'
import { cleanText } from '../base/text.ts'
import { type Address, checksumAddress } from '../chain/evm.ts'
import { type Chain, tokenAt } from '../chain/registry.ts'

/**
 * What needs dual approval at a merchant: changes of its recipient, refunds above an amount, and, while either is
 * set, the rules themselves and the end of the memberships of those who could approve.
 */

const APPROVAL_KINDS = ['recipient', 'refund', 'policy', 'member', 'address'] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]
const APPROVAL_STATES = ['open', 'approved', 'refused', 'expired'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/** Decimals of the amount of a rule, for every token. */
export const RULE_DECIMALS = tokenDecimals(6)

export interface ApprovalPolicy {
  readonly recipient: boolean
  /** The amount above which a refund needs approval, in millionths of a whole token; null for none. */
  readonly refundsAbove: BaseUnits | null
}

export const NO_POLICY: ApprovalPolicy = { recipient: false, refundsAbove: null }

/** So much of a token: a refund, or several together. */
export interface RefundSum {
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
}

/**
 * Whether a refund needs an approval: when it and unapproved ones of the last 24 hours exceed the rule's
 * amount, so that it can't be evaded in small parts. Amounts count in whole tokens, whichever the token is:
 * those of the registry are all in the same currency. Any other has an unknown value, so each of its refunds
 * does.
 */
export function refundNeedsApproval(
  refundsAbove: bigint | null,
  refund: RefundSum,
  chains: readonly Chain[],
  others: readonly RefundSum[] = [],
): boolean {
  if (refundsAbove === null) return false
  const own = worthOf(refund, chains)
  if (own === null) return true
  const together = others.reduce((sum, one) => sum + (worthOf(one, chains) ?? 0n), own)
  return together > refundsAbove * 10n ** (WORTH_DECIMALS - BigInt(RULE_DECIMALS))
}

/** More than any token of the registry has, so that nothing is rounded. */
const WORTH_DECIMALS = 36n

/** How many whole tokens that is, with 36 decimals; null for a token of unknown value. */
function worthOf({ networkId, token, amount }: RefundSum, chains: readonly Chain[]): bigint | null {
  const known = tokenAt({ networkId, token }, chains)
  return known === undefined ? null : amount * 10n ** (WORTH_DECIMALS - BigInt(known.decimals))
}

/** own: they have requested it · new: they had no such role a day before · twice: they have approved it. */
export type NotApprovable = 'ended' | 'own' | 'new' | 'twice'

export interface ApprovalRequest {
  readonly id: ApprovalRequestId
  readonly kind: ApprovalKind
  readonly state: ApprovalState
  readonly actorName: string
  /** The member who requested it, where one has. */
  readonly actorId: string
  readonly needed: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly endedBy: string | null
  /** Who has approved it so far. */
  readonly approvedBy: readonly string[]
  /** Why the viewer can't approve it; null where they can. */
  readonly notApprovable: NotApprovable | null
  /** Of a change of the recipient, or a refund: where the money is to go. */
  readonly recipient: Address | null
  readonly refundId: RefundId | null
  readonly invoiceId: InvoiceId | null
  readonly invoiceRef: string | null
  readonly networkId: string | null
  readonly token: Address | null
  readonly amount: BaseUnits | null
  readonly wantedRecipient: boolean | null
  readonly wantedRefundsAbove: BaseUnits | null
  /** Whose membership is to end or to change; null for other requests. */
  readonly memberId: PersonId | null
  /** The same member, by name and address. */
  readonly member: string | null
  /** The role that they are to have; null for none. */
  readonly wantedRole: string | null
}

export type ApprovalJson = ReturnType<typeof presentApproval>

/** A request as the dashboard shows it. */
export function presentApproval(request: ApprovalRequest, chains: readonly Chain[]) {
  const { recipient, networkId, token: address, amount } = request
  const token =
    networkId === null || address === null
      ? undefined
      : tokenAt({ networkId, token: address }, chains)
  return {
    id: request.id,
    kind: request.kind,
    status: request.state,
    requestedBy: request.actorName,
    requestedById: request.actorId,
    needed: request.needed,
    approvedBy: request.approvedBy,
    notApprovable: request.notApprovable,
    requestedAt: request.createdAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
    endedAt: iso(request.endedAt),
    endedBy: request.endedBy,
    recipient: recipient && checksumAddress(recipient),
    refundId: request.refundId,
    invoiceId: request.invoiceId,
    invoiceRef: request.invoiceRef,
    chain: networkId,
    asset: token?.symbol ?? null,
    amount: amount === null || token === undefined ? null : formatAmount(amount, token.decimals),
    policy:
      request.wantedRecipient === null
        ? null
        : presentPolicy({
            recipient: request.wantedRecipient,
            refundsAbove: request.wantedRefundsAbove,
          }),
    memberId: request.memberId,
    member: request.member,
    role: request.wantedRole,
  }
}

export type PolicyJson = ReturnType<typeof presentPolicy>

export function presentPolicy({ recipient, refundsAbove }: ApprovalPolicy) {
  return {
    recipient,
    refundsAbove: refundsAbove === null ? null : formatAmount(refundsAbove, RULE_DECIMALS),
  }
}

/** The email to possible approvers of a request. */
export function approvalEmail(merchantName: string, who: string, url: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: a request needs your approval`,
    body: `${cleanText(who, 200)} has made a request at ${name} that needs an approval. Sign in to review it within three days:\n\n${url}\n\nWithout an approval, the request expires.\n`,
  }
}

/** The email to every owner when the approval rules have changed. */
export function rulesEmail(facts: {
  readonly merchantName: string
  /** Who has requested them, and who has approved them. */
  readonly by: string
  readonly approvedBy: string
}) {
  const name = cleanText(facts.merchantName, 100)
  return {
    subject: `${name}: the approval rules were changed`,
    body: `${cleanText(facts.by, 200)} has requested a change of the approval rules of ${name}, and ${cleanText(facts.approvedBy, 200)} has approved it. The dashboard shows the rules in the settings.\n\nIf this is wrong, inform the other owners and the operator of this deployment immediately.\n`,
  }
}
