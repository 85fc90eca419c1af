import { ROLES, type Role } from '../../../core/access/roles.ts'
import { AppError } from '../../../core/base/errors.ts'
import { asPersonId, type MerchantId, type PersonId } from '../../../core/base/ids.ts'
import { changeMember, listMembers, type MemberChanged } from '../../../store/access/members.ts'
import { guardDatabase } from '../../http/backends.ts'
import {
  type ApiDependencies,
  type Exchange,
  sendObject,
  sendWholeList,
} from '../../http/exchange.ts'
import { type Route, route } from '../../http/route.ts'
import { requestApproval } from '../../merchant/approvers.ts'
import { bodyOf } from '../../request/body.ts'
import { INVOICE_ID } from '../../request/examples.ts'
import { pathId } from '../../request/id.ts'
import { many, one } from '../../request/responses.ts'
import { flag, object, text, time, uuid } from '../../request/schema.ts'
import { roleField, roleOf } from './role.ts'

/** A merchant's members: listed by all, changed by owners. */

const userField = uuid('The user.', INVOICE_ID)
const memberSchema = object('A member.', {
  personId: userField,
  name: text('Their name.', 'Ada Lovelace'),
  email: text('Their address.', 'ada@example.com'),
  role: text('Their role.', 'finance', { enum: [...ROLES] }),
  hasSecondFactor: flag('Whether they have set up an authenticator.', true),
  createdAt: time('When they became a member.', '2026-08-01T12:00:00.000Z'),
})

const PERSON_ID = pathId('member', INVOICE_ID, 'member_not_found', asPersonId)

const listMembersRoute = route({
  operation: 'GET /v1/members',
  access: 'merchant',
  summary: 'List members',
  description: 'The members of the merchant, the oldest first.',
  operationId: 'listMembers',
  successes: { 200: many('The members.', memberSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) =>
    sendWholeList(exchange, await guardDatabase(deps, (sql) => listMembers(sql, merchantId))),
})

const isInForce = flag('Whether it is active; otherwise another member has to approve it.', true)

const changeMemberRoute = route({
  operation: 'PATCH /v1/members/:id',
  access: 'merchant',
  ids: { id: PERSON_ID },
  body: bodyOf('The member.', { role: roleField }),
  summary: 'Change the role of a member',
  description:
    'Takes effect with the next request. The last owner can’t be changed. While an approval rule is active, changing ' +
    'an owner or a member with the role finance needs an approval.',
  operationId: 'changeMember',
  successes: {
    200: one('The member.', object('It.', { id: userField, role: roleField, isInForce })),
  },
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id }, body }) => {
    const role = roleOf(body.role)
    const outcome = await change(deps, exchange, { merchantId, personId: id, role })
    return sendObject(exchange, 200, { id, role, isInForce: outcome === 'done' })
  },
})

const removeMemberRoute = route({
  operation: 'DELETE /v1/members/:id',
  access: 'merchant',
  ids: { id: PERSON_ID },
  summary: 'Remove a member',
  description:
    'Takes effect with the next request. The last owner can’t be removed. While an approval rule is active, removing ' +
    'an owner or a member with the role finance needs an approval.',
  operationId: 'removeMember',
  successes: {
    200: one('The removed member.', object('It.', { id: userField, isInForce })),
  },
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) => {
    const outcome = await change(deps, exchange, { merchantId, personId: id, role: null })
    return sendObject(exchange, 200, { id, isInForce: outcome === 'done' })
  },
})

export const MEMBER_ROUTES: readonly Route[] = [
  listMembersRoute,
  changeMemberRoute,
  removeMemberRoute,
]

interface Wanted {
  readonly merchantId: MerchantId
  readonly personId: PersonId
  /** Null for none. */
  readonly role: Role | null
}

/** Changes a membership, or requests the change; a leader notifies the member. */
async function change(
  deps: ApiDependencies,
  { actor }: Exchange,
  { merchantId, personId, role }: Wanted,
): Promise<'done' | 'asked'> {
  if (actor?.type !== 'person') throw new AppError('unauthorized')
  const by = { personId: asPersonId(actor.id), name: actor.name }
  return guardDatabase(deps, (database) =>
    database.begin(async (sql) => {
      const outcome = doneOrRequested(await changeMember(sql, merchantId, personId, role, by))
      if (outcome === 'asked') await requestApproval(sql, deps.config, { merchantId, ...by })
      return outcome
    }),
  )
}

function doneOrRequested(outcome: MemberChanged): 'done' | 'asked' {
  switch (outcome) {
    case 'done':
    case 'asked':
      return outcome
    case 'unknown':
      throw new AppError('member_not_found')
    case 'last_owner': {
      const message = 'must stay an owner: make another member an owner first'
      throw new AppError('last_owner', [{ path: 'role', message }])
    }
    case 'open':
      throw new AppError('approval_open')
    case 'alone': {
      const message = 'needs an approval by a third member: without one, ask the operator'
      throw new AppError('approver_missing', [{ path: 'id', message }])
    }
    default:
      return outcome satisfies never
  }
}
