import {
  type DayJson,
  presentDay,
  REPORT_COLUMNS,
  REPORT_HEADER,
  reportLine,
} from '../core/invoice/report.ts'
import {
  type ReportRange,
  reportDays,
  reportTransactions,
  type TransactionPage,
} from '../store/invoice/reports.ts'
import type { Authenticate } from './http/auth.ts'
import { USDC } from './http/examples.ts'
import { type ApiDependencies, type Exchange, sendObject } from './http/exchange.ts'
import { describeParameters, type QueryParameters, QueryReader } from './http/query.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  integer,
  list,
  object,
  optionalText,
  responses,
  text,
  time,
} from './http/schema.ts'

/** GET /v1/reports/transactions.csv and GET /v1/reports/daily. */

const ROWS_PER_PAGE = 2_000
const DAY_MS = 86_400_000
const MAX_DAYS = 366
const DEFAULT_DAYS = 30

const PARAMETERS = {
  from: time('Only what is at or after this moment, with a time zone.', '2026-08-01T00:00:00Z'),
  to: time('Only what is before this moment, with a time zone.', '2026-09-01T00:00:00Z'),
} satisfies QueryParameters

export const transactionsReportDetail: Documented = {
  tags: ['Reports'],
  summary: 'All transactions as CSV',
  description:
    'Payments, settlements and refunds, one to a line, invoice by invoice in the order of creation; ' +
    'by the time at which they were first seen. RFC 4180 with a header; of any length. ' +
    `Columns: ${REPORT_COLUMNS.join(', ')}.`,
  operationId: 'reportTransactions',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: csv(
    responses(
      {
        200: {
          description: 'The report.',
          schema: text('Lines of comma-separated values.', REPORT_HEADER.trim()),
        },
      },
      ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
    ),
  ),
}

const dayFields = {
  day: text('The day in UTC.', '2026-08-01'),
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol of the token, null when it is unknown.', 'USDC'),
  tokenAddress: text('The contract of the token.', USDC),
  payments: integer('How many payments were confirmed.', 12),
  receivedAmount: optionalText('What of them came in time, or was accepted.', '150'),
  lateAmount: optionalText('What of them came late.', '0'),
  settlements: integer('How many settlements were confirmed.', 11),
  amountRemitted: optionalText('What they brought to recipients.', '149.25'),
  fees: optionalText('Their part that is the platform fee.', '0.75'),
  refunds: integer('How many refunds were confirmed.', 0),
  refundedAmount: optionalText('What they brought back.', '0'),
} satisfies Record<keyof DayJson, DocumentedSchema>

export const dailyReportDetail: Documented = {
  tags: ['Reports'],
  summary: 'Sums by day',
  description:
    'For each day in UTC, chain and token what was confirmed on it. Days without anything are left ' +
    `out. Without a range, the last ${DEFAULT_DAYS} days; at most ${MAX_DAYS}.`,
  operationId: 'reportDays',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    {
      200: {
        description: 'The days.',
        schema: envelope(list('In order.', object('One day, chain and token.', dayFields))),
      },
    },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export function transactionsReportRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { availability, config, database, log } = deps
  const { registry: chains } = config

  return async (exchange: Exchange): Promise<Response> => {
    const { merchantId } = await authenticate(exchange)
    const range = readRange(exchange.request)
    const read = (after: TransactionPage['next']) =>
      availability.guard(() =>
        reportTransactions(database, merchantId, range, after, ROWS_PER_PAGE),
      )
    // The first page is read before anything is answered: a fault then still has an answer of its own.
    let page: TransactionPage | null = await read(null)
    const lines = (rows: TransactionPage) =>
      rows.transactions.map((row) => reportLine(row, chains)).join('')
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          controller.enqueue(encoder.encode(REPORT_HEADER))
        },
        async pull(controller) {
          if (page === null) return controller.close()
          controller.enqueue(encoder.encode(lines(page)))
          try {
            page = page.next && (await read(page.next))
          } catch (error) {
            log.error({ traceId: exchange.traceId, err: error }, 'a report broke off')
            controller.error(error)
          }
        },
      },
      { highWaterMark: 1 },
    )
    exchange.set.headers['content-type'] = 'text/csv; charset=utf-8; header=present'
    exchange.set.headers['content-disposition'] = 'attachment; filename="transactions.csv"'
    return new Response(body, { headers: headersOf(exchange) })
  }
}

export function dailyReportRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { availability, config, database } = deps
  const { registry: chains } = config

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const reader = new QueryReader(exchange.request, PARAMETERS)
    const to = reader.instant('to') ?? new Date(deps.now().getTime() + 1)
    const from = reader.instant('from') ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS)
    if (from >= to) reader.problem('from', 'must be before to')
    if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
      reader.problem('from', `must be at most ${MAX_DAYS} days before to`)
    }
    reader.finish()
    const days = await availability.guard(() => reportDays(database, merchantId, { from, to }))
    const data = days.map((day) => presentDay(day, chains))
    return sendObject(exchange, 200, JSON.stringify(data))
  }
}

function readRange(request: Request): ReportRange {
  const reader = new QueryReader(request, PARAMETERS)
  const from = reader.instant('from') ?? null
  const to = reader.instant('to') ?? null
  if (from && to && from >= to) reader.problem('from', 'must be before to')
  reader.finish()
  return { from, to }
}

function headersOf({ set }: Exchange): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(set.headers)) headers.set(name, String(value))
  return headers
}

/** The success of this route is no JSON. */
function csv(documented: ReturnType<typeof responses>): ReturnType<typeof responses> {
  const success = documented[200]
  if (success === undefined || '$ref' in success) return documented
  const schema = success.content?.['application/json']?.schema
  const content = schema === undefined ? {} : { 'text/csv': { schema } }
  return { ...documented, 200: { ...success, content } }
}
