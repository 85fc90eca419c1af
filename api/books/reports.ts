import { BYTE_ORDER_MARK } from '../../core/base/csv.ts'
import {
  type DayJson,
  presentDay,
  REPORT_COLUMNS,
  REPORT_HEADER,
  reportLine,
} from '../../core/invoice/report.ts'
import { reportDays } from '../../store/invoice/list/movements.ts'
import {
  type ReportRange,
  reportTransactions,
  type TransactionPage,
} from '../../store/invoice/list/reports.ts'
import { type ApiDependencies, type Exchange, headersOf, sendObject } from '../http/exchange.ts'
import { beginLongRead, readLong } from '../http/longRead.ts'
import { route } from '../http/route.ts'
import { USDC } from '../request/examples.ts'
import { flagParameter, timeParameter } from '../request/parameter.ts'
import type { Query } from '../request/query.ts'
import { one } from '../request/responses.ts'
import {
  type DocumentedSchema,
  integer,
  list,
  named,
  optionalText,
  text,
} from '../request/schema.ts'

/** GET /v1/reports/transactions.csv and GET /v1/reports/daily. */

/** Small enough that formatting a page doesn't delay other requests. */
const ROWS_PER_PAGE = 500
const DAY_MS = 86_400_000
const MAX_DAYS = 366
const DEFAULT_DAYS = 30

const FROM = timeParameter(
  'Only entries at or after this time, with a time zone.',
  '2026-08-01T00:00:00Z',
)
const TO = timeParameter('Only entries before this time, with a time zone.', '2026-09-01T00:00:00Z')

const RANGE: Query<ReportRange> = {
  parameters: { from: FROM, to: TO },
  read(reader) {
    const { from = null, to = null } = reader.read({ from: FROM, to: TO })
    if (from && to && from >= to) reader.problem('from', 'must be before to')
    return { from, to }
  },
}

const BOM = flagParameter('Whether to begin with a byte order mark, which Excel needs.', true)

const CSV: Query<ReportRange & { readonly hasMark: boolean }> = {
  parameters: { ...RANGE.parameters, bom: BOM },
  read(reader, now) {
    const { bom = false } = reader.read({ bom: BOM })
    return { ...RANGE.read(reader, now), hasMark: bom }
  },
}

const DAYS: Query<{ readonly from: Date; readonly to: Date }> = {
  parameters: RANGE.parameters,
  read(reader, now) {
    const { to = new Date(now().getTime() + 1) } = reader.read({ to: TO })
    const { from = new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) } = reader.read({ from: FROM })
    if (from >= to) reader.problem('from', 'must be before to')
    if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) {
      reader.problem('from', `must be at most ${MAX_DAYS} days before to`)
    }
    return { from, to }
  },
}

export const reportTransactionsRoute = route({
  operation: 'GET /v1/reports/transactions.csv',
  access: 'merchant',
  query: CSV,
  summary: 'Export all transactions as CSV',
  description:
    'Payments, settlements, refunds, x402 payments and payouts, one per line, in the order first seen. ' +
    'RFC 4180 with a header, of any length. ' +
    "Columns from `currency` on have the invoice's current values. New columns are added at the end. A merchant reads one report at a time.",
  operationId: 'reportTransactions',
  successes: {
    200: {
      description: 'The report.',
      schema: text('Lines of comma-separated values.', REPORT_COLUMNS.slice(0, 3).join()),
      contentType: 'text/csv',
    },
  },
  errors: ['report_in_progress'],
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const report = await beginLongRead(deps, exchange, merchantId)
    const read = (after: TransactionPage['next']) =>
      report.read((sql) => reportTransactions(sql, merchantId, query, after, ROWS_PER_PAGE))
    // The first page is read before the response begins, so that a failure still gets an error response.
    const first = await read(null).catch((error) => {
      report.end()
      throw error
    })
    const head = `${query.hasMark ? BYTE_ORDER_MARK : ''}${REPORT_HEADER}`
    const body = streamReport(deps, exchange, { head, first }, read, () => report.end())
    exchange.set.headers['content-type'] = 'text/csv; charset=utf-8; header=present'
    exchange.set.headers['content-disposition'] = 'attachment; filename="transactions.csv"'
    return new Response(body, { headers: headersOf(exchange) })
  },
})

/** Streams the lines of a report. A page is read once the caller has received the previous one. */
function streamReport(
  { config, log }: ApiDependencies,
  { traceId }: Exchange,
  { head, first }: { readonly head: string; readonly first: TransactionPage },
  read: (after: TransactionPage['next']) => Promise<TransactionPage>,
  end: () => void,
): ReadableStream<Uint8Array> {
  let page: TransactionPage | null = first
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(head))
      },
      async pull(controller) {
        if (page === null) {
          end()
          return controller.close()
        }
        const lines = page.transactions.map((row) => reportLine(row, config.registry))
        controller.enqueue(encoder.encode(lines.join('')))
        try {
          page = page.next && (await read(page.next))
        } catch (error) {
          end()
          log.error({ traceId, err: error }, 'a report was cut off')
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}

const dayFields = {
  day: text('The day in UTC.', '2026-08-01'),
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('The contract of the token.', USDC),
  payments: integer('Confirmed payments.', 12),
  receivedAmount: optionalText('Received in time, or accepted.', '150'),
  lateAmount: optionalText('Received late.', '0'),
  settlements: integer('Confirmed settlements.', 11),
  amountRemitted: optionalText('Settled to recipients.', '149.25'),
  fees: optionalText('Platform fees.', '0.75'),
  refunds: integer('Confirmed refunds.', 0),
  refundedAmount: optionalText('Refunded.', '0'),
  externalRefunds: integer('Confirmed refunds that you sent from your treasury.', 0),
  externallyRefundedAmount: optionalText('Their amount.', '0'),
  x402Payments: integer('Confirmed x402 payments.', 3),
  x402ReceivedAmount: optionalText('Received by the forwarder.', '0.03'),
  x402DirectAmount: optionalText("Received at the merchant's own addresses.", '0'),
  x402FeesOwed: optionalText('Fees owed for these.', '0'),
  x402Refunds: integer('Confirmed x402 refunds.', 0),
  x402RefundedAmount: optionalText('Their amount.', '0'),
  x402Payouts: integer('Payouts of the forwarder.', 1),
  x402AmountRemitted: optionalText('Paid out to the treasury.', '0.02985'),
  x402Fees: optionalText('Platform fees of payouts.', '0.00015'),
} satisfies Record<keyof DayJson, DocumentedSchema>

export const reportDaysRoute = route({
  operation: 'GET /v1/reports/daily',
  access: 'merchant',
  query: DAYS,
  summary: 'Read daily totals',
  description:
    'Confirmed amounts by day (UTC), chain and token. Days without any are left ' +
    `out. The default range is the last ${DEFAULT_DAYS} days, the maximum ${MAX_DAYS}.`,
  operationId: 'reportDays',
  successes: {
    200: one(
      'The days.',
      list('In order.', named('ReportDay', 'One day, chain and token.', dayFields)),
    ),
  },
  errors: ['report_in_progress'],
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const days = await readLong(deps, exchange, merchantId, (sql) =>
      reportDays(sql, merchantId, query),
    )
    const data = days.map((day) => presentDay(day, deps.config.registry))
    return sendObject(exchange, 200, data)
  },
})
