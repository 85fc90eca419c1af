import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import { presentInvoice, presentPayment } from '../../core/invoice/present.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { withDatabase } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { type ApiDependencies, sendObject, sendWholeList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { many, one } from '../openapi/responses.ts'
import { INVOICE_ID_PARAMETER, invoiceSchema, transactionSchema } from './schema.ts'

/** GET /v1/invoices/:id and GET /v1/invoices/:id/transactions: specification section 4.1. */

export const getInvoice = route({
  operation: 'GET /v1/invoices/:id',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  summary: 'Get an invoice',
  description: 'The invoice with all its transactions.',
  operationId: 'getInvoice',
  successes: { 200: one('The invoice.', invoiceSchema) },
  errors: ['invoice_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const rows = await readInvoice(deps, merchantId, ids.id)
    return sendObject(exchange, 200, presentInvoice(rows, deps.config.registry, deps.now()))
  },
})

export const listTransactions = route({
  operation: 'GET /v1/invoices/:id/transactions',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  summary: "List an invoice's transactions",
  description: 'All payments to the invoice in the order they were detected, on one page.',
  operationId: 'listInvoiceTransactions',
  successes: { 200: many('The transactions.', transactionSchema) },
  errors: ['invoice_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const { invoice, payments } = await readInvoice(deps, merchantId, ids.id)
    const own = payments.filter((payment) => payment.kind !== 'foreign')
    const data = own.map((payment) => presentPayment(invoice, payment))
    return sendWholeList(exchange, data)
  },
})

/** The merchant's invoice with all that belongs to it. Throws `invoice_not_found`. */
export async function readInvoice(
  deps: ApiDependencies,
  merchantId: MerchantId,
  invoiceId: InvoiceId,
) {
  const rows = await withDatabase(deps, (sql) => findInvoice(sql, merchantId, invoiceId))
  return found(rows, 'invoice_not_found')
}
