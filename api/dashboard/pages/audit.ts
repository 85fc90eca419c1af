import { ACTOR_TYPES } from '../../../core/events/audit.ts'
import { type AuditRecord, listAuditEntries } from '../../../store/events/audit.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import {
  choiceParameter,
  parameter,
  searchParameter,
  textParameter,
  timeParameter,
} from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import { list, object, optionalText, text, time } from '../../request/schema.ts'

/** GET /v1/audit: changes of a merchant, and sign-ins. */

export const AUDIT_PAGE = 100
const AN_ENTRY = '1042'

/** The filters of a log, a merchant's or the operators'. */
export const AUDIT_QUERY = {
  before: parameter(text('Only entries before this one.', AN_ENTRY), 'must be an entry', entryId),
  who: searchParameter(
    'Only changes by actors whose name, address or key contains this.',
    'ada@example.com',
    100,
  ),
  action: textParameter('Only this action.', 'createRefund', 60),
  from: timeParameter('Only at this time or later.', '2026-08-01T00:00:00Z'),
  to: timeParameter('Only at this time or earlier.', '2026-08-31T23:59:59Z'),
}

const entrySchema = object('A change.', {
  id: text('The entry.', AN_ENTRY),
  at: time('When it was requested.', '2026-08-01T12:00:00.000Z'),
  action: text('The action.', 'createRefund'),
})

export const AUDIT_PAGE_SCHEMA = object('The page.', {
  entries: list('The changes.', entrySchema),
  next: optionalText('The `before` of the next page; null at the end.', AN_ENTRY),
})

export const listAuditRoute = route({
  operation: 'GET /v1/audit',
  access: 'merchant',
  query: queryOf({
    ...AUDIT_QUERY,
    actor: choiceParameter(
      'Only changes by users, by keys, or by operators.',
      'person',
      ACTOR_TYPES,
    ),
  }),
  summary: 'List changes',
  description: `The changes with their actors, the newest first, ${AUDIT_PAGE} at a time.`,
  operationId: 'listAuditEntries',
  successes: { 200: one('A page of the log.', AUDIT_PAGE_SCHEMA) },
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const page = { before: query.before ?? null, limit: AUDIT_PAGE }
    const { actor = null, who = null, action = null, from = null, to = null } = query
    const filter = { actor, who, action, from, to }
    const found = await guardDatabase(deps, (sql) =>
      listAuditEntries(sql, merchantId, filter, page),
    )
    return sendObject(exchange, 200, presentPage(found))
  },
})

function entryId(sent: string): bigint | null {
  return /^[0-9]{1,18}$/.test(sent) ? BigInt(sent) : null
}

/** A page of a log, with the cursor of the next one. */
export function presentPage(found: readonly AuditRecord[]) {
  const next = found.length < AUDIT_PAGE ? null : (found.at(-1)?.id.toString() ?? null)
  return { entries: found.map(({ id, ...entry }) => ({ id: id.toString(), ...entry })), next }
}
