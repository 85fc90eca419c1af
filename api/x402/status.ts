import { type Chain, chainsOf, USDC_DECIMALS } from '../../core/chain/registry.ts'
import { asEndpointId } from '../../core/ids.ts'
import { parseAmount } from '../../core/money.ts'
import { presentStatus } from '../../core/x402/present.ts'
import { findStatus, type StatusQuery } from '../../store/x402/payments.ts'
import type { Admit } from '../http/auth.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { describeParameters, type QueryParameters, QueryReader } from '../http/query.ts'
import { amount, type Documented, envelope, responses } from '../http/schema.ts'
import { chainOf } from './payments.ts'
import { CHOICES, statusSchema } from './schema.ts'

/** GET /v1/x402/payments/status: specification sections 2.9 and 4.2. */

const PARAMETERS = {
  ...CHOICES,
  amount: amount('Only payments of this amount.', '0.01'),
} satisfies QueryParameters

export const paymentStatusDetail: Documented = {
  tags: ['x402'],
  summary: 'Get the status of a payment by its nonce',
  description:
    'For a server that is shown the same payment again: ask before settling. No key is needed; with ' +
    'a secret key only payments to its merchant are found. Of several matches the newest is shown.\n\n' +
    'A nonce is public. Before serving anything for a settled one, check that the header you were ' +
    'shown is signed by `payer` for your `payTo` and price, and serve each payment once.',
  operationId: 'getX402PaymentStatus',
  security: [{}, { secretKey: [] }],
  parameters: describeParameters(PARAMETERS, ['nonce']),
  responses: responses(
    {
      200: { description: 'The status, also of an unknown nonce.', schema: envelope(statusSchema) },
    },
    ['invalid_query_parameters', 'unauthorized', 'service_unavailable'],
  ),
}

export function paymentStatusRoute(deps: ApiDependencies, admit: Admit) {
  const { config, database, availability } = deps
  const chains = chainsOf(config.environment)

  return async (exchange: Exchange): Promise<string> => {
    const merchantId = (await admit(exchange)) ?? undefined
    const { nonce, ...choice } = parseQuery(exchange.request, chains)
    const payment = await availability.guard(() =>
      findStatus(database, { authorizationNonce: nonce, ...choice, merchantId }),
    )
    const status =
      payment === null
        ? { nonce, status: 'not_found' }
        : presentStatus(payment, chainOf(payment, chains))
    return sendObject(exchange, 200, JSON.stringify(status))
  }
}

function parseQuery(request: Request, chains: readonly Chain[]) {
  const reader = new QueryReader(request, PARAMETERS)
  reader.require('nonce')
  const nonce = reader.word('nonce') ?? '0x'
  const choice: Omit<StatusQuery, 'authorizationNonce'> = {
    payer: reader.address('payer'),
    networkId: reader.network('network', chains)?.networkId,
    endpointId: reader.id('endpointId', asEndpointId),
    amount: reader.value('amount', 'must be a decimal amount, e.g. "0.01"', (text) => {
      const parsed = parseAmount(text, USDC_DECIMALS)
      return parsed.ok ? parsed.amount : null
    }),
  }
  reader.finish()
  return { nonce, ...choice }
}
