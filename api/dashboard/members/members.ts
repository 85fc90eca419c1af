import { ROLES } from '../../../core/dashboard/roles.ts'
import { AppError } from '../../../core/errors.ts'
import { asPersonId } from '../../../core/ids.ts'
import { changeMember, listMembers } from '../../../store/dashboard/members.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendWholeList } from '../../http/exchange.ts'
import { type Route, route } from '../../http/route.ts'
import { INVOICE_ID } from '../../openapi/examples.ts'
import { many, one } from '../../openapi/responses.ts'
import { flag, object, text, time, uuid } from '../../openapi/schema.ts'
import { bodyOf } from '../../request/field.ts'
import { pathId } from '../../request/id.ts'
import { roleField, roleOf } from './role.ts'

/** The people who act for a merchant: listed by all, changed by owners. */

const personField = uuid('The person.', INVOICE_ID)
const memberSchema = object('A member.', {
  personId: personField,
  name: text('Their name.', 'Ada Lovelace'),
  email: text('Their address.', 'ada@example.com'),
  role: text('What they may do.', 'finance', { enum: [...ROLES] }),
  hasSecondFactor: flag('Whether they have set up an authenticator.', true),
  createdAt: time('Since when.', '2026-08-01T12:00:00.000Z'),
})

const PERSON_ID = pathId('member', INVOICE_ID, 'member_not_found', asPersonId)

const listMembersRoute = route({
  operation: 'GET /v1/members',
  access: 'merchant',
  summary: 'List members',
  description: 'The people who act for the merchant, in the order in which they came.',
  operationId: 'listMembers',
  successes: { 200: many('The members.', memberSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) =>
    sendWholeList(exchange, await guardDatabase(deps, (sql) => listMembers(sql, merchantId))),
})

const changeMemberRoute = route({
  operation: 'PATCH /v1/members/:id',
  access: 'merchant',
  ids: { id: PERSON_ID },
  body: bodyOf('The member.', { role: roleField }),
  summary: 'Change the role of a member',
  description: 'It counts from the next request on. The last owner stays owner.',
  operationId: 'changeMember',
  successes: {
    200: one('The member.', object('It.', { id: personField, role: roleField.documented })),
  },
  handle: async (deps, { exchange, ids: { id }, caller: { merchantId }, body }) => {
    const role = roleOf(body.role)
    const outcome = await guardDatabase(deps, (sql) => changeMember(sql, merchantId, id, role))
    requireDone(outcome)
    return sendObject(exchange, 200, { id, role })
  },
})

const removeMemberRoute = route({
  operation: 'DELETE /v1/members/:id',
  access: 'merchant',
  ids: { id: PERSON_ID },
  summary: 'Remove a member',
  description: 'They are out with their next request. The last owner can’t be removed.',
  operationId: 'removeMember',
  successes: {
    200: one('Who was removed.', object('It.', { id: personField })),
  },
  handle: async (deps, { exchange, ids: { id }, caller: { merchantId } }) => {
    requireDone(await guardDatabase(deps, (sql) => changeMember(sql, merchantId, id, null)))
    return sendObject(exchange, 200, { id })
  },
})

export const MEMBER_ROUTES: readonly Route[] = [
  listMembersRoute,
  changeMemberRoute,
  removeMemberRoute,
]

function requireDone(outcome: Awaited<ReturnType<typeof changeMember>>): void {
  if (outcome === 'unknown') throw new AppError('member_not_found')
  if (outcome === 'last_owner') {
    const message = 'must stay an owner: make somebody else one first'
    throw new AppError('last_owner', [{ path: 'role', message }])
  }
}
