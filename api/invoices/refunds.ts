import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../core/errors.ts'
import { asInvoiceId, asPaymentId, isUuid } from '../../core/ids.ts'
import { MAX_EXTERNAL_REF_LENGTH } from '../../core/invoice/creation.ts'
import { presentRefund } from '../../core/invoice/present.ts'
import { createRefund } from '../../store/refund/refunds.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { PAYER, TRANSACTION_ID } from '../http/examples.ts'
import { type ApiDependencies, type Exchange, sendList, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import { type PathIds, parseId } from '../http/id.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  jsonBody,
  listEnvelope,
  object,
  responses,
  text,
  uuid,
} from '../http/schema.ts'
import { readInvoice } from './get.ts'
import { refundSchema } from './schema.ts'

/** POST and GET /v1/invoices/:id/refunds. */

const REQUEST = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String()]),
    address: Type.String(),
    transactionId: Type.Optional(Type.String()),
    idempotencyKey: Type.String(),
  },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  amount: 'must be a number or a decimal string, e.g. "2.5"',
  address: 'must be a string',
  transactionId: 'must be a string',
  idempotencyKey: 'must be a string',
})

const requestFields = {
  amount: {
    oneOf: [
      { type: 'number', description: 'At most 15 significant digits.', example: 2.5 },
      { type: 'string', description: 'Digits and at most one point.', example: '2.5' },
    ],
    description: "How much goes back, in the token's major unit.",
    example: '2.5',
  },
  address: text(
    'Who receives it: the sender of the payment. Others only where the operator allows it.',
    PAYER,
  ),
  transactionId: uuid(
    'The payment to give back: a late one, another token, or a part of the on-time money. Omitted, ' +
      'the on-time money as a whole.',
    TRANSACTION_ID,
  ),
  idempotencyKey: text(
    `1 to ${MAX_EXTERNAL_REF_LENGTH} characters, once per invoice: a repeated request makes no second refund.`,
    'refund-1042',
  ),
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

export const createRefundDetail: Documented = {
  tags: ['Invoices'],
  summary: 'Give money back',
  description:
    'Gives back what no settlement has taken: the excess, a late payment, a payment in another token, ' +
    'in native coin or on another chain, or all of an invoice that was not settled. The refund is sent by the ' +
    'service; `refund.completed` or `refund.failed` tells the end. A failed one may be asked for ' +
    'anew, with another idempotencyKey.',
  operationId: 'createRefund',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(
    object('What to give back, and to whom.', requestFields, [
      'amount',
      'address',
      'idempotencyKey',
    ]),
  ),
  responses: responses(
    {
      200: {
        description: 'The refund that this idempotencyKey made.',
        schema: envelope(refundSchema),
      },
      201: { description: 'The new refund.', schema: envelope(refundSchema) },
    },
    [
      'invalid_invoice_id',
      'invalid_request_body',
      'invalid_recipient',
      'unauthorized',
      'refund_address_not_allowed',
      'invoice_not_found',
      'transaction_not_found',
      'refund_not_possible',
      'idempotency_key_conflict',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export const listRefundsDetail: Documented = {
  tags: ['Invoices'],
  summary: "List an invoice's refunds",
  description: 'All refunds of the invoice in the order they were asked for, on one page.',
  operationId: 'listInvoiceRefunds',
  security: [{ secretKey: [] }],
  responses: responses(
    { 200: { description: 'The refunds.', schema: listEnvelope(refundSchema) } },
    ['invalid_invoice_id', 'unauthorized', 'invoice_not_found', 'service_unavailable'],
  ),
}

export function createRefundRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { availability, config, database } = deps

  return async (exchange: Exchange, ids: PathIds): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const invoiceId = parseId(asInvoiceId, ids.id, 'invalid_invoice_id')
    const { amount, address, transactionId, idempotencyKey } = checked(
      parseRequest(await readJsonBody(exchange.request)),
    )
    const of = { merchantId, invoiceId, idempotencyKey }
    const paymentId = transactionId === undefined ? null : asPaymentId(transactionId)
    const result = await availability.guard(() =>
      createRefund(database, config, of, { amount, address, paymentId }, deps.now()),
    )
    if (!result.ok) throw new AppError(result.code, result.details)
    const { refund, rows, isNew } = result
    deps.wake([refund.networkId], { type: 'work_waiting' })
    deps.ringNotifier()
    const json = presentRefund(rows.invoice, refund, config.registry)
    return sendObject(exchange, isNew ? 201 : 200, JSON.stringify(json))
  }
}

export function listRefundsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { registry: chains } = deps.config

  return async (exchange: Exchange, ids: PathIds): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { invoice, refunds } = await readInvoice(deps, merchantId, ids.id)
    const data = refunds.map((refund) => presentRefund(invoice, refund, chains))
    const total = data.length
    const totalPages = total === 0 ? 0 : 1
    return sendList(exchange, data, { page: 1, limit: Math.max(1, total), total, totalPages })
  }
}

function checked(request: Static<typeof REQUEST>): Static<typeof REQUEST> {
  const { transactionId, idempotencyKey } = request
  const length = [...idempotencyKey].length
  if (length < 1 || length > MAX_EXTERNAL_REF_LENGTH) {
    const message = `must have 1 to ${MAX_EXTERNAL_REF_LENGTH} characters`
    throw invalidBody([{ path: 'idempotencyKey', message }])
  }
  if (transactionId !== undefined && !isUuid(transactionId)) {
    throw invalidBody([{ path: 'transactionId', message: 'must be a UUID' }])
  }
  return request
}
