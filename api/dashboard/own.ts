import type { AuditRecord } from '../../store/dashboard/audit.ts'
import { listAuditEntries } from '../../store/dashboard/audit.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { type Route, route } from '../http/route.ts'
import { one } from '../openapi/responses.ts'
import { list, object, optionalText, text, time } from '../openapi/schema.ts'
import { parameter } from '../request/parameter.ts'
import { queryOf } from '../request/query.ts'
import { KEY_ROUTES } from './developers/keys.ts'
import { quickStartRoute } from './developers/quickStart.ts'
import { listRequestsRoute } from './developers/requests.ts'
import { x402OverviewRoute } from './developers/x402.ts'
import { INVITATION_ROUTES } from './members/invitations.ts'
import { MEMBER_ROUTES } from './members/members.ts'
import type { OwnDependencies } from './money/dependencies.ts'
import { MONEY_ROUTES } from './money/routes.ts'

/** What the dashboard has beyond the API: routes like the API's own, mounted for browsers only. */

const AUDIT_PAGE = 100
const AN_ENTRY = '1042'

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

export const OWN_ROUTES: readonly Route<OwnDependencies>[] = [
  ...MEMBER_ROUTES,
  ...INVITATION_ROUTES,
  listAuditRoute,
  ...MONEY_ROUTES,
  ...KEY_ROUTES,
  listRequestsRoute,
  x402OverviewRoute,
  quickStartRoute,
]

function entryId(sent: string): bigint | null {
  return /^[0-9]{1,18}$/.test(sent) ? BigInt(sent) : null
}

function presentEntry({ id, ...entry }: AuditRecord) {
  return { id: id.toString(), ...entry }
}
