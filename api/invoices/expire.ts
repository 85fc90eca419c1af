import { AppError } from '../../core/errors.ts'
import { asInvoiceId } from '../../core/ids.ts'
import { presentInvoice } from '../../core/invoice/present.ts'
import { closeInvoice } from '../../store/invoice/invoices.ts'
import type { Authenticate } from '../http/auth.ts'
import { readJsonBody, refuseFields } from '../http/body.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { parseId } from '../http/id.ts'
import { type Documented, envelope, responses } from '../http/schema.ts'
import { invoiceSchema } from './schema.ts'

/** POST /v1/invoices/:id/expire: ends an unpaid invoice before its time. */

export const expireInvoiceDetail: Documented = {
  tags: ['Invoices'],
  summary: 'End an unpaid invoice',
  description:
    'From now on the invoice is expired: payments in later blocks are recorded as late and count ' +
    'for nothing. Ending it again changes nothing. Takes no body.',
  operationId: 'expireInvoice',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The invoice, ended.', schema: envelope(invoiceSchema) } },
    [
      'invalid_invoice_id',
      'invalid_request_body',
      'unauthorized',
      'invoice_not_found',
      'invoice_already_paid',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function expireInvoiceRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { database, availability } = deps
  const { registry: chains } = deps.config

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const invoiceId = parseId(asInvoiceId, id, 'invalid_invoice_id')
    refuseFields(await readJsonBody(exchange.request))
    const now = deps.now()
    const closing = await availability.guard(() =>
      closeInvoice(database, merchantId, invoiceId, now),
    )
    if (!closing.ok) {
      throw new AppError(
        closing.reason === 'not_found' ? 'invoice_not_found' : 'invoice_already_paid',
      )
    }
    const { rows } = closing
    deps.wake(rows.invoice.chains, { type: 'advance_invoice', invoiceId })
    // The answer is read after the moment of closing, when the invoice has expired.
    const then = new Date(now.getTime() + 1)
    return sendObject(exchange, 200, JSON.stringify(presentInvoice(rows, chains, then)))
  }
}
