import { APIError, createAuthMiddleware } from 'better-auth/api'
import { parseEmail } from '../../../core/access/invitation.ts'
import { checkPassword } from '../../../core/access/password.ts'
import { asPersonId, type PersonId } from '../../../core/base/ids.ts'
import { cleanText } from '../../../core/base/text.ts'
import { INVITATION_HEADER } from './paths.ts'

/** Checks that run before and after the library's handlers, in addition to its own. */

export interface AuthRules {
  readonly isOpen: boolean
  /** The invited address; null if the invitation can no longer be accepted. */
  readonly invitedEmail: (token: string) => Promise<string | null>
  /** Removes the account of an unconfirmed address without memberships. */
  readonly forgetUnconfirmed: (email: string) => Promise<void>
  readonly acceptInvitation: (token: string, personId: PersonId, headers: Headers) => Promise<void>
  /** Marks an authenticator's code as used; false if it was used before. */
  readonly useCode: (personId: PersonId, code: string) => Promise<boolean>
}

const MAX_NAME_LENGTH = 80

export function beforeAuth(rules: AuthRules) {
  return createAuthMiddleware(async (context) => {
    const { path } = context
    const body = fieldsOf(context.body)
    if (path === '/sign-up/email') {
      // Before any lookup, so that the response reveals nothing about other accounts.
      await requireInvitation(rules, context.headers, body.email)
      requireName(body.name)
      requirePassword(body.password)
    }
    if (path === '/change-password') {
      requirePassword(body.newPassword)
      // The database ends all sessions; the library starts the new one.
      return { context: { body: { ...body, revokeOtherSessions: true } } }
    }
    if (path.startsWith('/two-factor/verify-') && body.trustDevice !== undefined) {
      refuse('TRUST_NOT_POSSIBLE', 'The second factor is required at every sign-in.')
    }
    return undefined
  })
}

export function afterAuth(rules: AuthRules) {
  return createAuthMiddleware(async (context) => {
    const { path } = context
    if (path === '/sign-up/email') {
      const headers = context.headers ?? new Headers()
      const token = headers.get(INVITATION_HEADER)
      const id = idOf(fieldsOf(context.context.returned).user)
      // For an address that already has an account, the returned user doesn't exist.
      if (token !== null && id !== null) await rules.acceptInvitation(token, id, headers)
    }
    if (path === '/two-factor/verify-totp') {
      const { newSession } = context.context
      if (newSession === null) return
      const code = String(fieldsOf(context.body).code)
      if (await rules.useCode(asPersonId(newSession.user.id), code)) return
      // RFC 6238, section 5.2: a code is valid once. The library accepts it until its period ends.
      await context.context.internalAdapter.deleteSession(newSession.session.token)
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
    }
  })
}

async function requireInvitation(
  rules: AuthRules,
  headers: Headers | undefined,
  email: unknown,
): Promise<void> {
  const parsed = parseEmail(String(email))
  if (!parsed.ok) refuse('INVALID_EMAIL', `Email ${parsed.message}.`)
  const token = headers?.get(INVITATION_HEADER) ?? null
  const invited = token === null ? null : await rules.invitedEmail(token)
  // The link proves access to the mailbox; the unconfirmed account doesn't.
  if (invited === parsed.email) await rules.forgetUnconfirmed(parsed.email)
  else if (!rules.isOpen) {
    throw new APIError('FORBIDDEN', {
      code: 'INVITATION_NEEDED',
      message: 'An invitation for this address is required.',
    })
  }
}

function requireName(name: unknown): void {
  const isName =
    typeof name === 'string' && name !== '' && cleanText(name, MAX_NAME_LENGTH) === name
  if (!isName) refuse('INVALID_NAME', `The name must have 1 to ${MAX_NAME_LENGTH} characters.`)
}

function requirePassword(password: unknown): void {
  const verdict = checkPassword(typeof password === 'string' ? password : '')
  if (!verdict.ok) refuse('PASSWORD_REFUSED', `The password ${verdict.message}.`)
}

function refuse(code: string, message: string): never {
  throw new APIError('BAD_REQUEST', { code, message })
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function idOf(user: unknown): PersonId | null {
  const { id } = fieldsOf(user)
  return typeof id === 'string' ? asPersonId(id) : null
}
