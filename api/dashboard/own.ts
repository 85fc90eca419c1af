import { ROLES } from '../../core/dashboard/roles.ts'
import type { AuditRecord } from '../../store/dashboard/audit.ts'
import { listAuditEntries } from '../../store/dashboard/audit.ts'
import { listMembers } from '../../store/dashboard/members.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject, sendWholeList } from '../http/exchange.ts'
import { type Route, route } from '../http/route.ts'
import { many, one } from '../openapi/responses.ts'
import { list, object, optionalText, text, time } from '../openapi/schema.ts'
import { parameter } from '../request/parameter.ts'
import { queryOf } from '../request/query.ts'

/** What the dashboard has beyond the API: routes like the API's own, mounted for browsers only. */

const AUDIT_PAGE = 100
const AN_ENTRY = '1042'

const memberSchema = object('A member.', {
  email: text('Their address.', 'ada@example.com'),
  role: text('What they may do.', 'finance', { enum: [...ROLES] }),
})

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

const entrySchema = object('A change.', {
  id: text('The entry.', AN_ENTRY),
  at: time('When it was asked for.', '2026-08-01T12:00:00.000Z'),
  action: text('What was done.', 'createRefund'),
})

const listAuditRoute = route({
  operation: 'GET /v1/audit',
  access: 'merchant',
  query: queryOf({
    before: parameter(text('Only entries before this one.', AN_ENTRY), 'must be an entry', entryId),
  }),
  summary: 'List changes',
  description: `Who changed what, the newest first, ${AUDIT_PAGE} at a time.`,
  operationId: 'listAuditEntries',
  successes: {
    200: one(
      'A page of the log.',
      object('The page.', {
        entries: list('The changes.', entrySchema),
        next: optionalText('What `before` is for the next page; null at the end.', AN_ENTRY),
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const page = { before: query.before ?? null, limit: AUDIT_PAGE }
    const found = await guardDatabase(deps, (sql) => listAuditEntries(sql, merchantId, page))
    const next = found.length < AUDIT_PAGE ? null : (found.at(-1)?.id.toString() ?? null)
    return sendObject(exchange, 200, { entries: found.map(presentEntry), next })
  },
})

export const OWN_ROUTES: readonly Route[] = [listMembersRoute, listAuditRoute]

function entryId(sent: string): bigint | null {
  return /^[0-9]{1,18}$/.test(sent) ? BigInt(sent) : null
}

function presentEntry({ id, ...entry }: AuditRecord) {
  return { id: id.toString(), ...entry }
}
