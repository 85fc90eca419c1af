import { AppError } from '../../core/base/errors.ts'
import { acceptInvitation, findInvitation } from '../../store/access/invitations.ts'
import { membershipsOf } from '../../store/access/members.ts'
import {
  acceptOperatorInvitation,
  findOperatorInvitation,
  isOperator,
} from '../../store/access/operators.ts'
import { finishRecovery, isRecovery } from '../../store/access/recovery.ts'
import { guardDatabase } from '../http/backends.ts'
import { requireOwnOrigin } from '../http/cors.ts'
import { type Exchange, sendObject } from '../http/exchange.ts'
import type { Limits } from '../http/rateLimit.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { pastedField, text } from '../request/schema.ts'
import { type EventDependencies, recordAccess } from './auth/events.ts'
import { hashPassword } from './auth/passwords.ts'
import type { Dashboard } from './dashboard.ts'
import { requireUser, type SessionDependencies } from './guards.ts'

/** A user's own account: profile, memberships and invitations. */

const TOKEN_BODY = bodyOf('The invitation.', {
  token: pastedField('The fragment of the link.', 'b3f1'),
})

const RECOVERY_BODY = bodyOf('The recovery.', {
  token: pastedField('The fragment of the link.', 'b3f1'),
  password: text('The new password.', 'seven quiet lamps at noon'),
})

/** The signed-in user and their merchants. */
export async function answerMe(
  deps: SessionDependencies,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  const person = await requireUser(dashboard, limits, exchange)
  const [merchants, isOne] = await guardDatabase(deps, (sql) =>
    Promise.all([membershipsOf(sql, person.id), isOperator(sql, person.id)]),
  )
  const { sessionId, ...shown } = person
  return sendObject(exchange, 200, { person: shown, sessionId, merchants, isOperator: isOne })
}

/** An invitation's details, by its link. Throws `invitation_not_found`. */
export async function answerInvitation(
  deps: SessionDependencies,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  requireOwnOrigin(exchange, dashboard.config.origin)
  await limits.signIn(exchange)
  const { token } = await TOKEN_BODY.read(exchange.request)
  const found = await guardDatabase(
    deps,
    async (sql) =>
      (await findInvitation(sql, token, deps.now())) ??
      (await findOperatorInvitation(sql, token, deps.now())),
  )
  if (found === null) throw new AppError('invitation_not_found')
  return sendObject(exchange, 200, found)
}

/** Makes the signed-in user a member, if the invitation is for their address. */
export async function answerAcceptance(
  deps: SessionDependencies & EventDependencies,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  const person = await requireUser(dashboard, limits, exchange)
  const { token } = await TOKEN_BODY.read(exchange.request)
  const accepted = await guardDatabase(deps, (sql) =>
    acceptInvitation(sql, token, person.id, deps.now()),
  )
  if (accepted !== null) {
    await recordAccess(deps, exchange, { personId: person.id, event: 'acceptInvitation' })
    return sendObject(exchange, 200, accepted)
  }
  const isNowOperator = await guardDatabase(deps, (sql) =>
    acceptOperatorInvitation(sql, token, person.id, deps.now()),
  )
  if (!isNowOperator) throw new AppError('invitation_not_found')
  await recordAccess(deps, exchange, { personId: person.id, event: 'acceptInvitation' })
  return sendObject(exchange, 200, { isOperator: true })
}

/** Sets the password of a user whose access an operator restores. Throws `recovery_not_found`. */
export async function answerRecovery(
  deps: SessionDependencies & EventDependencies,
  dashboard: Dashboard,
  limits: Limits,
  exchange: Exchange,
): Promise<string> {
  requireOwnOrigin(exchange, dashboard.config.origin)
  await limits.signIn(exchange)
  const { token, password } = await RECOVERY_BODY.read(exchange.request)
  // With its list of breached passwords it is loaded only when a password is set.
  const { checkPassword } = await import('../../core/access/password.ts')
  const verdict = checkPassword(password)
  if (!verdict.ok) throw invalidBody([{ path: 'password', message: verdict.message }])
  // Hashing is expensive, so an invalid link is refused before.
  const isOne = await guardDatabase(deps, (sql) => isRecovery(sql, token, deps.now()))
  if (!isOne) throw new AppError('recovery_not_found')
  const hash = () => hashPassword(password)
  const passwordHash = await dashboard.hashing.run(exchange, token, hash)
  const personId = await guardDatabase(deps, (sql) =>
    finishRecovery(sql, { token, passwordHash }, deps.now()),
  )
  if (personId === null) throw new AppError('recovery_not_found')
  await recordAccess(deps, exchange, { personId, event: 'changePassword' })
  return sendObject(exchange, 200, {})
}
