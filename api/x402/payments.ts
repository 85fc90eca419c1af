import { type Chain, chainsOf } from '../../core/chain/registry.ts'
import { AppError } from '../../core/errors.ts'
import { asEndpointId, asX402PaymentId } from '../../core/ids.ts'
import { presentX402Payment, type X402Payment } from '../../core/x402/present.ts'
import { listPayments, type PaymentFilter, readPayment } from '../../store/x402/payments.ts'
import type { Authenticate } from '../http/auth.ts'
import { type ApiDependencies, type Exchange, sendList, sendObject } from '../http/exchange.ts'
import { parseId } from '../http/id.ts'
import {
  describeParameters,
  type PageRequest,
  pageParameters,
  paginationOf,
  type QueryParameters,
  QueryReader,
  readPage,
} from '../http/query.ts'
import { type Documented, envelope, listEnvelope, responses, text, time } from '../http/schema.ts'
import { CHOICES, paymentSchema, STATUSES } from './schema.ts'

/** GET /v1/x402/payments and /v1/x402/payments/:id: what a merchant has been paid. */

const { payer, network, endpointId } = CHOICES
const PARAMETERS = {
  ...pageParameters('payments'),
  status: text('Only payments with this status.', 'settled', { enum: [...STATUSES] }),
  endpointId,
  payer,
  network,
  createdFrom: time('Only payments claimed at this time or later.', '2026-08-01T00:00:00Z'),
  createdTo: time('Only payments claimed at this time or earlier.', '2026-08-31T23:59:59Z'),
} satisfies QueryParameters

export const listPaymentsDetail: Documented = {
  tags: ['x402'],
  summary: 'List payments',
  description:
    'The pay-per-request payments of the merchant, the newest first. Page through them with `page` ' +
    'or with `offset`; a page past the end is empty.',
  operationId: 'listX402Payments',
  security: [{ secretKey: [] }],
  parameters: describeParameters(PARAMETERS),
  responses: responses(
    { 200: { description: 'One page of the list.', schema: listEnvelope(paymentSchema) } },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export const getPaymentDetail: Documented = {
  tags: ['x402'],
  summary: 'Get a payment',
  description: 'One pay-per-request payment of the merchant.',
  operationId: 'getX402Payment',
  security: [{ secretKey: [] }],
  responses: responses({ 200: { description: 'The payment.', schema: envelope(paymentSchema) } }, [
    'invalid_payment_id',
    'unauthorized',
    'payment_not_found',
    'service_unavailable',
  ]),
}

export function listPaymentsRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { config, database, availability } = deps
  const chains = chainsOf(config.environment)

  return async (exchange: Exchange): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const { filter, page } = parseQuery(exchange.request, chains)
    const { payments, total } = await availability.guard(() =>
      listPayments(database, merchantId, filter, page),
    )
    const data = payments.map((payment) => presentX402Payment(payment, chainOf(payment, chains)))
    return sendList(exchange, data, paginationOf(page, total))
  }
}

export function getPaymentRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { config, database, availability } = deps
  const chains = chainsOf(config.environment)

  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const paymentId = parseId(asX402PaymentId, id, 'invalid_payment_id')
    const payment = await availability.guard(() => readPayment(database, paymentId))
    if (payment?.merchantId !== merchantId) throw new AppError('payment_not_found')
    const data = presentX402Payment(payment, chainOf(payment, chains))
    return sendObject(exchange, 200, JSON.stringify(data))
  }
}

/** The chain on which a payment was made, which may be switched off by now. */
export function chainOf(payment: X402Payment, chains: readonly Chain[]): Chain {
  const chain = chains.find(({ networkId }) => networkId === payment.networkId)
  if (!chain) throw new Error(`the registry has no chain ${payment.networkId}`)
  return chain
}

function parseQuery(
  request: Request,
  chains: readonly Chain[],
): { filter: PaymentFilter; page: PageRequest } {
  const reader = new QueryReader(request, PARAMETERS)
  const page = readPage(reader)
  const filter: PaymentFilter = {
    status: reader.oneOf('status', STATUSES),
    endpointId: reader.id('endpointId', asEndpointId),
    payer: reader.address('payer'),
    networkId: reader.network('network', chains)?.networkId,
    createdFrom: reader.instant('createdFrom'),
    createdTo: reader.instant('createdTo'),
  }
  reader.finish()
  return { filter, page }
}
