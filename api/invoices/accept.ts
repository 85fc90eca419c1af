import { AppError } from '../../core/errors.ts'
import { asInvoiceId, asPaymentId } from '../../core/ids.ts'
import { presentInvoice } from '../../core/invoice/present.ts'
import {
  type Acceptance,
  acceptLatePayment,
  acceptPartial,
} from '../../store/invoice/acceptance.ts'
import type { Authenticate } from '../http/auth.ts'
import { readJsonBody, refuseFields } from '../http/body.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { type PathIds, parseId } from '../http/id.ts'
import { type Documented, envelope, responses } from '../http/schema.ts'
import { invoiceSchema } from './schema.ts'

/**
 * POST /v1/invoices/:id/transactions/:transactionId/accept and POST /v1/invoices/:id/accept-partial:
 * what the merchant accepts although it is not what was agreed.
 */

export const acceptPaymentDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Accept a late payment',
  description:
    'From now on the payment counts as if it had come in time: the invoice may be paid by it, and is ' +
    'settled. Accepting it again changes nothing. Takes no body.',
  operationId: 'acceptLatePayment',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The invoice with it.', schema: envelope(invoiceSchema) } },
    [
      'invalid_invoice_id',
      'invalid_transaction_id',
      'invalid_request_body',
      'unauthorized',
      'invoice_not_found',
      'transaction_not_found',
      'transaction_not_late',
      'transaction_reverted',
      'transaction_refunded',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export const acceptPartialDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Accept what was received as enough',
  description:
    'The invoice is paid with what was received on time and confirmed so far, and is settled. The ' +
    'platform fee is computed anew from that, and is never more than before. Accepting it again ' +
    'changes nothing. Takes no body.',
  operationId: 'acceptPartialPayment',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The invoice, paid.', schema: envelope(invoiceSchema) } },
    [
      'invalid_invoice_id',
      'invalid_request_body',
      'unauthorized',
      'invoice_not_found',
      'nothing_received',
      'invoice_already_paid',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function acceptPaymentRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange, ids: PathIds): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const invoiceId = parseId(asInvoiceId, ids.id, 'invalid_invoice_id')
    const paymentId = parseId(
      asPaymentId,
      ids.transactionId,
      'invalid_transaction_id',
      'transactionId',
    )
    refuseFields(await readJsonBody(exchange.request))
    const of = { merchantId, invoiceId, paymentId }
    return answer(deps, exchange, (now) => acceptLatePayment(deps.database, deps.config, of, now))
  }
}

export function acceptPartialRoute(deps: ApiDependencies, authenticate: Authenticate) {
  return async (exchange: Exchange, ids: PathIds): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const invoiceId = parseId(asInvoiceId, ids.id, 'invalid_invoice_id')
    refuseFields(await readJsonBody(exchange.request))
    const of = { merchantId, invoiceId }
    return answer(deps, exchange, (now) => acceptPartial(deps.database, deps.config, of, now))
  }
}

async function answer(
  deps: ApiDependencies,
  exchange: Exchange,
  accept: (now: Date) => Promise<Acceptance>,
): Promise<string> {
  const now = deps.now()
  const acceptance = await deps.availability.guard(() => accept(now))
  if (!acceptance.ok) throw new AppError(acceptance.code)
  const { rows } = acceptance
  deps.wake(rows.invoice.chains, { type: 'work_waiting' })
  deps.ringNotifier()
  const invoice = presentInvoice(rows, deps.config.registry, now)
  return sendObject(exchange, 200, JSON.stringify(invoice))
}
