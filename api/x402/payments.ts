import { chainNamed, chainsOf } from '../../core/chain/registry.ts'
import { AppError } from '../../core/errors.ts'
import { presentX402Payment } from '../../core/x402/present.ts'
import { readPayment, listPayments as readPayments } from '../../store/x402/payments.ts'
import { sendList, sendObject } from '../http/exchange.ts'
import { listQuery, paginationOf } from '../http/page.ts'
import { choiceParameter, timeParameter } from '../http/parameter.ts'
import { many, one } from '../http/responses.ts'
import { route } from '../http/route.ts'
import { CHOICES, PAYMENT_ID_PARAMETER, paymentSchema, STATUSES } from './schema.ts'

/** GET /v1/x402/payments and /v1/x402/payments/:id: what a merchant has been paid. */

const { payer, network, endpointId } = CHOICES

export const listPayments = route({
  method: 'GET',
  path: '/v1/x402/payments',
  access: 'merchant',
  query: listQuery('payments', {
    status: choiceParameter('Only payments with this status.', 'settled', STATUSES),
    endpointId,
    payer,
    network,
    createdFrom: timeParameter(
      'Only payments claimed at this time or later.',
      '2026-08-01T00:00:00Z',
    ),
    createdTo: timeParameter(
      'Only payments claimed at this time or earlier.',
      '2026-08-31T23:59:59Z',
    ),
  }),
  tag: 'x402',
  summary: 'List payments',
  description:
    'The pay-per-request payments of the merchant, the newest first. Page through them with `page` ' +
    'or with `offset`; a page past the end is empty.',
  operationId: 'listX402Payments',
  successes: { 200: many('One page of the list.', paymentSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { network: networkId, ...others } = filter
    const { payments, total } = await deps.availability.guard(() =>
      readPayments(deps.database, merchantId, { ...others, networkId }, page),
    )
    const chains = chainsOf(deps.config.environment)
    const data = payments.map((payment) =>
      presentX402Payment(payment, chainNamed(payment.networkId, chains)),
    )
    return sendList(exchange, data, paginationOf(page, total))
  },
})

export const getPayment = route({
  method: 'GET',
  path: '/v1/x402/payments/:id',
  access: 'merchant',
  ids: { id: PAYMENT_ID_PARAMETER },
  tag: 'x402',
  summary: 'Get a payment',
  description: 'One pay-per-request payment of the merchant.',
  operationId: 'getX402Payment',
  successes: { 200: one('The payment.', paymentSchema) },
  errors: ['payment_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const payment = await deps.availability.guard(() => readPayment(deps.database, ids.id))
    if (payment?.merchantId !== merchantId) throw new AppError('payment_not_found')
    const chain = chainNamed(payment.networkId, chainsOf(deps.config.environment))
    return sendObject(exchange, 200, presentX402Payment(payment, chain))
  },
})
