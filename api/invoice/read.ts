import { presentPayment } from '../../core/invoice/present.ts'
import { findInvoice } from '../../store/invoice/invoices.ts'
import { listInvoices } from '../../store/invoice/list/read.ts'
import { guardDatabase, reading } from '../http/backends.ts'
import { sendObject, sendPage, sendWholeList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { listQuery, PAGED } from '../request/page.ts'
import { many, one, paged } from '../request/responses.ts'
import { answered } from './compose.ts'
import { INVOICE_FILTERS, invoiceFilter } from './filters.ts'
import { INVOICE_ID_PARAMETER, invoiceSchema, transactionSchema } from './schema.ts'

export const listInvoicesRoute = route({
  operation: 'GET /v1/invoices',
  access: 'merchant',
  query: listQuery(INVOICE_FILTERS),
  summary: 'List invoices',
  description: `The invoices of the merchant, the newest first. ${PAGED}`,
  operationId: 'listInvoices',
  successes: { 200: paged('A page of the list.', invoiceSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const now = deps.now()
    const { environment } = deps.config
    const found = await guardDatabase(deps, (sql) =>
      listInvoices(sql, merchantId, invoiceFilter(filter, environment), page, now),
    )
    const data = await Promise.all(found.elements.map((rows) => answered(deps, rows, now)))
    return sendPage(exchange, page, { ...found, elements: data })
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

/** The merchant's invoice with all related objects. */
export const readInvoice = reading(findInvoice, 'invoice_not_found')
