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

/** What that person and every owner are told. */
export function membershipMail(merchantName: string, change: RoleChange) {
  const name = cleanText(merchantName, 100)
  const losesOwner = change.before === 'owner'
  return {
    subject: `${name}: ${headlineOf(change)}`,
    body: [
      `${whatOf(change)}, at ${name}.`,
      ...(losesOwner
        ? [
            'Links that stop a change of where the money goes stay good for whoever was an owner when they were sent.',
          ]
        : []),
      'If that is wrong, tell the other owners and whoever runs this deployment at once.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** What each owner is told once in an hour in which there are more changes than mails about them. */
export function moreMembershipsMail(merchantName: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `${name}: many changes of members`,
    body: `There were more changes of the members of ${name} within an hour than are mailed one by one. The dashboard has all of them, under Members and in the audit log.\n\nIf that is wrong, tell the other owners and whoever runs this deployment at once.\n`,
  }
}

function headlineOf({ before, after }: RoleChange): string {
  if (after === null) return 'somebody was removed'
  return before === null ? `there is another member, as ${after}` : 'somebody has another role'
}

function whatOf({ name, email, before, after, by }: RoleChange): string {
  const who = cleanText(`${name} <${email}>`, 300)
  const was = before === null ? '' : `, who was ${before}`
  if (by === null) return `${who}${was}${was && ','} has accepted an invitation as ${after}`
  const done = after === null ? `removed ${who}` : `made ${who} ${after}`
  return `${cleanText(by, 400)} has ${done}${was}`
}

/** Whether somebody gets, or loses, a role that protects money: owners are told of it. */
export function isNotified(before: Role | null, after: Role | null): boolean {
  return before !== after && (protects(before) || protects(after))
}

function protects(role: Role | null): boolean {
  return role === 'owner' || role === 'finance'
}
