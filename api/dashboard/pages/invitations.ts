import { invitationEmail, invitationUrl, parseEmail } from '../../../core/access/invitation.ts'
import { AppError } from '../../../core/base/errors.ts'
import {
  createInvitation,
  isTooManyInvitations,
  MOST_OPEN_INVITATIONS,
  openInvitations,
  revokeInvitation,
} from '../../../store/access/invitations.ts'
import { listMembers, merchantName } from '../../../store/access/members.ts'
import { storeLinkEmail } from '../../../store/events/emails.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type Exchange, sendObject, sendWholeList } from '../../http/exchange.ts'
import { type Route, route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { INVOICE_ID } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import { many, one } from '../../request/responses.ts'
import { object, pastedField, time, uuid } from '../../request/schema.ts'
import { roleField, roleOf } from './role.ts'

/** Invitations by owners: sent by email only, so that only the invited user has the link. */

const emailField = pastedField('The address to invite.', 'ada@example.com')
const INVITATION_ID = pathId('invitation', INVOICE_ID, 'invitation_not_found', (id) => id)

const HOUR_S = 3_600

const idField = uuid('The invitation.', INVOICE_ID)
const untilField = time('When it expires.', '2026-08-08T12:00:00.000Z')
const invitationSchema = object('An invitation.', {
  id: idField,
  email: emailField,
  role: roleField,
  createdAt: time('When it was sent.', '2026-08-01T12:00:00.000Z'),
  expiresAt: untilField,
})

const listInvitationsRoute = route({
  operation: 'GET /v1/invitations',
  access: 'merchant',
  summary: 'List invitations',
  description: 'The pending invitations, the newest first.',
  operationId: 'listInvitations',
  successes: { 200: many('The invitations.', invitationSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const open = await guardDatabase(deps, (sql) => openInvitations(sql, merchantId, deps.now()))
    return sendWholeList(exchange, open)
  },
})

const inviteMemberRoute = route({
  operation: 'POST /v1/invitations',
  access: 'merchant',
  body: bodyOf('The invitation.', { email: emailField, role: roleField }),
  summary: 'Invite a member',
  description:
    'Sends a link that can be used once, within seven days; earlier links for the same address are revoked. To ' +
    'change the role of a member, update the member.',
  operationId: 'inviteMember',
  successes: {
    201: one(
      'The invitation is being sent.',
      object('The invitation.', {
        email: emailField,
        role: roleField,
        expiresAt: untilField,
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const parsed = parseEmail(body.email)
    if (!parsed.ok) throw invalidBody([{ path: 'email', message: parsed.message }])
    const { email } = parsed
    const role = roleOf(body.role)
    const origin = deps.config.dashboard?.origin
    if (origin === undefined) throw new AppError('not_found')
    // An invitation held by a member could undo what owners decide about them later; accepted by the last
    // owner, it would leave no owner.
    const members = await guardDatabase(deps, (sql) => listMembers(sql, merchantId))
    if (members.some((member) => member.email === email)) {
      throw invalidBody([
        { path: 'email', message: 'belongs to a member: change their role instead' },
      ])
    }
    const expiresAt = await guardDatabase(deps, (database) =>
      database.begin(async (sql) => {
        for (const open of await openInvitations(sql, merchantId, deps.now())) {
          if (open.email === email) await revokeInvitation(sql, merchantId, open.id)
        }
        const made = await createInvitation(sql, { merchantId, email, role }, deps.now())
        const name = await merchantName(sql, merchantId)
        const message = invitationEmail(name, role, invitationUrl(origin, made.token))
        if (!(await storeLinkEmail(sql, [merchantId], { recipient: email, ...message }))) {
          throw tooManyEmails(exchange)
        }
        return made.expiresAt
      }),
    ).catch((error: unknown) => {
      if (!isTooManyInvitations(error)) throw error
      const message = `can’t be invited: ${MOST_OPEN_INVITATIONS} invitations are open; cancel one first`
      throw invalidBody([{ path: 'email', message }])
    })
    return sendObject(exchange, 201, { email, role, expiresAt })
  },
})

/** The limits of a merchant's emails: to one recipient, and in all. */
function tooManyEmails({ set }: Pick<Exchange, 'set'>): AppError {
  set.headers['retry-after'] = String(HOUR_S)
  const message =
    'can’t be sent another email now: within an hour a merchant sends five to one address, and a hundred in all'
  return new AppError('too_many_requests', [{ path: 'email', message }])
}

const revokeInvitationRoute = route({
  operation: 'DELETE /v1/invitations/:id',
  access: 'merchant',
  ids: { id: INVITATION_ID },
  summary: 'Withdraw an invitation',
  description: 'Revokes its link.',
  operationId: 'revokeInvitation',
  successes: {
    200: one('The withdrawn invitation.', object('It.', { id: idField })),
  },
  handle: async (deps, { exchange, ids: { id }, caller: { merchantId } }) => {
    const wasThere = await guardDatabase(deps, (sql) => revokeInvitation(sql, merchantId, id))
    if (!wasThere) throw new AppError('invitation_not_found')
    return sendObject(exchange, 200, { id })
  },
})

export const INVITATION_ROUTES: readonly Route[] = [
  listInvitationsRoute,
  inviteMemberRoute,
  revokeInvitationRoute,
]
