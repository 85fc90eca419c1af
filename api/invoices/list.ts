import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentInvoice } from '../../core/invoice/present.ts'
import type { InvoiceStatus } from '../../core/invoice/state.ts'
import { type InvoiceFilter, listInvoices } from '../../store/invoice/invoices.ts'
import type { Authenticate } from '../http/auth.ts'
import { type ApiDependencies, type Exchange, sendList } from '../http/exchange.ts'
import {
  describeParameters,
  type PageRequest,
  pageParameters,
  paginationOf,
  type QueryParameters,
  QueryReader,
  readPage,
} from '../http/query.ts'
import { type Documented, listEnvelope, responses, text, time } from '../http/schema.ts'
import { invoiceSchema } from './schema.ts'

/** GET /v1/invoices: specification section 4.1. */

const STATUSES: readonly InvoiceStatus[] = ['pending', 'partial', 'paid', 'completed']
const PARAMETERS = {
  ...pageParameters('invoices'),
  status: text('Only invoices with this status.', 'paid', { enum: [...STATUSES] }),
  externalRef: text('Only the invoice with this externalRef.', 'order-1042'),
  reference: text('Only the invoice with this reference.', 'K7QX2M9PTA'),
  createdFrom: time('Only invoices created at this time or later.', '2026-08-01T00:00:00Z'),
  createdTo: time('Only invoices created at this time or earlier.', '2026-08-31T23:59:59Z'),
  expired: {
    type: 'boolean',
    description: 'Only invoices that are past their time and not paid, or only others.',
    example: true,
  },
} satisfies QueryParameters

export const listInvoicesDetail: Documented = {
  tags: ['Invoices'],
  summary: 'List invoices',
  description:
    'The invoices of the merchant, the newest first. Page through them with `page` or with ' +
    '`offset`; a page past the end is empty.',
  operationId: 'listInvoices',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(invoiceSchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export function listInvoicesRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const { registry: chains } = deps.config

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { filter, page } = parseQuery(exchange.request)
    const now = deps.now()
    const { invoices, total } = await availability.guard(() =>
      listInvoices(database, merchantId, filter, page, now),
    )
    const data = invoices.map((rows) => presentInvoice(rows, chains, now))
    return sendList(exchange, data, paginationOf(page, total))
  }
}

function parseQuery(request: Request): { filter: InvoiceFilter; page: PageRequest } {
  const reader = new QueryReader(request, PARAMETERS)
  const page = readPage(reader)
  const filter: InvoiceFilter = {
    status: reader.oneOf('status', STATUSES),
    externalRef: reader.text('externalRef', MAX_EXTERNAL_REF_LENGTH),
    reference: reader.text('reference', MAX_EXTERNAL_REF_LENGTH),
    createdFrom: reader.instant('createdFrom'),
    createdTo: reader.instant('createdTo'),
    expired: reader.flag('expired'),
  }
  reader.finish()
  return { filter, page }
}
