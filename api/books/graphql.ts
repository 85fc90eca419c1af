import { AppError } from '../../core/base/errors.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import { withReadScope } from '../../store/books/readScope.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { readLong } from '../http/longRead.ts'
import { route } from '../http/route.ts'
import { bodyOf } from '../request/body.ts'
import { one } from '../request/responses.ts'
import { optional, record, text } from '../request/schema.ts'
import { BUDGET_PER_MINUTE, MOST_COST } from './graphqlSchema.ts'

/** POST /v1/graphql. */

/** Timeout of each statement of a query, in ms. */
const STATEMENT_MS = 10_000

const QUERY_EXAMPLE = '{ settleTimes(from: "2026-08-01", to: "2026-09-01") { chain median } }'

const BODY = bodyOf('A query.', {
  query: text('One query, of at most 10,000 characters.', QUERY_EXAMPLE),
  variables: optional(record('The values of its variables.', {})),
  operationName: optional(text('Its name; has no effect.', 'Times')),
})

export const graphqlRoute = route({
  operation: 'POST /v1/graphql',
  access: 'analyst',
  body: BODY,
  summary: 'Query figures by GraphQL',
  description:
    'GraphQL over volume, fees, settlements, refunds and x402 revenue; the schema is at ' +
    '`/docs/graphql/schema`, a playground at `/docs/graphql`. A secret key reads its own merchant, the ' +
    `operator’s token all. A query may cost ${MOST_COST} units, and ${BUDGET_PER_MINUTE} are refilled per minute. ` +
    'A merchant runs one query at a time.',
  operationId: 'queryFigures',
  successes: {
    200: one('The requested data.', record('By the names of its fields.', {})),
  },
  errors: ['invalid_graphql_query', 'report_in_progress', 'budget_exceeded'],
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const { query, variables } = body
    const { answer, prepare } = await import('./graphqlExecution.ts')
    const prepared = prepare({ query, variables: variables ?? null })
    await pay(deps, exchange, merchantId, prepared.cost)
    const { registry: chains } = deps.config
    const data = await readLong(deps, exchange, merchantId ?? 'operator', (database) =>
      withReadScope(database, merchantId, STATEMENT_MS, (scope) =>
        answer(prepared, { scope, chains }),
      ),
    )
    return sendObject(exchange, 200, data)
  },
})

/** Charges the cost of a query to the caller's budget, before anything is read. */
async function pay(
  { limiter }: Pick<ApiDependencies, 'limiter'>,
  exchange: Exchange,
  merchantId: MerchantId | null,
  cost: number,
): Promise<void> {
  const subject = `figures:${merchantId ?? 'operator'}`
  const { isAdmitted, retryAfter } = await limiter.spend([subject], cost, BUDGET_PER_MINUTE)
  if (isAdmitted) return
  exchange.set.headers['retry-after'] = String(retryAfter)
  throw new AppError('budget_exceeded')
}
