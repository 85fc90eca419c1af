import { AppError } from '../../core/errors.ts'
import { asInvoiceId, type MerchantId } from '../../core/ids.ts'
import { presentInvoice, presentPayment } from '../../core/invoice/present.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import type { Authenticate } from '../http/auth.ts'
import { type ApiDependencies, type Exchange, sendList, sendObject } from '../http/exchange.ts'
import { parseId } from '../http/id.ts'
import { type Documented, envelope, listEnvelope, responses } from '../http/schema.ts'
import { invoiceSchema, transactionSchema } from './schema.ts'

/** GET /v1/invoices/:id and GET /v1/invoices/:id/transactions: specification section 4.1. */

const ERRORS_OF_READING = [
  'invalid_invoice_id',
  'unauthorized',
  'invoice_not_found',
  'service_unavailable',
] as const

export const getInvoiceDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Get an invoice',
  description: 'The invoice with all its transactions.',
  operationId: 'getInvoice',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The invoice.', schema: envelope(invoiceSchema) } },
    ERRORS_OF_READING,
  ),
}

export const listTransactionsDetail: Documented = {
  tags: ['Invoices'],
  summary: "List an invoice's transactions",
  description: 'All payments to the invoice in the order they were detected, on one page.',
  operationId: 'listInvoiceTransactions',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The transactions.', schema: listEnvelope(transactionSchema) } },
    ERRORS_OF_READING,
  ),
}

export function getInvoiceRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { registry: chains } = deps.config

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const rows = await readInvoice(deps, merchantId, id)
    return sendObject(exchange, 200, JSON.stringify(presentInvoice(rows, chains, deps.now())))
  }
}

export function listTransactionsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { registry: chains } = deps.config

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { invoice, payments } = await readInvoice(deps, merchantId, id)
    const data = payments
      .filter((payment) => payment.kind !== 'foreign')
      .map((payment) => presentPayment(invoice, payment, chains))
    const total = data.length
    // One page holds them all, however many there are.
    const totalPages = total === 0 ? 0 : 1
    return sendList(exchange, data, { page: 1, limit: Math.max(1, total), total, totalPages })
  }
}

/** The merchant's invoice with all that belongs to it, or a fault that says that there is none. */
export async function readInvoice(deps: ApiDependencies, merchantId: MerchantId, id: unknown) {
  const invoiceId = parseId(asInvoiceId, id, 'invalid_invoice_id')
  const rows = await deps.availability.guard(() =>
    findInvoice(deps.database, merchantId, invoiceId),
  )
  if (rows === null) throw new AppError('invoice_not_found')
  return rows
}
