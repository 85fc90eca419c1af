import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentPayment } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { listInvoices } from '../../store/invoice/list.ts'
import { guardDatabase } from '../http/backends.ts'
import { found } from '../http/errors.ts'
import { type ApiDependencies, sendList, sendObject, sendWholeList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { many, one } from '../openapi/responses.ts'
import { listQuery, PAGED, paginationOf } from '../request/page.ts'
import {
  choiceParameter,
  createdParameters,
  flagParameter,
  textParameter,
} from '../request/parameter.ts'
import { answered } from './compose.ts'
import { INVOICE_ID_PARAMETER, invoiceSchema, transactionSchema } from './schema.ts'

/** Reading invoices: specification section 4.1. */

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']

export const listInvoicesRoute = route({
  operation: 'GET /v1/invoices',
  access: 'merchant',
  query: listQuery('invoices', {
    status: choiceParameter('Only invoices with this status.', 'paid', STATUSES),
    externalRef: textParameter(
      'Only the invoice with this externalRef.',
      'order-1042',
      MAX_EXTERNAL_REF_LENGTH,
    ),
    reference: textParameter(
      'Only the invoice with this reference.',
      'K7QX2M9PTA',
      MAX_EXTERNAL_REF_LENGTH,
    ),
    ...createdParameters('invoices created'),
    expired: flagParameter(
      'Only invoices that are past their time and not paid, or only others.',
      true,
    ),
  }),
  summary: 'List invoices',
  description: `The invoices of the merchant, the newest first. ${PAGED}`,
  operationId: 'listInvoices',
  successes: { 200: many('One page of the list.', invoiceSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const now = deps.now()
    const { invoices, total } = await guardDatabase(deps, (sql) =>
      listInvoices(sql, merchantId, filter, page, now),
    )
    const data = await Promise.all(invoices.map((rows) => answered(deps, rows, now)))
    return sendList(exchange, data, paginationOf(page, total))
  },
})

export const getInvoiceRoute = route({
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
    return sendObject(exchange, 200, await answered(deps, rows, deps.now()))
  },
})

export const listTransactionsRoute = route({
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
  const rows = await guardDatabase(deps, (sql) => findInvoice(sql, merchantId, invoiceId))
  return found(rows, 'invoice_not_found')
}
