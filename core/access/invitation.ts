import { type Invalid, invalid } from '../base/errors.ts'
import { cleanText, pasted } from '../base/text.ts'
import type { Role } from './roles.ts'

/** Invitations: a link that makes one person, by their e-mail address, a member of one merchant, once. */

/** How long an invitation can be accepted, in ms. */
export const INVITATION_MS = 7 * 24 * 3_600_000

const LONGEST_EMAIL = 254
/** One address and nothing else: what a mail's header takes without another meaning. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** An e-mail address in lower case, by which people are known. */
export function parseEmail(text: string): { readonly ok: true; readonly email: string } | Invalid {
  const email = pasted(text).toLowerCase()
  if (email.length > LONGEST_EMAIL || !EMAIL.test(email)) {
    return invalid('must be one e-mail address, like ada@example.com')
  }
  return { ok: true, email }
}

/** What the mail of an invitation says. */
export function invitationMail(merchantName: string, role: Role, url: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `You are invited to ${name}`,
    body: `You can work for ${name} on Remit, with the role ${role}.\n\nOpen this link within seven days. It works once, for this address only:\n\n${url}\n`,
  }
}

/** What the mail to somebody says whom the operator lets in again. */
export function recoveryMail(url: string) {
  return {
    subject: 'Set another password',
    body: `Whoever runs this deployment has taken away your password, your authenticator and your passkeys, and ended your sessions.\n\nOpen this link within a day to set another password. It works once:\n\n${url}\n\nIf you have not asked for it, tell them.\n`,
  }
}

/** The page of a recovery. The token stands behind a #, so that no server's log has it. */
export function recoveryUrl(origin: string, token: string): string {
  return `${origin}/dashboard/recover#${token}`
}

/** The page of an invitation. The token stands behind a #, so that no server's log has it. */
export function invitationUrl(origin: string, token: string): string {
  return `${origin}/dashboard/invitation#${token}`
}
