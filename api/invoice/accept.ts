import { AppError, type ErrorCode, type ErrorDetail } from '../../core/base/errors.ts'
import type { Database } from '../../store/database/database.ts'
import {
  type Acceptance,
  acceptLatePayment,
  acceptPartial,
} from '../../store/invoice/acceptance.ts'
import { guardDatabase } from '../http/backends.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { NO_FIELDS } from '../request/body.ts'
import { one } from '../request/responses.ts'
import { answered } from './compose.ts'
import { derived } from './derived.ts'
import { ALREADY_PAID } from './expire.ts'
import { readInvoice } from './read.ts'
import { INVOICE_ID_PARAMETER, invoiceSchema, TRANSACTION_ID_PARAMETER } from './schema.ts'

/** Accepting late payments and underpayments. */

export const acceptPaymentRoute = route({
  operation: 'POST /v1/invoices/:id/transactions/:transactionId/accept',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER, transactionId: TRANSACTION_ID_PARAMETER },
  body: NO_FIELDS,
  summary: 'Accept a late payment',
  description:
    'The payment is counted as if it had been received in time: it can complete the invoice, which is then ' +
    'settled. Idempotent.',
  operationId: 'acceptLatePayment',
  successes: { 200: one('The updated invoice.', invoiceSchema) },
  errors: [
    'invoice_not_found',
    'transaction_not_found',
    'transaction_not_late',
    'transaction_reverted',
    'transaction_refunded',
  ],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const of = { merchantId, invoiceId: ids.id, paymentId: ids.transactionId }
    return accept(deps, exchange, (sql, now) => acceptLatePayment(sql, of, now))
  },
})

export const acceptPartialPaymentRoute = route({
  operation: 'POST /v1/invoices/:id/accept-partial',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  body: NO_FIELDS,
  summary: 'Accept an underpayment',
  description:
    'Marks the invoice as paid with what was received in time and confirmed, and settles it. The platform fee is ' +
    'recalculated, and never higher than before. Repeating the request changes nothing.',
  operationId: 'acceptPartialPayment',
  successes: { 200: one('The paid invoice.', invoiceSchema) },
  errors: ['invoice_not_found', 'nothing_received', 'invoice_already_paid'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const of = { merchantId, invoiceId: ids.id }
    return accept(deps, exchange, (sql, now) => acceptPartial(sql, of, now))
  },
})

async function accept(
  deps: ApiDependencies,
  exchange: Exchange,
  work: (sql: Database, now: Date) => Promise<Acceptance>,
): Promise<string> {
  const now = deps.now()
  const acceptance = await guardDatabase(deps, (sql) => work(sql, now))
  if (!acceptance.ok) throw conflict(acceptance.code)
  const { invoice } = acceptance
  await derived(deps, invoice)
  const rows = await readInvoice(deps, invoice.merchantId, invoice.id)
  return sendObject(exchange, 200, await answered(deps, rows, now))
}

/** The reason of a refusal, with the identifier that it concerns. */
const CONFLICTS: Readonly<Partial<Record<ErrorCode, ErrorDetail>>> = {
  invoice_already_paid: ALREADY_PAID,
  nothing_received: { path: 'id', message: 'names an invoice without a confirmed payment' },
  transaction_not_late: { path: 'transactionId', message: 'must name a late payment' },
  transaction_reverted: {
    path: 'transactionId',
    message: 'names a payment that a reorganisation has removed',
  },
  transaction_refunded: {
    path: 'transactionId',
    message: 'names a payment that is refunded or being refunded',
  },
}

function conflict(code: ErrorCode): AppError {
  const detail = CONFLICTS[code]
  return new AppError(code, detail === undefined ? [] : [detail])
}
