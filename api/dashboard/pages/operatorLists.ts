import { asMerchantId } from '../../../core/base/ids.ts'
import { checksumAddress, parseAddress } from '../../../core/chain/evm.ts'
import { listOperators, summarizeMerchants } from '../../../store/access/operators.ts'
import { listOperatorEntries } from '../../../store/events/audit.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendWholeList } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { idParameter, searchParameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { many, one } from '../../request/responses.ts'
import { integer, list, object, optionalText, text, time, uuid } from '../../request/schema.ts'
import { AUDIT_PAGE, AUDIT_PAGE_SCHEMA, AUDIT_QUERY, presentPage } from './audit.ts'

/** Merchants, operators, and the operators' audit log. */

const PAGE = 50
const A_MERCHANT = '0198c5b4-7f1e-7000-8000-5d5d1c1f0a11'

export const merchantsRoute = route({
  operation: 'GET /merchants',
  access: 'operator',
  query: queryOf({
    search: searchParameter('The beginning of a name, or an id.', 'Coffee', 100),
    before: idParameter('The last merchant of the previous page.', A_MERCHANT, asMerchantId),
  }),
  summary: 'List merchants',
  description: `The newest first, ${PAGE} at a time.`,
  operationId: 'listMerchants',
  successes: {
    200: one(
      'A page of merchants.',
      object('The page.', {
        merchants: list(
          'The merchants.',
          object('A merchant.', {
            id: uuid('Identifies it.', A_MERCHANT),
            name: text('Its name.', 'Coffee Shop'),
            recipient: optionalText('Its recipient.', null),
            members: integer('The number of members.', 2),
            createdAt: time('When it was created.', '2026-08-01T12:00:00.000Z'),
          }),
        ),
        next: optionalText('The `before` of the next page; null at the end.', null),
      }),
    ),
  },
  handle: async (deps, { exchange, query: { search = '', before = null } }) => {
    const found = await guardDatabase(deps, (sql) =>
      summarizeMerchants(sql, { search, before, limit: PAGE }),
    )
    const merchants = found.map(({ recipient, ...merchant }) => {
      const address = recipient === null ? null : parseAddress(recipient)
      return { ...merchant, recipient: address && checksumAddress(address) }
    })
    const next = found.length < PAGE ? null : (found.at(-1)?.id ?? null)
    return sendObject(exchange, 200, { merchants, next })
  },
})

export const operatorsRoute = route({
  operation: 'GET /operators',
  access: 'operator',
  summary: 'List operators',
  description: 'The operators of this deployment. Add one by the command line.',
  operationId: 'listOperators',
  successes: {
    200: many(
      'The operators.',
      object('An operator.', { email: text('Their address.', 'ada@example.com') }),
    ),
  },
  handle: async (deps, { exchange }) =>
    sendWholeList(exchange, await guardDatabase(deps, listOperators)),
})

export const operatorAuditRoute = route({
  operation: 'GET /audit',
  access: 'operator',
  query: queryOf(AUDIT_QUERY),
  summary: 'List changes by operators',
  description: `The newest first, ${AUDIT_PAGE} at a time.`,
  operationId: 'listOperatorEntries',
  successes: { 200: one('A page of the log.', AUDIT_PAGE_SCHEMA) },
  handle: async (deps, { exchange, query }) => {
    const { before = null, who = null, action = null, from = null, to = null } = query
    const found = await guardDatabase(deps, (sql) =>
      listOperatorEntries(sql, { who, action, from, to }, { before, limit: AUDIT_PAGE }),
    )
    return sendObject(exchange, 200, presentPage(found))
  },
})
