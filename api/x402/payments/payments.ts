import { type Chain, chainNamed, chainsOf } from '../../../core/chain/registry.ts'
import { AppError } from '../../../core/errors.ts'
import { presentX402Payment, type X402Payment } from '../../../core/x402/payment/present.ts'
import { presentX402Offer, type X402RefundOffer } from '../../../core/x402/payment/refund.ts'
import { x402RefundOffers } from '../../../store/refund/x402Refunds.ts'
import { listPayments, readPayment } from '../../../store/x402/payment/payments.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { sendPage } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { one, paged } from '../../openapi/responses.ts'
import { listQuery, PAGED } from '../../request/page.ts'
import { choiceParameter, createdParameters } from '../../request/parameter.ts'
import { CHOICES, nonceFilter, PAYMENT_ID_PARAMETER, paymentSchema, STATUSES } from './schema.ts'

/** GET /v1/x402/payments and /v1/x402/payments/:id: what a merchant has been paid. */

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
    const found = await guardDatabase(deps, async (sql) => {
      const wanted = { ...others, networkId, authorizationNonce }
      const paid = await listPayments(sql, merchantId, wanted, page)
      return { ...paid, elements: await x402RefundOffers(sql, paid.elements, deps.config) }
    })
    const chains = chainsOf(deps.config.environment)
    return sendPage(exchange, page, found, (offered) => present(offered, chains))
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
    const offered = await guardDatabase(deps, async (sql) => {
      const payment = await readPayment(sql, ids.id)
      const own = payment?.merchantId === merchantId ? [payment] : []
      const [one] = await x402RefundOffers(sql, own, deps.config)
      return one
    })
    if (offered === undefined) throw new AppError('payment_not_found')
    return sendObject(exchange, 200, present(offered, chainsOf(deps.config.environment)))
  },
})

interface OfferedPayment {
  readonly payment: X402Payment
  readonly offer: X402RefundOffer
}

/** The payment with what can go back of it, which events don't say: it changes with every payout. */
function present({ payment, offer }: OfferedPayment, chains: readonly Chain[]) {
  const chain = chainNamed(payment.networkId, chains)
  return { ...presentX402Payment(payment, chain), ...presentX402Offer(offer, payment, chain) }
}
