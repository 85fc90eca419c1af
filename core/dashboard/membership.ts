import { cleanText } from '../text/text.ts'
import type { Role } from './roles.ts'

/** A membership that ends, or gets another role. */
export interface EndedRole {
  readonly name: string
  readonly email: string
  readonly before: Role
  /** Null where they are removed. */
  readonly after: Role | null
  /** Who has done it, as the audit log names them, with who has approved it. */
  readonly by: string
}

/** What that person and every owner are told. */
export function membershipMail(merchantName: string, ended: EndedRole) {
  const name = cleanText(merchantName, 100)
  const who = cleanText(`${ended.name} <${ended.email}>`, 300)
  const what =
    ended.after === null
      ? `removed ${who}, who was ${ended.before}`
      : `made ${who} ${ended.after}, who was ${ended.before}`
  return {
    subject: `${name}: ${ended.after === null ? 'somebody was removed' : 'somebody has another role'}`,
    body: [
      `${cleanText(ended.by, 400)} has ${what}, at ${name}.`,
      'Links that stop a change of where the money goes stay good for whoever was an owner when they were sent.',
      'If that is wrong, tell the other owners and whoever runs this deployment at once.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** Whether the end of this role, or another one in its place, takes something away that protects money. */
export function isGuarded(before: Role, after: Role | null): boolean {
  return (before === 'owner' || before === 'finance') && after !== before && after !== 'owner'
}
