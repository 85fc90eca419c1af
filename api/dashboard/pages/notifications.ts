import { asPersonId } from '../../../core/base/ids.ts'
import { changeNotifications, readNotifications } from '../../../store/access/members.ts'
import { guardDatabase } from '../../http/backends.ts'
import { found } from '../../http/errors.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf } from '../../request/body.ts'
import { one } from '../../request/responses.ts'
import { flag, object } from '../../request/schema.ts'
import { ownerOf } from './owner.ts'

/** /v1/notifications: which emails a member wants of a merchant. Warnings are always sent. */

const approvals = flag('Whether requests that the caller may approve are sent by email.', true)
const notificationsSchema = object('The preferences.', { approvals })

export const getNotificationsRoute = route({
  operation: 'GET /v1/notifications',
  access: 'merchant',
  summary: 'Read notification preferences',
  description: "The caller's own. Reports and emails about held funds are schedules.",
  operationId: 'getNotifications',
  successes: { 200: one('The preferences.', notificationsSchema) },
  handle: async (deps, { exchange }) => {
    const { merchantId, personId } = ownerOf(exchange)
    const read = await guardDatabase(deps, (sql) =>
      readNotifications(sql, merchantId, asPersonId(personId)),
    )
    return sendObject(exchange, 200, found(read, 'member_not_found'))
  },
})

export const changeNotificationsRoute = route({
  operation: 'POST /v1/notifications',
  access: 'merchant',
  body: bodyOf('The preferences.', { approvals }),
  summary: 'Change notification preferences',
  description: "The caller's own.",
  operationId: 'changeNotifications',
  successes: { 200: one('The preferences.', notificationsSchema) },
  handle: async (deps, { exchange, body }) => {
    const { merchantId, personId } = ownerOf(exchange)
    await guardDatabase(deps, (sql) =>
      changeNotifications(sql, merchantId, asPersonId(personId), body),
    )
    return sendObject(exchange, 200, body)
  },
})
