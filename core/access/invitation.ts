import { type Invalid, invalid } from '../base/errors.ts'
import { cleanText, pasted } from '../base/text.ts'
import type { Role } from './roles.ts'

/** Invitations: a link that makes one user, by their email address, a member of one merchant, once. */

/** How long an invitation can be accepted, in ms. */
export const INVITATION_MS = 7 * 24 * 3_600_000

const LONGEST_EMAIL = 254
/** A single address without anything that has another meaning in an email header. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** An email address in lower case; it identifies a user. */
export function parseEmail(text: string): { readonly ok: true; readonly email: string } | Invalid {
  const email = pasted(text).toLowerCase()
  if (email.length > LONGEST_EMAIL || !EMAIL.test(email)) {
    return invalid('must be one email address, like ada@example.com')
  }
  return { ok: true, email }
}

export function invitationEmail(merchantName: string, role: Role, url: string) {
  const name = cleanText(merchantName, 100)
  return {
    subject: `You are invited to ${name}`,
    body: `You have been invited to ${name} on Remit, with the role ${role}.\n\nOpen this link within seven days to accept. It works once, for this email address only:\n\n${url}\n`,
  }
}

/** The email to a user whose access the operator restores. */
export function recoveryEmail(url: string) {
  return {
    subject: 'Set a new password',
    body: `The operator of this deployment has removed your password, your authenticator and your passkeys, and ended your sessions.\n\nOpen this link within one day to set a new password. It works once:\n\n${url}\n\nIf you did not request this, inform the operator.\n`,
  }
}

/** The page of a recovery. The token is in the fragment, which servers don't log. */
export function recoveryUrl(origin: string, token: string): string {
  return `${origin}/dashboard/recover#${token}`
}

/** The page of an invitation. The token is in the fragment, which servers don't log. */
export function invitationUrl(origin: string, token: string): string {
  return `${origin}/dashboard/invitation#${token}`
}
