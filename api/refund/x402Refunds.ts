import { AppError } from '../../core/base/errors.ts'
import { chainsOf } from '../../core/chain/registry.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentX402Refund } from '../../core/refund/x402Refund.ts'
import { createX402Refund, x402RefundsOf } from '../../store/refund/x402Refunds.ts'
import { readPayment } from '../../store/x402/payments.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject, sendWholeList } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { carryTrace } from '../http/tracing.ts'
import { refundSchema } from '../invoice/schema.ts'
import { approvalFor } from '../merchant/approvers.ts'
import { bodyOf, refined } from '../request/body.ts'
import { PAYER } from '../request/examples.ts'
import { many, one } from '../request/responses.ts'
import { amountField, optional, pastedField, text } from '../request/schema.ts'
import { PAYMENT_ID_PARAMETER } from '../x402/endpoints/paymentSchema.ts'
import { withKey } from './refunds.ts'

/** POST and GET /v1/x402/payments/:id/refunds. */

const REQUEST = bodyOf('The refund to create.', {
  amount: amountField("The amount to refund, in the token's major unit.", '0.01'),
  address: optional(
    pastedField(
      'The recipient; the payer if omitted. Other addresses only if the operator allows it.',
      PAYER,
    ),
    { isShown: false },
  ),
  idempotencyKey: text(
    `1 to ${MAX_EXTERNAL_REF_LENGTH} characters, once per payment: a repeated request creates no second refund.`,
    'refund-1042',
  ),
})

export const createX402RefundRoute = route({
  operation: 'POST /v1/x402/payments/:id/refunds',
  access: 'merchant',
  isIdempotent: true,
  ids: { id: PAYMENT_ID_PARAMETER },
  body: refined(REQUEST, withKey),
  summary: 'Refund a payment',
  description:
    'Refunds the part of a confirmed payment that your forwarder still holds; payouts in this token wait for the ' +
    'refund. Refund what was paid out, or paid to your own address, yourself. `refund.completed` or ' +
    '`refund.failed` follows.',
  operationId: 'createX402Refund',
  successes: {
    200: one('The existing refund of this idempotencyKey.', refundSchema),
    201: one('The new refund.', refundSchema),
  },
  errors: [
    'invalid_recipient',
    'refund_address_not_allowed',
    'payment_not_found',
    'refund_settled',
    'refund_not_possible',
    'idempotency_key_conflict',
  ],
  handle: async (deps, { exchange, caller: { merchantId }, ids, body }) => {
    const { amount, address, idempotencyKey } = body
    const of = { merchantId, paymentId: ids.id, idempotencyKey }
    const { actor } = exchange
    const requestApproval = approvalFor(deps.config, merchantId, actor)
    const wanted = { amount, address: address ?? null }
    const result = await guardDatabase(deps, (sql) =>
      createX402Refund(sql, deps.config, of, wanted, actor, requestApproval),
    )
    if (!result.ok) throw new AppError(result.code, result.details)
    const { refund, isNew } = result
    deps.wakeNotifier()
    deps.wake([refund.networkId], { type: 'work_waiting' })
    if (isNew) carryTrace(deps, exchange, refund.id)
    const data = presentX402Refund(refund, deps.config.registry)
    return sendObject(exchange, isNew ? 201 : 200, data)
  },
})

export const listX402RefundsRoute = route({
  operation: 'GET /v1/x402/payments/:id/refunds',
  access: 'merchant',
  ids: { id: PAYMENT_ID_PARAMETER },
  summary: "List a payment's refunds",
  description: 'All refunds of the payment in the order of the requests, on one page.',
  operationId: 'listX402Refunds',
  successes: { 200: many('The refunds.', refundSchema) },
  errors: ['payment_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const refunds = await guardDatabase(deps, async (sql) => {
      const payment = await readPayment(sql, ids.id)
      if (payment?.merchantId !== merchantId) throw new AppError('payment_not_found')
      return x402RefundsOf(sql, ids.id)
    })
    const chains = chainsOf(deps.config.environment)
    return sendWholeList(
      exchange,
      refunds.map((refund) => presentX402Refund(refund, chains)),
    )
  },
})
