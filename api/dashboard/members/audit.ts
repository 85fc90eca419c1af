import { ACTOR_TYPES } from '../../../core/dashboard/audit.ts'
import { type AuditRecord, listAuditEntries } from '../../../store/dashboard/audit.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { one } from '../../openapi/responses.ts'
import { list, object, optionalText, text, time } from '../../openapi/schema.ts'
import {
  choiceParameter,
  parameter,
  textParameter,
  timeParameter,
} from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'

/** GET /v1/audit: who changed what of a merchant, and how people signed in. */

const AUDIT_PAGE = 100
const AN_ENTRY = '1042'

const entrySchema = object('A change.', {
  id: text('The entry.', AN_ENTRY),
  at: time('When it was asked for.', '2026-08-01T12:00:00.000Z'),
  action: text('What was done.', 'createRefund'),
})

export const listAuditRoute = route({
  operation: 'GET /v1/audit',
  access: 'merchant',
  query: queryOf({
    before: parameter(text('Only entries before this one.', AN_ENTRY), 'must be an entry', entryId),
    actor: choiceParameter('Only by people, by keys, or by operators.', 'person', ACTOR_TYPES),
    who: textParameter('Only by whoever has this in name, address or key.', 'ada@example.com', 100),
    action: textParameter('Only this action.', 'createRefund', 60),
    from: timeParameter('Only at this time or later.', '2026-08-01T00:00:00Z'),
    to: timeParameter('Only at this time or earlier.', '2026-08-31T23:59:59Z'),
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
    const { actor = null, who = null, action = null, from = null, to = null } = query
    const filter = { actor, who, action, from, to }
    const found = await guardDatabase(deps, (sql) =>
      listAuditEntries(sql, merchantId, filter, page),
    )
    const next = found.length < AUDIT_PAGE ? null : (found.at(-1)?.id.toString() ?? null)
    return sendObject(exchange, 200, { entries: found.map(presentEntry), next })
  },
})

function entryId(sent: string): bigint | null {
  return /^[0-9]{1,18}$/.test(sent) ? BigInt(sent) : null
}

function presentEntry({ id, ...entry }: AuditRecord) {
  return { id: id.toString(), ...entry }
}
