import { AppError } from '../../core/base/errors.ts'
import { asPaymentId, isUuid } from '../../core/base/ids.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentRefund, presentRefunds } from '../../core/invoice/present.ts'
import { createRefund } from '../../store/refund/refunds.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject, sendWholeList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { carryTrace } from '../http/tracing.ts'
import { derived } from '../invoice/derived.ts'
import { readInvoice } from '../invoice/read.ts'
import { INVOICE_ID_PARAMETER, refundSchema } from '../invoice/schema.ts'
import { approvalFor } from '../merchant/approvers.ts'
import { bodyOf, invalidBody, refined } from '../request/body.ts'
import { PAYER, TRANSACTION_ID } from '../request/examples.ts'
import { many, one } from '../request/responses.ts'
import { amountField, optional, pastedField, text } from '../request/schema.ts'

/** POST and GET /v1/invoices/:id/refunds. */

const REQUEST = bodyOf('The refund to create.', {
  amount: amountField(
    "The amount to refund, in the token's major unit. In live, at least the minimum of the chain.",
    '2.5',
  ),
  address: pastedField(
    'The recipient: the sender of the payment. Other addresses only if the operator allows it.',
    PAYER,
  ),
  transactionId: optional(
    pastedField(
      'The payment to refund: a late one, another token, or a part of the on-time money. ' +
        'If omitted, the on-time money as a whole.',
      TRANSACTION_ID,
      { format: 'uuid' },
    ),
    { isShown: false },
  ),
  idempotencyKey: text(
    `1 to ${MAX_EXTERNAL_REF_LENGTH} characters, once per invoice.`,
    'refund-1042',
  ),
})

/** Checks the idempotency key in a body. Throws `invalid_request_body`. */
export function withKey<T extends { readonly idempotencyKey: string }>(sent: T): T {
  const { length } = [...sent.idempotencyKey]
  if (length >= 1 && length <= MAX_EXTERNAL_REF_LENGTH) return sent
  const message = `must have 1 to ${MAX_EXTERNAL_REF_LENGTH} characters`
  throw invalidBody([{ path: 'idempotencyKey', message }])
}

export const createRefundRoute = route({
  operation: 'POST /v1/invoices/:id/refunds',
  access: 'merchant',
  isIdempotent: true,
  ids: { id: INVOICE_ID_PARAMETER },
  body: refined(REQUEST, (sent) => {
    const { transactionId } = withKey(sent)
    if (transactionId !== undefined && !isUuid(transactionId)) {
      throw invalidBody([{ path: 'transactionId', message: 'must be a UUID' }])
    }
    return sent
  }),
  summary: 'Refund money',
  description:
    'Refunds money that was not settled: overpayments, late payments, other tokens or coin, payments on ' +
    'another chain, or all of an unsettled invoice. `refund.completed` or `refund.failed` reports the result; ' +
    'after a failure, repeat the request with another idempotencyKey.',
  operationId: 'createRefund',
  successes: {
    200: one('The existing refund of this idempotencyKey.', refundSchema),
    201: one('The new refund.', refundSchema),
  },
  errors: [
    'invalid_recipient',
    'refund_address_not_allowed',
    'refund_by_person_only',
    'invoice_not_found',
    'transaction_not_found',
    'refund_of_too_many_payments',
    'refund_settled',
    'refund_not_possible',
    'idempotency_key_conflict',
  ],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const { amount, address, transactionId, idempotencyKey } = body
    const of = { merchantId, invoiceId: ids.id, idempotencyKey }
    const paymentId = transactionId === undefined ? null : asPaymentId(transactionId)
    const wanted = { amount, address, paymentId }
    const { actor } = exchange
    const requestApproval = approvalFor(deps.config, merchantId, actor)
    const result = await guardDatabase(deps, (sql) =>
      createRefund(sql, deps.config, of, wanted, actor, requestApproval),
    )
    if (!result.ok) throw new AppError(result.code, result.details)
    const { invoice, refund, isNew } = result
    deps.wakeNotifier()
    if (isNew) carryTrace(deps, exchange, refund.id)
    await derived(deps, { id: refund.invoiceId, chains: [refund.networkId] })
    const data = presentRefund(invoice, refund, deps.config.registry)
    return sendObject(exchange, isNew ? 201 : 200, data)
  },
})

export const listRefundsRoute = route({
  operation: 'GET /v1/invoices/:id/refunds',
  access: 'merchant',
  ids: { id: INVOICE_ID_PARAMETER },
  summary: "List an invoice's refunds",
  description: 'All refunds of the invoice, in the order of the requests.',
  operationId: 'listInvoiceRefunds',
  successes: { 200: many('The refunds.', refundSchema) },
  errors: ['invoice_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const rows = await readInvoice(deps, merchantId, ids.id)
    return sendWholeList(exchange, presentRefunds(rows, deps.config.registry))
  },
})
