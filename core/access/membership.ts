import { cleanText } from '../base/text.ts'
import type { Role } from './roles.ts'

/** A membership that begins or ends, or gets another role. */
export interface RoleChange {
  readonly name: string
  readonly email: string
  /** Null where they were no member. */
  readonly before: Role | null
  /** Null where they are removed. */
  readonly after: Role | null
  /** Who has done it, as the audit log names them, with who has approved it; null for an invitation's acceptance. */
  readonly by: string | null
}

/** The email to that user and every owner. */
export function membershipEmail(merchantName: string, change: RoleChange) {
  const name = cleanText(merchantName, 100)
  const losesOwner = change.before === 'owner'
  return {
    subject: `${name}: ${headlineOf(change)}`,
    body: [
      `${whatOf(change)}, at ${name}.`,
      ...(losesOwner
        ? [
            'Links that cancel a change of the payout address stay valid for those who were owners when they were sent.',
          ]
        : []),
      'If this is wrong, inform the other owners and the operator of this deployment immediately.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** The email to each owner, once in an hour with more changes than emails about them. */
export function moreMembershipsEmail(merchantName: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: many membership changes`,
    body: `More members of ${name} were changed within an hour than are reported one by one. The dashboard lists all of them, under Members and in the audit log.\n\nIf this is wrong, inform the other owners and the operator of this deployment immediately.\n`,
  }
}

function headlineOf({ before, after }: RoleChange): string {
  if (after === null) return 'a member was removed'
  return before === null ? `a new member with the role ${after}` : 'a member has a new role'
}

function whatOf({ name, email, before, after, by }: RoleChange): string {
  const who = cleanText(`${name} <${email}>`, 300)
  const was = before === null ? '' : `, who was ${before}`
  if (by === null) return `${who}${was}${was && ','} has accepted an invitation as ${after}`
  const done = after === null ? `removed ${who}` : `made ${who} ${after}`
  return `${cleanText(by, 400)} has ${done}${was}`
}

/** Whether a role that protects money is granted or removed, of which owners are notified. */
export function isNotified(before: Role | null, after: Role | null): boolean {
  return before !== after && (protects(before) || protects(after))
}

function protects(role: Role | null): boolean {
  return role === 'owner' || role === 'finance'
}
