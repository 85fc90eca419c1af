import { AppError } from '../../core/base/errors.ts'
import { closeInvoice } from '../../store/invoice/invoices.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { NO_FIELDS } from '../request/body.ts'
import { one } from '../request/responses.ts'
import { answered } from './compose.ts'
import { INVOICE_ID_PARAMETER, invoiceSchema } from './schema.ts'

export const ALREADY_PAID = { path: 'id', message: 'names an invoice that is already paid' }

/** Expires an unpaid invoice early. */
export const expireInvoiceRoute = route({
  operation: 'POST /v1/invoices/:id/expire',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  body: NO_FIELDS,
  summary: 'Expire an unpaid invoice',
  description:
    'Expires the invoice now: payments in later blocks are recorded as late and not ' +
    'counted. Idempotent.',
  operationId: 'expireInvoice',
  successes: { 200: one('The expired invoice.', invoiceSchema) },
  errors: ['invoice_not_found', 'invoice_already_paid'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id: invoiceId } }) => {
    const now = deps.now()
    const closing = await guardDatabase(deps, (sql) =>
      closeInvoice(sql, merchantId, invoiceId, now),
    )
    if (!closing.ok) {
      if (closing.reason === 'not_found') throw new AppError('invoice_not_found')
      throw new AppError('invoice_already_paid', [ALREADY_PAID])
    }
    const { rows } = closing
    deps.wake(rows.invoice.chains, { type: 'advance_invoice', invoiceId })
    // Presented at a time just after the closing, when the invoice has expired.
    const then = new Date(now.getTime() + 1)
    return sendObject(exchange, 200, await answered(deps, rows, then))
  },
})
