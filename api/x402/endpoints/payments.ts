import { AppError } from '../../../core/base/errors.ts'
import { chainNamed, chainsOf } from '../../../core/chain/registry.ts'
import { presentX402Offer } from '../../../core/refund/x402Refund.ts'
import { presentX402Payment } from '../../../core/x402/presentPayment.ts'
import { x402RefundOffers } from '../../../store/refund/x402Refunds.ts'
import { listPayments, readPayment } from '../../../store/x402/payments.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendPage } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { listQuery, PAGED } from '../../request/page.ts'
import { choiceParameter, createdParameters } from '../../request/parameter.ts'
import { one, paged } from '../../request/responses.ts'
import {
  CHOICES,
  nonceFilter,
  PAYMENT_ID_PARAMETER,
  paymentSchema,
  STATUSES,
} from './paymentSchema.ts'

/** GET /v1/x402/payments and /v1/x402/payments/:id: a merchant's payments. */

const { payer, network, endpointId } = CHOICES

export const listPaymentsRoute = route({
  operation: 'GET /v1/x402/payments',
  access: 'merchant',
  query: listQuery({
    status: choiceParameter('Only payments with this status.', 'settled', STATUSES),
    endpointId,
    payer,
    nonce: nonceFilter,
    network,
    ...createdParameters('payments claimed'),
  }),
  summary: 'List payments',
  description: `The pay-per-request payments of the merchant, the newest first. ${PAGED}`,
  operationId: 'listX402Payments',
  successes: { 200: paged('A page of the list.', paymentSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, query: { page, filter } }) => {
    const { network: networkId, nonce: authorizationNonce, ...others } = filter
    const wanted = { ...others, networkId, authorizationNonce }
    const { found, offers } = await guardDatabase(deps, async (sql) => {
      const paid = await listPayments(sql, merchantId, wanted, page)
      // Only the dashboard shows which refunds are possible; servers request them.
      const offered = exchange.actor?.type === 'person' ? paid.elements : []
      return { found: paid, offers: await x402RefundOffers(sql, offered, deps.config) }
    })
    const chains = chainsOf(deps.config.environment)
    return sendPage(exchange, page, found, (payment) => {
      const chain = chainNamed(payment.networkId, chains)
      const offer = offers.get(payment.id)
      const offered = offer === undefined ? {} : presentX402Offer(offer, payment, chain)
      return { ...presentX402Payment(payment, chain), ...offered }
    })
  },
})

export const getPaymentRoute = route({
  operation: 'GET /v1/x402/payments/:id',
  access: 'merchant',
  ids: { id: PAYMENT_ID_PARAMETER },
  summary: 'Get a payment',
  description: 'One pay-per-request payment of the merchant.',
  operationId: 'getX402Payment',
  successes: { 200: one('The payment.', paymentSchema) },
  errors: ['payment_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const payment = await guardDatabase(deps, (sql) => readPayment(sql, ids.id))
    if (payment?.merchantId !== merchantId) throw new AppError('payment_not_found')
    const chain = chainNamed(payment.networkId, chainsOf(deps.config.environment))
    return sendObject(exchange, 200, presentX402Payment(payment, chain))
  },
})
