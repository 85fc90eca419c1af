import { parseAmount } from '../../../core/base/money.ts'
import { chainNamed, chainsOf } from '../../../core/chain/registry.ts'
import { TOKENS } from '../../../core/chain/tokens.ts'
import { presentStatus } from '../../../core/x402/presentPayment.ts'
import { findStatus } from '../../../store/x402/payments.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { parameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import { DECIMAL, text } from '../../request/schema.ts'
import { CHOICES, nonceParameter, statusSchema } from './paymentSchema.ts'

const amountParameter = parameter(
  text("Only payments of this amount, in the token's major unit.", '0.01', { pattern: DECIMAL }),
  'must be a decimal amount, e.g. "0.01"',
  (sent) => {
    const parsed = parseAmount(sent, TOKENS.USDC.decimals)
    return parsed.ok ? parsed.amount : null
  },
)

export const paymentStatusRoute = route({
  operation: 'GET /v1/x402/payments/status',
  access: 'x402Anyone',
  isCrossOrigin: true,
  query: queryOf({ nonce: nonceParameter, ...CHOICES, amount: amountParameter }),
  summary: 'Get the status of a payment by its nonce',
  description:
    'For servers that receive the same payment again: check before settling. With a secret key only ' +
    'payments to its merchant are found. Of several matches the newest is shown.\n\n' +
    'A nonce is public. Before you serve a settled payment, check that the header is signed by `payer` for ' +
    'your `payTo` and price, and serve each payment once.',
  operationId: 'getX402PaymentStatus',
  successes: { 200: one('The status, also of an unknown nonce.', statusSchema) },
  handle: async (deps, { exchange, caller, query }) => {
    const { nonce, network: networkId, ...others } = query
    const filter = {
      ...others,
      networkId,
      authorizationNonce: nonce,
      merchantId: caller ?? undefined,
    }
    const payment = await guardDatabase(deps, (sql) => findStatus(sql, filter))
    const status =
      payment === null
        ? { nonce, status: 'not_found' }
        : presentStatus(payment, chainNamed(payment.networkId, chainsOf(deps.config.environment)))
    return sendObject(exchange, 200, status)
  },
})
