import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentInvoice } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import { listInvoices as readInvoices } from '../../store/invoice/invoices.ts'
import { withDatabase } from '../http/backends.ts'
import { sendList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { many } from '../openapi/responses.ts'
import { listQuery, paginationOf } from '../request/page.ts'
import {
  choiceParameter,
  createdParameters,
  flagParameter,
  textParameter,
} from '../request/parameter.ts'
import { invoiceSchema } from './schema.ts'

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']

/** Specification section 4.1. */
export const listInvoices = route({
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
  description:
    'The invoices of the merchant, the newest first. Page through them with `page` or with ' +
    '`offset`; a page past the end is empty.',
  operationId: 'listInvoices',
  successes: { 200: many('One page of the list.', invoiceSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const now = deps.now()
    const { invoices, total } = await withDatabase(deps, (sql) =>
      readInvoices(sql, merchantId, filter, page, now),
    )
    const data = invoices.map((rows) => presentInvoice(rows, deps.config.registry, now))
    return sendList(exchange, data, paginationOf(page, total))
  },
})
